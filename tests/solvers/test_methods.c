/* Every method on every problem: an answer that stands up to recomputation, or a clear no. */
#include "solvers/problems.h"

#include <gsl/gsl_linalg.h>

static const PepaMethod methods[] = {PEPA_AUTO,  PEPA_DIRECT,     PEPA_GTH,   PEPA_GAUSS_SEIDEL,
                                     PEPA_SOR,   PEPA_JACOBI,     PEPA_POWER, PEPA_BICGSTAB,
                                     PEPA_GMRES, PEPA_MULTILEVEL, PEPA_IDR};
static const char *const names[] = {"auto",  "direct",   "gth",   "gauss-seidel", "sor", "jacobi",
                                    "power", "bicgstab", "gmres", "multilevel",   "idr"};
enum { METHODS = sizeof methods / sizeof *methods };

/* bit m: method m must solve it */
enum {
    AUTO = 1,
    DIRECT = 2,
    GTH = 4,
    GAUSS_SEIDEL = 8,
    SOR = 16,
    JACOBI = 32,
    POWER = 64,
    BICGSTAB = 128,
    GMRES = 256,
    MULTILEVEL = 512,
    IDR = 1024,
    SURE = AUTO | DIRECT | GTH,
    KRYLOV = BICGSTAB | GMRES | IDR,
    SWEEPS = GAUSS_SEIDEL | SOR,
    STEADY = 2047,
    ALL = STEADY & ~MULTILEVEL
};

/* Compact rows give the same numbers, to the bit. */
static void try_compact(const char *what, const Problem *p, int m, const Control *control,
                        PepaStatus status, const Outcome *out, const double *y)
{
    Flow compact;
    PepaError err;
    Outcome again;
    double *z = guess(p->n);
    if (compact_new(&p->flow, &compact)) {
        PepaStatus got = solve_flow(methods[m], &compact, control, z, &again, &err);
        cr_expect(got == status && again.iterations == out->iterations &&
                      memcmp(y, z, (size_t)p->n * sizeof *y) == 0,
                  "%s on %s: compact rows differ", names[m], what);
    }
    compact_free(&compact);
    free(z);
}

/* Runs all methods.  |y - exact|_1 <= condition * residual, where condition stands for the norm of
 * the group inverse of I - P' (an upper estimate, by the problem's mixing time); without an exact
 * answer GTH's is taken. */
static void try_all(const char *what, Problem *p, int must_solve, double condition)
{
    const double tolerance = 1e-11;
    int32_t n = p->n;
    const Control control = {.tolerance = tolerance, .max_iter = 20000};
    for (int m = 0; m < METHODS; m++) {
        double *y = guess(n);
        Outcome out;
        PepaError err = {0};
        PepaStatus status = solve_flow(methods[m], &p->flow, &control, y, &out, &err);
        double residual = recomputed_residual(&p->flow, y), sum = 0;
        cr_expect(is_iterate(n, y), "%s on %s: y is not an iterate", names[m], what);
        cr_expect(status == PEPA_OK || (!(must_solve >> m & 1) && status == PEPA_ENOCONV),
                  "%s on %s: %d %s %s", names[m], what, status, err.message, out.trail);
        cr_expect(fabs(out.residual - residual) <= 1e-15 + 1e-6 * residual,
                  "%s on %s: residual %g, not %g", names[m], what, residual, out.residual);
        for (int32_t i = 0; i < n; i++)
            sum += y[i];
        cr_expect(p->flow.b || fabs(sum - 1) < 1e-12, "%s on %s: sum %g", names[m], what, sum);
        if (status == PEPA_OK) {
            double scale = p->flow.b ? sum : 1;
            cr_expect(residual * (p->flow.b && sum > 1 ? sum : 1) <= tolerance * 1.0001,
                      "%s on %s: residual %g", names[m], what, residual);
            double off = distance(n, y, p->exact) / scale;
            cr_expect(off <= condition * (residual + 1e-16), "%s on %s: off by %g, residual %g",
                      names[m], what, off, residual);
        } else {
            cr_expect(out.residual > tolerance || p->flow.b, "%s on %s: no, at residual %g",
                      names[m], what, out.residual);
            cr_expect(strstr(err.message, names[m]) || m == 0, "%s: says %s", names[m],
                      err.message);
        }
        try_compact(what, p, m, &control, status, &out, y);
        free(y);
    }
    problem_free(p);
}

Test(methods, two_states)
{
    Problem p = {.n = 2};
    problem_add(&p, 0, 1, 3);
    problem_add(&p, 1, 0, 0.25);
    problem_finish(&p);
    problem_exact(&p, (const long double[]){0.25L, 3});
    try_all("two states", &p, STEADY, 4);
}

Test(methods, birth_and_death)
{
    static const double rho[] = {0.1, 0.5, 0.9, 1, 1.1, 3};
    for (size_t k = 0; k < sizeof rho / sizeof *rho; k++) {
        Problem p = birth_death(60, rho[k], 0, 1);
        try_all("birth and death of 60", &p, STEADY, 1e4);
    }
}

