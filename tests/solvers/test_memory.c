/* Methods within a limit on memory. */
#include "solvers/problems.h"

#include "solvers/internal.h"

static const PepaMethod methods[] = {PEPA_GTH,        PEPA_DIRECT, PEPA_GAUSS_SEIDEL, PEPA_SOR,
                                     PEPA_JACOBI,     PEPA_POWER,  PEPA_BICGSTAB,     PEPA_GMRES,
                                     PEPA_MULTILEVEL, PEPA_IDR};
enum { METHODS = sizeof methods / sizeof *methods };

/* One byte is too little for anything; the guess stays. */
Test(memory, too_little_for_each_method)
{
    Problem p = closed_tandem(60, 1, 1.5, 2);
    double *y = guess(p.n);
    for (int m = 0; m < METHODS; m++) {
        const Control control = {.tolerance = 1e-10, .memory = 1};
        Outcome out;
        PepaError err = {0};
        PepaStatus status = solve_flow(methods[m], &p.flow, &control, y, &out, &err);
        cr_expect_eq(status, PEPA_ELIMIT, "%s: %d", out.method, status);
        cr_expect_eq(err.code, PEPA_ELIMIT);
        cr_expect(strstr(err.message, out.method) && err.limit == PEPA_LIMIT_MEMORY, "%s",
                  err.message);
        cr_expect(is_iterate(p.n, y));
    }
    free(y);
    problem_free(&p);
}

/* A limit that is not met changes nothing. */
Test(memory, enough_for_each_method)
{
    uint64_t seed = 5;
    Problem p = random_chain(500, 3, 1, &seed);
    double *y = guess(p.n), *free_of_limits = guess(p.n);
    for (int m = 0; m < METHODS; m++) {
        const Control with = {.tolerance = 1e-9, .memory = 200 * 1000 * 1000},
                      without = {.tolerance = 1e-9};
        Outcome out;
        for (int32_t i = 0; i < p.n; i++)
            y[i] = free_of_limits[i] = 1.0 / p.n;
        PepaError err = {0};
        cr_expect_eq(solve_flow(methods[m], &p.flow, &with, y, &out, &err), PEPA_OK, "%s",
                     err.message);
        cr_expect_eq(solve_flow(methods[m], &p.flow, &without, free_of_limits, &out, NULL),
                     PEPA_OK);
        cr_expect(memcmp(y, free_of_limits, (size_t)p.n * sizeof *y) == 0, "%s", out.method);
    }
    free(y);
    free(free_of_limits);
    problem_free(&p);
}

/* Three vectors are enough for sweeps, which such a chain yields to in the end. */
Test(memory, auto_goes_on_to_what_fits)
{
    Problem p = closed_tandem(80, 1, 1.2, 1.4);
    double *y = guess(p.n);
    const Control control = {.tolerance = 1e-8, .memory = 3 * 8 * (int64_t)p.n};
    Outcome out;
    PepaError err;
    cr_assert_gt(p.n, 2000, "more than are eliminated at once");
    PepaStatus status = solve_flow(PEPA_AUTO, &p.flow, &control, y, &out, &err);
    cr_expect_eq(status, PEPA_OK, "%s", err.message);
    cr_expect(strcmp(out.method, "gauss-seidel") == 0 || strcmp(out.method, "sor") == 0, "%s",
              out.method);
    cr_expect_lt(distance(p.n, y, p.exact), 1e-4);
    free(y);
    problem_free(&p);
}

/* Ten vectors are enough to meet the tolerance, but not to settle the shares of groups that hardly
 * meet: the answer stands, and what it lacks is said. */
Test(memory, too_little_to_settle_shares)
{
    Problem p = reversible(5, 5000, 1e-7, 4);
    double *y = guess(p.n);
    const Control control = {.tolerance = 1e-8, .memory = 10 * 8 * (int64_t)p.n};
    Outcome out;
    PepaError err = {0};
    cr_expect_eq(solve_flow(PEPA_AUTO, &p.flow, &control, y, &out, &err), PEPA_OK, "%s",
                 err.message);
    cr_expect(!out.coupled);
    cr_expect_leq(out.residual, 1e-8);
    cr_expect(strstr(out.trail, "met the tolerance, but shares of groups did not settle"), "%s",
              out.trail);
    free(y);
    problem_free(&p);
}

Test(memory, auto_says_what_would_be_needed)
{
    Problem p = closed_tandem(80, 1, 1.2, 1.4);
    double *y = guess(p.n);
    const Control control = {.tolerance = 1e-10, .memory = 100};
    Outcome out;
    PepaError err;
    cr_expect_eq(solve_flow(PEPA_AUTO, &p.flow, &control, y, &out, &err), PEPA_ELIMIT);
    cr_expect(strstr(err.message, "gauss-seidel needs 27 kB"), "%s", err.message);
    cr_expect(strstr(err.message, "leaves 100 bytes"), "%s", err.message);
    free(y);
    problem_free(&p);
}
