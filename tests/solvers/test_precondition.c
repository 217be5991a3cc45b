/* Preconditioners: their common interface, and every Krylov method with each of them. */
#include "solvers/krylov/krylov.h"
#include "solvers/problems.h"

static const PepaMethod methods[] = {PEPA_BICGSTAB, PEPA_GMRES, PEPA_IDR, PEPA_AUTO};
enum { METHODS = sizeof methods / sizeof *methods };
static const Method trial = {.name = "krylov", .unit = "steps", .passes = 1};
static const char *const names[] = {"auto", "none", "sweep", "symmetric",
                                    "ilu0", "ilut", "block", "multilevel"};

/* Every name belongs to a preconditioner. */
Test(precondition, names)
{
    cr_assert_eq(sizeof names / sizeof *names, PEPA_PRECONDITION_COUNT);
}

/* ---- one interface -------------------------------------------------------------------------- */

/* w = (I - P') z for what was solved; kinds that do not vary are linear. */
Test(precondition, product_and_linearity)
{
    uint64_t seed = 77;
    for (int with_b = 0; with_b < 2; with_b++) {
        Problem p = with_b ? ruin_visits(700, 31) : random_chain(700, 3, 1, &seed);
        int32_t n = p.n;
        double *y = guess(n), *r = guess(n), *z = guess(n), *w = guess(n), *again = guess(n);
        for (int32_t i = 0; i < n; i++)
            r[i] = i % 2 ? 1 : -1;
        for (int kind = PEPA_PRECONDITION_NONE; kind < PEPA_PRECONDITION_COUNT; kind++) {
            const Control control = {.tolerance = 1e-10};
            Attempt try;
            Preconditioner m;
            cr_assert(attempt_start(&try, &trial, &p.flow, &control, y));
            bool made = precondition_new(&m, (PepaPrecondition)kind, &try);
            cr_assert(made == !(with_b && kind == PEPA_PRECONDITION_MULTILEVEL), "%s", names[kind]);
            if (made) {
                precondition_operate(&m, r, z, w);
                flow_apply(&p.flow, z, again);
                cr_expect(distance(n, w, again) < 1e-9 * n, "%s: %g", names[kind],
                          distance(n, w, again));
                precondition_solve(&m, r, again);
                cr_expect(distance(n, z, again) == 0, "%s", names[kind]);
                for (int32_t i = 0; i < n; i++)
                    w[i] = -3 * r[i];
                precondition_solve(&m, w, again);
                double size = 0;
                for (int32_t i = 0; i < n; i++) {
                    size += fabs(z[i]);
                    z[i] *= -3;
                }
                cr_expect(distance(n, z, again) < 1e-12 * size || precondition_varies(m.kind), "%s",
                          names[kind]);
            } else {
                cr_expect(try.why != NULL);
            }
            precondition_free(&m);
        }
        free(y);
        free(r);
        free(z);
        free(w);
        free(again);
        problem_free(&p);
    }
}

/* ---- methods -------------------------------------------------------------------------------- */

/* Each method with each preconditioner and either form of rows: an answer that stands up to
 * recomputation, or a clear no.
 *   sure  bit k: all methods must solve it with preconditioner k */
