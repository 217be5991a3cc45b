/* Sparse LU factors. */
#include "solvers/problems.h"

static const Control control = {.tolerance = 1e-14};

/* Rounding alone is left after refinement. */
Test(direct, residual_is_rounding)
{
    static const double up[] = {1, 0.9, 1.2}, down[] = {1.3, 1, 1.1};
    Problem each[] = {birth_death(5000, 0.999, 0, 1), walk(2, 60, up, down), walk(3, 12, up, down),
                      closed_tandem(40, 1, 1.1, 0.9), cycle(1000, 999)};
    for (size_t k = 0; k < sizeof each / sizeof *each; k++) {
        double *y = guess(each[k].n);
        Outcome out;
        PepaError err = {0};
        cr_expect(solve_flow(PEPA_DIRECT, &each[k].flow, &control, y, &out, &err) == PEPA_OK, "%s",
                  err.message);
        cr_expect(out.iterations == 0 && strcmp(out.method, "direct") == 0);
        cr_expect(distance(each[k].n, y, each[k].exact) < 1e-8);
        free(y);
        problem_free(&each[k]);
    }
}

/* Guesses that put all flow where hardly any is: the first choice of the fixed state is poor. */
Test(direct, misleading_guess)
{
    Problem p = birth_death(60, 0.1, 0, 1);
    double y[60] = {0};
    Outcome out;
    y[59] = 1;
    cr_expect(solve_flow(PEPA_DIRECT, &p.flow, &control, y, &out, NULL) == PEPA_OK);
    cr_expect(distance(60, y, p.exact) < 1e-12);
    problem_free(&p);
}

Test(direct, visits)
{
    Problem p = ruin_visits(1000, 10);
    double *y = guess(p.n);
    Outcome out;
    const Control absolute = {.tolerance = 1e-10};
    cr_expect(solve_flow(PEPA_DIRECT, &p.flow, &absolute, y, &out, NULL) == PEPA_OK);
    cr_expect(deviation(p.n, y, p.exact) < 1e-9); /* condition n^2 */
    free(y);
    problem_free(&p);
}
