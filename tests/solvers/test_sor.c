/* Successive over-relaxation with a factor of its own choice. */
#include "solvers/problems.h"

/* Far fewer sweeps than Gauss-Seidel's 420,000, which theory (n^2 against n) promises. */
Test(sor, over_relaxation_on_a_line)
{
    Problem p = birth_death(1000, 1, 0, 1);
    double *y = guess(p.n);
    Outcome out;
    const Control control = {.tolerance = 1e-10, .max_iter = 20000};
    y[0] = 0.2;
    cr_expect(solve_flow(PEPA_SOR, &p.flow, &control, y, &out, NULL) == PEPA_OK, "%g after %lld",
              out.residual, (long long)out.iterations);
    free(y);
    problem_free(&p);
}

/* Gauss-Seidel goes round for ever: only factors below 1 help. */
Test(sor, under_relaxation_against_a_cycle)
{
    Problem cycles = cycle(60, 59), tandem = closed_tandem(25, 1, 1.5, 0.8);
    Problem *const both[] = {&cycles, &tandem};
    for (int k = 0; k < 2; k++) {
        double *y = guess(both[k]->n);
        Outcome out;
        const Control control = {.tolerance = 1e-11, .max_iter = 100000};
        cr_expect(solve_flow(PEPA_SOR, &both[k]->flow, &control, y, &out, NULL) == PEPA_OK,
                  "%d: %g", k, out.residual);
        cr_expect(distance(both[k]->n, y, both[k]->exact) < 1e-7);
        free(y);
        problem_free(both[k]);
    }
}
