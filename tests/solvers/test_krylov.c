/* BiCGSTAB, GMRES and IDR on problems that sweeps are slow on. */
#include "solvers/problems.h"

static const PepaMethod krylov[] = {PEPA_BICGSTAB, PEPA_GMRES, PEPA_IDR};
enum { KRYLOV = sizeof krylov / sizeof *krylov };

/* By each of them; frees the problem. */
static void expect_solved(const char *what, Problem *p, int64_t most, double condition)
{
    for (int i = 0; i < KRYLOV; i++) {
        double *y = guess(p->n);
        Outcome out;
        PepaError err = {0};
        const Control control = {.tolerance = 1e-11};
        PepaStatus status = solve_flow(krylov[i], &p->flow, &control, y, &out, &err);
        cr_expect(status == PEPA_OK, "%s: %d %s", what, status, err.message);
        cr_expect(out.iterations <= most, "%s by %s: %lld iterations", what, out.method,
                  (long long)out.iterations);
        double off = distance(p->n, y, p->exact);
        cr_expect(off <= condition * 1e-11, "%s by %s: off by %g", what, out.method, off);
        free(y);
    }
    problem_free(p);
}

/* Bounds on the iterations are a few times what was measured. */
Test(krylov, walks)
{
    static const double even[] = {1, 1, 1}, down[] = {1.02, 1, 1.01};
    Problem plane = walk(2, 60, even, down), space = walk(3, 20, even, down);
    expect_solved("plane", &plane, 500, 1e5);
    expect_solved("space", &space, 300, 1e5);
}

/* The incomplete factors are complete ones here, their last pivot 0. */
Test(krylov, lines)
{
    static const double rho[] = {0.3, 0.9, 1, 1.1, 2};
    for (size_t k = 0; k < sizeof rho / sizeof *rho; k++) {
        Problem p = birth_death(400, rho[k], 0, 1);
        expect_solved("line", &p, 100, 1e6);
    }
}

Test(krylov, closed_tandem)
{
    Problem p = closed_tandem(60, 1, 1.02, 0.98);
    expect_solved("closed tandem", &p, 300, 1e5);
}

/* A periodic chain without any damping: P' is a permutation. */
Test(krylov, cycles)
{
    Problem with = cycle(300, 1), against = cycle(300, 299);
    expect_solved("cycle", &with, 300, 1e6);
    expect_solved("cycle against the order", &against, 300, 1e6);
}

Test(krylov, impossible_tolerance)
{
    Problem p = closed_tandem(20, 1, 1.02, 0.98);
    for (int i = 0; i < KRYLOV; i++) {
        double *y = guess(p.n);
        Outcome out;
        const Control control = {.tolerance = 1e-30};
        cr_expect(solve_flow(krylov[i], &p.flow, &control, y, &out, NULL) == PEPA_ENOCONV);
        cr_expect(distance(p.n, y, p.exact) < 1e-9, "the best iterate is kept");
        free(y);
    }
    problem_free(&p);
}