static void try_all(const char *what, Problem *p, unsigned sure, double condition)
{
    const double tolerance = 1e-10;
    Flow compact;
    bool few = compact_new(&p->flow, &compact);
    for (int m = 0; m < METHODS; m++)
        for (int kind = 0; kind < PEPA_PRECONDITION_COUNT; kind++) {
            const Control control = {.tolerance = tolerance,
                                     .max_iter = 3000,
                                     .precondition = (PepaPrecondition)kind};
            double *y = guess(p->n), *z = guess(p->n);
            Outcome out, again;
            PepaError err = {0};
            PepaStatus status = solve_flow(methods[m], &p->flow, &control, y, &out, &err);
            double residual = recomputed_residual(&p->flow, y);
            const char *how = pepa_method_name(methods[m]);
            bool must_solve = methods[m] == PEPA_AUTO || (sure >> kind & 1);
            cr_expect(is_iterate(p->n, y), "%s: %s, %s", what, how, names[kind]);
            cr_expect(status == PEPA_OK || (!must_solve && status == PEPA_ENOCONV),
                      "%s: %s, %s: %d %s", what, how, names[kind], status, err.message);
            cr_expect(fabs(out.residual - residual) <= 1e-15 + 1e-6 * residual, "%s: %s, %s", what,
                      how, names[kind]);
            if (status == PEPA_OK) {
                cr_expect(residual <= tolerance * 1.0001, "%s: %s, %s: residual %g", what, how,
                          names[kind], residual);
                double sum = 0;
                for (int32_t i = 0; i < p->n; i++)
                    sum += y[i];
                double off = distance(p->n, y, p->exact) / sum;
                cr_expect(off <= condition * (residual + 1e-16), "%s: %s, %s: off by %g", what, how,
                          names[kind], off);
            } else {
                cr_expect(strstr(err.message, how), "%s", err.message);
            }
            if (few) {
                PepaStatus same = solve_flow(methods[m], &compact, &control, z, &again, NULL);
                cr_expect(same == status && again.iterations == out.iterations &&
                              memcmp(y, z, (size_t)p->n * sizeof *y) == 0,
                          "%s: %s, %s: compact rows differ", what, how, names[kind]);
            }
            free(y);
            free(z);
        }
    compact_free(&compact);
    problem_free(p);
}

#define BIT(kind) (1u << PEPA_PRECONDITION_##kind)
enum {
    FACTORS = BIT(ILU0) | BIT(ILUT) | BIT(BLOCK) | BIT(AUTO),
    SWEEPS = BIT(SWEEP) | BIT(SYMMETRIC),
    LEVELS = BIT(MULTILEVEL),
    EVERY = FACTORS | SWEEPS | LEVELS | BIT(NONE)
};

/* Fewer states than shadows, and than a coarsest level has. */
Test(precondition, few_states)
{
    for (int32_t n = 2; n <= 9; n++) {
        Problem p = birth_death(n, 0.7, 0, 1);
        try_all("few states", &p, EVERY, 1e3);
    }
}

Test(precondition, walks)
{
    static const double even[] = {1, 1, 1}, down[] = {1.02, 1, 1.01};
    Problem plane = walk(2, 50, even, down), space = walk(3, 14, even, down);
    try_all("plane", &plane, EVERY, 1e5);
    try_all("space", &space, EVERY, 1e5);
}

Test(precondition, closed_tandem)
{
    Problem p = closed_tandem(50, 1, 1.02, 0.98);
    try_all("closed tandem", &p, EVERY, 1e5);
}

Test(precondition, lines)
{
    static const double rho[] = {0.3, 0.99, 1, 2};
    for (size_t k = 0; k < sizeof rho / sizeof *rho; k++) {
        Problem p = birth_death(1000, rho[k], 0, 1);
        try_all("line", &p, FACTORS, 1e8);
    }
}

/* Periodic. */
Test(precondition, cycles)
{
    Problem with = cycle(300, 1), against = cycle(300, 299);
    try_all("cycle", &with, FACTORS | SWEEPS, 1e6);
    try_all("cycle against the order", &against, FACTORS, 1e6);
}

/* Rates over twelve orders of magnitude, beside GTH: where the residual is small but the error is
 * not, the condition says so; with iterative methods there is no more to promise. */
Test(precondition, stiff)
{
    uint64_t seed = 20240607;
    for (int k = 0; k < 3; k++) {
        Problem p = random_chain(400, 3, 12, &seed);
        p.exact = guess(p.n);
        Outcome out;
        const Control control = {.tolerance = 1e-14};
        cr_assert_eq(solve_flow(PEPA_GTH, &p.flow, &control, p.exact, &out, NULL), PEPA_OK);
        try_all("stiff", &p, 0, 1e13);
    }
}

/* Groups of just the size of blocks. */
Test(precondition, nearly_decomposable)
{
    static const double bonds[] = {1e-4, 1e-8, 1e-12};
    for (size_t k = 0; k < sizeof bonds / sizeof *bonds; k++) {
        Problem p = reversible(6, MOST_BLOCK, bonds[k], 42);
        try_all("nearly decomposable", &p, FACTORS, 100 * p.n / bonds[k]);
    }
}

Test(precondition, visits)
{
    Problem few = ruin_visits(7, 2), more = ruin_visits(200, 120);
    try_all("ruin of 7", &few, EVERY & ~LEVELS, 1e3);
    try_all("ruin of 200", &more, FACTORS, 1e6);
}

