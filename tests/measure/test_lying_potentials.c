/* Solvers of Poisson's equation that lie to the sensitivities: the answer is refused, whatever the
 * solver says of it. */
#include "measure/steady.h"
#include "support.h"

#include <math.h>
#include <string.h>

static PepaStatus lie(const Poisson *problem, PepaMethod method, const Control *control, double *h,
                      Outcome *out, PepaError *err);

static PepaStatus (*const truth)(const Poisson *, PepaMethod, const Control *, double *, Outcome *,
                                 PepaError *) = solve_potential;

/* The same file as in the library, with another solver. */
#define solve_potential          lie
#define sensitivity_new          new_for_liar
#define sensitivity_check_memory check_for_liar
#define sensitivity_free         free_of_liar
#define sensitivity_solve        solve_by_liar
#define sensitivity_potential    potential_of_liar
#include "measure/sensitivity.c"

static double size;

static PepaStatus lie(const Poisson *problem, PepaMethod method, const Control *control, double *h,
                      Outcome *out, PepaError *err)
{
    PepaStatus status = truth(problem, method, control, h, out, err);
    for (int32_t i = 0; i < problem->jumps.n; i++)
        h[i] += size * (i % 3 == 0 ? 1 : i % 3 == 1 ? -0.3 : 0.2);
    return status;
}

/* The derivative of the throughput of `a` by the rate s, in `*slope`. */
static PepaStatus solve_with(double by, double *slope)
{
    Derived d = derive("s = 1.7; P = (a, s).Q; Q = (b, 0.3).R + (z, 0.9).P; R = (c, 1.1).P;\n"
                       "P || P || P",
                       1);
    PepaSettings set = settings_for_tests();
    PepaError err = {0};
    LongRun *run = NULL;
    Sensitivity *s = NULL;
    cr_assert_eq(d.status, PEPA_OK);
    double *pi = calloc((size_t)d.chain->state_count, sizeof *pi);
    set.solve.tolerance = 1e-10;
    cr_assert_eq(longrun_new(&run, d.chain, steady_form(d.chain), &err), PEPA_OK);
    cr_assert_eq(longrun_solve(run, &d.chain->now, &set, pi, NULL, &err), PEPA_OK);
    cr_assert_eq(new_for_liar(&s, d.chain, run, &err), PEPA_OK);
    size = by;
    double earns[8] = {0};
    cr_assert_lt(d.chain->actions[0], 8);
    earns[d.chain->actions[0]] = 1;
    PepaStatus status = solve_by_liar(s, &d.chain->now, &set, pi, &(Reward){.by_action = earns},
                                      NULL, slope, NULL, &err);
    free_of_liar(s);
    longrun_free(run);
    free(pi);
    derived_free(&d);
    return status;
}

Test(lying_potentials, of_any_size_and_sign)
{
    double exact, slope;
    cr_assert_eq(solve_with(0, &exact), PEPA_OK);
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int digits = -14; digits <= 20; digits++) {
            PepaStatus status = solve_with(sign * pow(10, digits), &slope);
            cr_expect_eq(status,
                         digits < -11  ? PEPA_OK
                         : digits > -9 ? PEPA_ENOCONV
                                       : status,
                         "a lie of %de%d", sign, digits);
            if (status == PEPA_OK)
                cr_expect(fabs(slope / exact - 1) <= 1e-8, "%.12g, not %.12g", slope, exact);
        }
    }
}
