/* The power method. */
#include "solvers/problems.h"

/* Uniformisation makes every chain aperiodic. */
Test(power, periodic_chains)
{
    Problem each[] = {cycle(2, 1), cycle(7, 1), birth_death(20, 0.8, 0, 1)};
    for (size_t k = 0; k < sizeof each / sizeof *each; k++) {
        double *y = guess(each[k].n);
        Outcome out;
        const Control control = {.tolerance = 1e-12, .max_iter = 50000};
        y[0] = 0.9;
        cr_expect(solve_flow(PEPA_POWER, &each[k].flow, &control, y, &out, NULL) == PEPA_OK,
                  "%zu: %g", k, out.residual);
        cr_expect(distance(each[k].n, y, each[k].exact) < 1e-9);
        free(y);
        problem_free(&each[k]);
    }
}

/* Rates of 10^+-7 are hopeless for it, and it must say so. */
Test(power, says_no_to_stiff_chains)
{
    Problem p = birth_death(40, 0, 14, 3);
    double *y = guess(p.n);
    Outcome out;
    PepaError err = {0};
    const Control control = {.tolerance = 1e-12};
    cr_expect(solve_flow(PEPA_POWER, &p.flow, &control, y, &out, &err) == PEPA_ENOCONV);
    cr_expect(is_iterate(p.n, y) && strstr(err.message, "power"));
    free(y);
    problem_free(&p);
}

Test(power, bad_exit_rates)
{
    static const double bad[] = {NAN, INFINITY, 0, -1};
    for (int k = 0; k < 4; k++) {
        Problem p = cycle(5, 1);
        ((double *)p.flow.exit)[2] = bad[k];
        double y[] = {1, 2, 3, 4, 5};
        Outcome out;
        const Control control = {.tolerance = 1e-12};
        cr_expect(solve_flow(PEPA_POWER, &p.flow, &control, y, &out, NULL) == PEPA_ENOCONV);
        cr_expect(is_iterate(5, y));
        problem_free(&p);
    }
}

/* All states are left at the same rate, and the jump chain goes to and fro: steps need a rate that
 * is more than the largest. */
Test(power, two_states_in_turn)
{
    Problem p = {.n = 2};
    problem_add(&p, 0, 1, 3);
    problem_add(&p, 1, 0, 3);
    problem_finish(&p);
    const Control sharp = {.tolerance = 1e-12};
    double y[] = {0.9, 0.1};
    Outcome out;
    cr_expect_eq(solve_flow(PEPA_POWER, &p.flow, &sharp, y, &out, NULL), PEPA_OK);
    cr_expect_float_eq(y[0], 0.5, 1e-12);
    cr_expect_float_eq(y[1], 0.5, 1e-12);
    problem_free(&p);
}