Test(precondition, levels_are_for_steady_states)
{
    Problem p = ruin_visits(200, 20);
    double *y = guess(p.n);
    const Control control = {.tolerance = 1e-10, .precondition = PEPA_PRECONDITION_MULTILEVEL};
    Outcome out;
    PepaError err;
    cr_expect(solve_flow(PEPA_IDR, &p.flow, &control, y, &out, &err) == PEPA_ENOCONV);
    cr_expect(strstr(err.message, "steady states only"), "%s", err.message);
    free(y);
    problem_free(&p);
}

/* Levels make the number of steps all but independent of the number of states. */
Test(precondition, levels_scale)
{
    static const double even[] = {1, 1}, down[] = {1.01, 1};
    for (int m = 0; m < METHODS - 1; m++)
        for (int32_t side = 30; side <= 120; side *= 2) {
            Problem p = walk(2, side, even, down);
            double *y = guess(p.n);
            const Control control = {.tolerance = 1e-10,
                                     .precondition = PEPA_PRECONDITION_MULTILEVEL};
            Outcome out;
            PepaError err = {0};
            cr_expect(solve_flow(methods[m], &p.flow, &control, y, &out, &err) == PEPA_OK, "%s",
                      err.message);
            cr_expect(out.iterations < 80, "%s: %lld", out.method, (long long)out.iterations);
            free(y);
            problem_free(&p);
        }
}

Test(precondition, memory)
{
    static const double even[] = {1, 1, 1}, down[] = {1.02, 1, 1.01};
    Problem p = walk(3, 14, even, down);
    for (int m = 0; m < METHODS - 1; m++)
        for (int kind = 0; kind < PEPA_PRECONDITION_COUNT; kind++) {
            double *y = guess(p.n);
            const Control control = {.tolerance = 1e-10,
                                     .memory = 1,
                                     .precondition = (PepaPrecondition)kind};
            Outcome out;
            PepaError err = {0};
            cr_expect(solve_flow(methods[m], &p.flow, &control, y, &out, &err) == PEPA_ELIMIT);
            cr_expect(strstr(err.message, out.method) && err.limit == PEPA_LIMIT_MEMORY, "%s",
                      err.message);
            cr_expect(is_iterate(p.n, y));
            free(y);
        }
    problem_free(&p);
}

static int stop(void *user, const PepaProgress *now)
{
    return now->count >= 0 && ++*(int *)user >= 1;
}

Test(precondition, cancel)
{
    for (int m = 0; m < METHODS; m++)
        for (int kind = 0; kind < PEPA_PRECONDITION_COUNT; kind++) {
            Problem p = reversible(1, 500, 0, 11);
            double *y = guess(p.n);
            int calls = 0;
            Outcome out;
            const Control control = {.tolerance = 1e-12,
                                     .progress = stop,
                                     .user = &calls,
                                     .precondition = (PepaPrecondition)kind};
            PepaStatus status = solve_flow(methods[m], &p.flow, &control, y, &out, NULL);
            cr_expect(status == PEPA_ECANCEL && calls == 1);
            cr_expect(is_iterate(p.n, y));
            free(y);
            problem_free(&p);
        }
}

Test(precondition, no_answer_from_bad_numbers)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e308};
    for (size_t v = 0; v < sizeof bad / sizeof *bad; v++)
        for (int m = 0; m < METHODS; m++)
            for (int kind = 0; kind < PEPA_PRECONDITION_COUNT; kind++) {
                Problem p = reversible(1, 300, 0, 5);
                ((double *)p.flow.val)[p.flow.row[p.n] / 2] = bad[v];
                double *y = guess(p.n);
                Outcome out;
                const Control control = {.tolerance = 1e-8,
                                         .max_iter = 2000,
                                         .precondition = (PepaPrecondition)kind};
                PepaStatus status = solve_flow(methods[m], &p.flow, &control, y, &out, NULL);
                cr_expect(status == PEPA_ENOCONV, "%s, %s, %g: %d", pepa_method_name(methods[m]),
                          names[kind], bad[v], status);
                cr_expect(is_iterate(p.n, y));
                free(y);
                problem_free(&p);
            }
}
