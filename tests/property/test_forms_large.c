/* Chains that are large enough for threads to share the sweeps, and for compact rows. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "family_text.h"
#include "property/engine_run.h"
#include "scale.h"

/* A million entries and more, some milliseconds a sweep; unless LONG=1 a tenth of that, which threads share too. */
static const char *const large[] = {"pipeline 12", "tandem 511", "kanban 4"};
static const char *const smaller[] = {"pipeline 10", "tandem 255", "kanban 3"};
enum { FAMILIES = sizeof large / sizeof *large, THREADS = 3 };

/* `auto` keeps few entries explicit. */
static PepaMatrixForm compact(void)
{
    return run_is_long() ? PEPA_MATRIX_AUTO : PEPA_MATRIX_COMPACT;
}

static EngineRun explored(const char *what, PepaExplore explore, int threads)
{
    PepaSettings set = {0};
    if (explore == PEPA_EXPLICIT)
        set.solve.matrix = compact();
    set.derive.explore = explore;
    set.threads = threads;
    set.solve.tolerance = 1e-11;
    EngineRun run = engine_run(family_text(what), NULL, &set);
    cr_assert_eq(run.status, PEPA_OK, "%s: %s", what, run.err.message);
    cr_assert_eq(run.info.symbolic, explore != PEPA_EXPLICIT);
    return run;
}

static double *copy_of(const double *pi, int64_t n)
{
    double *copy = malloc((size_t)n * sizeof *copy);
    cr_assert(copy != NULL);
    memcpy(copy, pi, (size_t)n * sizeof *copy);
    return copy;
}

/* Solved again in another way: the same bits as before. */
static void expect_same_bits(EngineRun *run, PepaMethod method, PepaMatrixForm form, int threads,
                             const double *pi, const char *matrix)
{
    PepaSettings set = {0};
    set.solve.tolerance = 1e-11;
    set.solve.method = method;
    set.solve.matrix = form;
    set.threads = threads;
    engine_solve(run, &set);
    cr_assert_eq(run->status, PEPA_OK, "%s: %s", pepa_method_name(method), run->err.message);
    cr_expect_str_eq(run->solver.matrix, matrix);
    cr_expect_eq(memcmp(run->pi, pi, (size_t)run->info.states * sizeof *pi), 0,
                 "%s, %d threads: not the same bits", pepa_method_name(method), threads);
}

/* The method by name, by rows: the bits of one thread, whatever the number. */
static void expect_same_by_threads(EngineRun *run, PepaMethod method)
{
    PepaSettings set = {0};
    set.solve.tolerance = 1e-11;
    set.solve.method = method;
    set.solve.matrix = compact();
    engine_solve(run, &set);
    cr_assert_eq(run->status, PEPA_OK, "%s: %s", pepa_method_name(method), run->err.message);
    double *one = copy_of(run->pi, run->info.states);
    for (int threads = 2; threads <= THREADS; threads++)
        expect_same_bits(run, method, compact(), threads, one, "compact");
    free(one);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The states have other numbers. */
static void expect_same_probabilities(const EngineRun *a, const EngineRun *b)
{
    double *x = copy_of(a->pi, a->info.states), *y = copy_of(b->pi, b->info.states), off = 0;
    qsort(x, (size_t)a->info.states, sizeof *x, by_value);
    qsort(y, (size_t)b->info.states, sizeof *y, by_value);
    for (int32_t s = 0; s < a->info.states; s++)
        off += fabs(x[s] - y[s]);
    cr_expect_leq(off, 1e-8, "off by %g", off);
    free(x);
    free(y);
}

static void expect_same_chain(const EngineRun *a, const EngineRun *b)
{
    cr_assert_eq(a->info.states, b->info.states);
    cr_expect_eq(a->info.transitions, b->info.transitions);
    cr_expect(a->info.deadlocks == 0 && b->info.deadlocks == 0);
    cr_expect(a->info.bottom_components == 1 && b->info.bottom_components == 1);
    cr_assert_eq(a->info.actions, b->info.actions);
    for (int32_t i = 0; i < a->info.actions; i++)
        cr_expect(engine_same(a->throughput[i], b->throughput[i]), "%s: %.15g, %.15g",
                  pepa_chain_action_name(a->chain, i), a->throughput[i], b->throughput[i]);
    expect_same_probabilities(a, b);
}

ParameterizedTestParameters(forms, large_families)
{
    static int each[FAMILIES];
    for (int i = 0; i < FAMILIES; i++)
        each[i] = i;
    return cr_make_param_array(int, each, FAMILIES);
}

ParameterizedTest(int *each, forms, large_families)
{
    const char *what = (run_is_long() ? large : smaller)[*each];
    EngineRun sets = explored(what, PEPA_EXPLORE_AUTO, 1);
    EngineRun plain = explored(what, PEPA_EXPLICIT, 1);
    cr_expect_str_eq(sets.solver.matrix, "free");
    cr_expect_str_eq(plain.solver.matrix, "compact");
    expect_same_chain(&sets, &plain);
    double *pi = copy_of(sets.pi, sets.info.states), *one = copy_of(plain.pi, plain.info.states);
    for (int threads = 2; threads <= THREADS; threads++)
        expect_same_bits(&sets, PEPA_AUTO, PEPA_MATRIX_AUTO, threads, pi, "free");
    expect_same_bits(&sets, PEPA_AUTO, PEPA_MATRIX_FREE, THREADS, pi, "free");
    expect_same_bits(&plain, PEPA_AUTO, PEPA_MATRIX_EXPLICIT, THREADS, one, "explicit");
    expect_same_bits(&plain, PEPA_AUTO, PEPA_MATRIX_COMPACT, 2, one, "compact");
    expect_same_by_threads(&plain, PEPA_MULTILEVEL);
    expect_same_by_threads(&plain, PEPA_BICGSTAB);
    if (!strstr(what, "tandem")) { /* which takes thousands of sweeps */
        expect_same_by_threads(&plain, PEPA_GAUSS_SEIDEL);
        expect_same_by_threads(&plain, PEPA_SOR);
    }
    EngineRun again = explored(what, PEPA_EXPLICIT, THREADS);
    cr_expect_eq(memcmp(again.pi, one, (size_t)again.info.states * sizeof *one), 0);
    free(one);
    free(pi);
    engine_run_free(&again);
    engine_run_free(&plain);
    engine_run_free(&sets);
}
