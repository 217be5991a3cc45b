/* Damped Jacobi. */
#include "solvers/problems.h"

/* Undamped, the iterates of periodic jump chains never settle. */
Test(jacobi, damps_periodic_chains)
{
    Problem each[] = {cycle(2, 1), cycle(7, 1), cycle(20, 19), birth_death(20, 0.8, 0, 1)};
    for (size_t k = 0; k < sizeof each / sizeof *each; k++) {
        double *y = guess(each[k].n);
        Outcome out;
        const Control control = {.tolerance = 1e-12, .max_iter = 20000};
        y[0] = 0.9;
        cr_expect(solve_flow(PEPA_JACOBI, &each[k].flow, &control, y, &out, NULL) == PEPA_OK,
                  "%zu: %g", k, out.residual);
        cr_expect(distance(each[k].n, y, each[k].exact) < 1e-9);
        free(y);
        problem_free(&each[k]);
    }
}

Test(jacobi, says_no_to_long_lines)
{
    Problem p = birth_death(2000, 1, 0, 1);
    double *y = guess(p.n);
    Outcome out;
    PepaError err = {0};
    const Control control = {.tolerance = 1e-12, .max_iter = 3000};
    y[0] = 0.9;
    cr_expect(solve_flow(PEPA_JACOBI, &p.flow, &control, y, &out, &err) == PEPA_ENOCONV);
    cr_expect(out.residual > 1e-12 && is_iterate(p.n, y) && strstr(err.message, "jacobi"));
    free(y);
    problem_free(&p);
}
