/* Gauss-Seidel. */
#include "solvers/problems.h"

#include "solvers/internal.h"

static const Control control = {.tolerance = 1e-10, .max_iter = 20000};

/* In the direction of the order one sweep carries the first state's flow through all others. */
Test(gauss_seidel, one_sweep_along_a_cycle)
{
    Problem p = cycle(1000, 1);
    double *y = guess(p.n);
    Outcome out;
    y[0] = 0.3;
    cr_expect(solve_flow(PEPA_GAUSS_SEIDEL, &p.flow, &control, y, &out, NULL) == PEPA_OK);
    cr_expect(out.iterations <= 4, "%lld", (long long)out.iterations);
    free(y);
    problem_free(&p);
}

/* A sweep begins with what the last state gives the first: nothing, and so nothing comes anywhere. */
Test(gauss_seidel, begins_again_when_nothing_is_left)
{
    Problem p = cycle(1000, 1);
    double *y = guess(p.n);
    Outcome out;
    memset(y, 0, (size_t)p.n * sizeof *y);
    y[500] = 1;
    cr_expect_eq(solve_flow(PEPA_GAUSS_SEIDEL, &p.flow, &control, y, &out, NULL), PEPA_OK);
    cr_expect_lt(distance(p.n, y, p.exact), 1e-9);
    cr_expect_leq(out.iterations, 10);
    free(y);
    problem_free(&p);
}

/* Against it, the iterates go round for ever. */
Test(gauss_seidel, stalls_against_a_cycle)
{
    Problem p = cycle(500, 499);
    double *y = guess(p.n);
    Outcome out;
    PepaError err = {0};
    y[3] = 0.3;
    cr_expect(solve_flow(PEPA_GAUSS_SEIDEL, &p.flow, &control, y, &out, &err) == PEPA_ENOCONV);
    cr_expect(strstr(err.message, "gauss-seidel stalled at residual "), "%s", err.message);
    cr_expect(out.iterations < 5000 && is_iterate(500, y));
    free(y);
    problem_free(&p);
}

Test(gauss_seidel, change_bounds_the_residual)
{
    uint64_t seed = 8;
    Problem p = random_chain(300, 3, 2, &seed);
    double *y = guess(p.n);
    for (int sweep = 0; sweep < 30; sweep++) {
        double change = flow_sweep(&p.flow, y), sum = 0;
        for (int32_t i = 0; i < p.n; i++)
            sum += y[i];
        cr_expect(flow_residual(&p.flow, y) * sum <= change * (1 + 1e-9) + 1e-15);
    }
    free(y);
    problem_free(&p);
}

Test(gauss_seidel, sweeps_follow_the_theory)
{
    /* Symmetric walk on a line of n: eigenvalue cos^2(pi/n), so ln(1e10) n^2 / pi^2 sweeps at most.
     */
    Problem p = birth_death(50, 1, 0, 1);
    double *y = guess(p.n);
    Outcome out;
    y[0] = 1;
    cr_expect(solve_flow(PEPA_GAUSS_SEIDEL, &p.flow, &control, y, &out, NULL) == PEPA_OK);
    cr_expect(out.iterations > 2000 && out.iterations < 5900, "%lld", (long long)out.iterations);
    free(y);
    problem_free(&p);
}