Test(methods, long_birth_and_death)
{
    /* Relaxation takes up to K^2 steps where rho is near 1. */
    static const double rho[] = {0.5, 0.9, 0.999, 1, 1.001};
    for (size_t k = 0; k < sizeof rho / sizeof *rho; k++) {
        Problem p = birth_death(1001, rho[k], 0, 1);
        try_all("M/M/1/1000", &p, SURE | MULTILEVEL | KRYLOV | (rho[k] < 0.6 ? SWEEPS : 0), 1e7);
    }
}

Test(methods, cycles)
{
    static const int32_t sizes[] = {2, 3, 10, 61, 500};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int32_t n = sizes[k];
        Problem with = cycle(n, 1), against = cycle(n, n - 1);
        try_all("cycle", &with, n <= 61 ? STEADY : SURE | MULTILEVEL | SWEEPS | KRYLOV, 1e6);
        try_all("cycle against the order", &against, n <= 10 ? STEADY : SURE | MULTILEVEL, 1e6);
    }
}

Test(methods, reversible_chains)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        Problem p = reversible(1, (int32_t)(100 * seed), 0, seed * 7919);
        try_all("reversible", &p, SURE | MULTILEVEL | SWEEPS | KRYLOV | JACOBI, 1e5);
    }
}

/* The residual says little about the shares of the groups: only the eliminations, which never
 * subtract, must get them right.  That every method's OK is at least true to the contract is
 * checked by the recomputed residual. */
Test(methods, nearly_decomposable)
{
    static const double bonds[] = {1e-4, 1e-8, 1e-12};
    for (size_t k = 0; k < sizeof bonds / sizeof *bonds; k++) {
        Problem p = reversible(5, 60, bonds[k], 42);
        double *y = guess(p.n);
        Outcome out;
        const Control control = {.tolerance = 1e-11};
        cr_assert_eq(solve_flow(PEPA_AUTO, &p.flow, &control, y, &out, NULL), PEPA_OK);
        cr_expect(deviation(p.n, y, p.exact) < 1e-12, "bond %g: deviation %g by %s", bonds[k],
                  deviation(p.n, y, p.exact), out.method);
        free(y);
        try_all("nearly decomposable", &p, AUTO | GTH | MULTILEVEL, 100 * p.n / bonds[k]);
    }
}

Test(methods, walks)
{
    static const double up[] = {1, 0.9, 1.2}, down[] = {1.3, 1, 1.1};
    Problem plane = walk(2, 20, up, down), space = walk(3, 9, up, down);
    try_all("walk in the plane", &plane, STEADY, 1e5);
    try_all("walk in space", &space, STEADY, 1e5);
}

Test(methods, closed_tandem)
{
    /* In this order of states the sweeps have an eigenvalue of modulus 1 besides 1. */
    Problem even = closed_tandem(25, 1, 1, 1), odd = closed_tandem(25, 1, 1.5, 0.8);
    try_all("even closed tandem", &even, STEADY & ~GAUSS_SEIDEL, 1e5);
    try_all("closed tandem", &odd, STEADY & ~GAUSS_SEIDEL, 1e5);
}

Test(methods, visits)
{
    Problem one = ruin_visits(1, 0), few = ruin_visits(7, 2), more = ruin_visits(300, 120);
    try_all("one state's visits", &one, ALL, 10);
    try_all("ruin of 7", &few, ALL, 1e3);
    /* |y|_1 is 2e4 and the residual may not pass 1e-11 in absolute terms: near the rounding. */
    try_all("ruin of 300", &more, SURE | KRYLOV, 1e6);
}

/* The steady state by an LU of the whole singular system with the normalisation added: replaced
 * equations, partial pivoting, another library. */
static void by_gsl(const Flow *flow, double *y)
{
    size_t n = (size_t)flow->n;
    gsl_matrix *a = gsl_matrix_calloc(n, n);
    gsl_vector *rhs = gsl_vector_calloc(n), *x = gsl_vector_alloc(n);
    gsl_permutation *order = gsl_permutation_alloc(n);
    int sign;
    for (size_t i = 0; i + 1 < n; i++) {
        gsl_matrix_set(a, i, i, 1);
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++)
            gsl_matrix_set(a, i, (size_t)flow->col[k], -flow->val[k]);
    }
    for (size_t j = 0; j < n; j++)
        gsl_matrix_set(a, n - 1, j, 1);
    gsl_vector_set(rhs, n - 1, 1);
    gsl_linalg_LU_decomp(a, order, &sign);
    gsl_linalg_LU_solve(a, order, rhs, x);
    for (size_t i = 0; i < n; i++)
        y[i] = gsl_vector_get(x, i);
    gsl_permutation_free(order);
    gsl_vector_free(x);
    gsl_vector_free(rhs);
    gsl_matrix_free(a);
}

Test(methods, agree_with_another_library)
{
    uint64_t seed = 20240607;
    for (int k = 0; k < scaled(10); k++) {
        uint64_t before = seed;
        Problem p = random_chain(2 + random_below(&seed, 120), 3, 2, &seed);
        p.exact = guess(p.n);
        by_gsl(&p.flow, p.exact);
        char what[64];
        snprintf(what, sizeof what, "random chain, seed %llu", (unsigned long long)before);
        /* With 3 random ways out of every state the chain mixes within some hundred steps. */
        try_all(what, &p, SURE | MULTILEVEL | SWEEPS | KRYLOV, 1e4);
    }
}

Test(methods, agree_with_gth)
{
    uint64_t seed = 987654321;
    for (int k = 0; k < scaled(20); k++) {
        uint64_t before = seed;
        Problem p = random_chain(2 + random_below(&seed, 1500), 2, 1, &seed);
        p.exact = guess(p.n);
        Outcome out;
        const Control control = {.tolerance = 1e-13};
        cr_assert_eq(solve_flow(PEPA_GTH, &p.flow, &control, p.exact, &out, NULL), PEPA_OK);
        char what[64];
        snprintf(what, sizeof what, "random chain, seed %llu", (unsigned long long)before);
        try_all(what, &p, SURE | MULTILEVEL | SWEEPS | KRYLOV, 1e4);
    }
}

/* ---- bad numbers, cancelling, limits ------------------------------------------------------ */

Test(methods, no_answer_from_bad_numbers)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e308};
    for (size_t v = 0; v < sizeof bad / sizeof *bad; v++)
        for (int place = 0; place < 2; place++)
            for (int m = 0; m < METHODS; m++) {
                Problem p = place == 0 ? reversible(1, 300, 0, 5) : ruin_visits(300, 3);
                ((double *)p.flow.val)[p.flow.row[p.n] / 2] = bad[v];
                if (place == 1)
                    ((double *)p.flow.b)[7] = bad[v];
                double *y = guess(p.n);
                Outcome out;
                const Control control = {.tolerance = 1e-8, .max_iter = 5000};
                PepaStatus status = solve_flow(methods[m], &p.flow, &control, y, &out, NULL);
                cr_expect(status == PEPA_ENOCONV, "%s with %g: %d", names[m], bad[v], status);
                cr_expect(is_iterate(p.n, y), "%s with %g: y", names[m], bad[v]);
                free(y);
                problem_free(&p);
            }
}

Test(methods, any_guess_will_do)
{
    static const double bad[] = {NAN, INFINITY, -1, 0, 1e308, 1e-320};
    for (size_t v = 0; v < sizeof bad / sizeof *bad; v++)
        for (int m = 0; m < METHODS; m++) {
            Problem p = reversible(1, 300, 0, 5);
            double *y = guess(p.n);
            Outcome out;
            const Control control = {.tolerance = 1e-10};
            for (int32_t i = 0; i < p.n; i++)
                y[i] = bad[v];
            PepaStatus status = solve_flow(methods[m], &p.flow, &control, y, &out, NULL);
            cr_expect(status == PEPA_OK, "%s from %g: %d", names[m], bad[v], status);
            cr_expect(distance(p.n, y, p.exact) < 1e-6);
            free(y);
            problem_free(&p);
        }
}

static int stop(void *user, const PepaProgress *now)
{
    cr_assert_str_eq(now->phase, "solve");
    return ++*(int *)user >= 1;
}

Test(methods, cancel)
{
    for (int m = 0; m < METHODS; m++) {
        Problem p = reversible(1, 500, 0, 11);
        double *y = guess(p.n);
        int calls = 0;
        Outcome out;
        PepaError err;
        const Control control = {.tolerance = 1e-12, .progress = stop, .user = &calls};
        PepaStatus status = solve_flow(methods[m], &p.flow, &control, y, &out, &err);
        cr_expect(status == PEPA_ECANCEL && calls == 1, "%s: %d after %d", names[m], status, calls);
        cr_expect(is_iterate(p.n, y));
        free(y);
        problem_free(&p);
    }
}

Test(methods, few_iterations_are_no_answer)
{
    for (int m = 3; m < METHODS; m++) {
        Problem p = birth_death(400, 0.99, 0, 1);
        double *y = guess(p.n);
        Outcome out;
        PepaError err = {0};
        const Control control = {.tolerance = 1e-13, .max_iter = 2};
        if (methods[m] < PEPA_BICGSTAB)
            cr_expect(solve_flow(methods[m], &p.flow, &control, y, &out, &err) == PEPA_ENOCONV &&
                          out.iterations == 2 && strstr(err.message, "2 s"),
                      "%s: %lld %s", names[m], (long long)out.iterations, err.message);
        cr_expect(is_iterate(p.n, y));
        free(y);
        problem_free(&p);
    }
}

Test(methods, one_state)
{
    const int64_t row[] = {0, 0};
    const double exit[] = {0}, b[] = {1};
    for (int m = 0; m < METHODS; m++)
        for (int with_b = 0; with_b < 2; with_b++) {
            const Flow flow = flow_of(1, row, NULL, NULL, exit, with_b ? b : NULL);
            const Control control = {.tolerance = 1e-15};
            double y = 7;
            Outcome out;
            cr_expect(solve_flow(methods[m], &flow, &control, &y, &out, NULL) == PEPA_OK, "%s",
                      names[m]);
            cr_expect(y == 1 && out.residual == 0);
        }
}
