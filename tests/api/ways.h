/* Models explored and solved through the public header, in any way, and their answers compared. */
#ifndef PEPA_TESTS_WAYS_H
#define PEPA_TESTS_WAYS_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "family_text.h"
#include "parsing.h"

static inline void *room(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    cr_assert(p != NULL);
    return p;
}

static inline PepaModel *family(const char *what)
{
    return parse(family_text(what));
}

static inline PepaSettings settings(PepaExplore explore, int aggregate)
{
    PepaSettings set = {0};
    set.derive.explore = explore;
    set.derive.separate_copies = !aggregate;
    set.solve.tolerance = 1e-12;
    return set;
}

/* ---- answers ------------------------------------------------------------------------------- */

typedef struct {
    PepaChain *chain;
    PepaChainInfo info;
    PepaInfo how;
    double *pi, *throughput, *share, *population;
} Answer;

static inline void solve(Answer *a, const PepaSettings *set)
{
    PepaError err = {0};
    cr_assert_eq(pepa_solve_steady(a->chain, set, a->pi, &a->how, &err), PEPA_OK, "%s: %s",
                 pepa_method_name(set->solve.method), err.message);
    cr_assert(a->how.residual <= set->solve.tolerance && a->how.method && a->how.seconds >= 0);
    pepa_throughputs(a->chain, a->pi, a->throughput);
    cr_assert_eq(pepa_utilisations(a->chain, a->pi, a->share, &err), PEPA_OK);
    cr_assert_eq(pepa_populations(a->chain, a->pi, a->population, &err), PEPA_OK);
}

static inline void derive(Answer *a, const PepaModel *model, const PepaSettings *set)
{
    PepaError err = {0};
    *a = (Answer){0};
    cr_assert_eq(pepa_chain_derive(&a->chain, model, set, &err), PEPA_OK, "%s", err.message);
    a->info = pepa_chain_info(a->chain);
    a->pi = room((size_t)a->info.states, sizeof *a->pi);
    a->throughput = room((size_t)a->info.actions, sizeof *a->throughput);
    a->share = room((size_t)a->info.counts, sizeof *a->share);
    a->population = room((size_t)a->info.local_states, sizeof *a->population);
}

static inline void answer_free(Answer *a)
{
    pepa_chain_free(a->chain);
    free(a->pi);
    free(a->throughput);
    free(a->share);
    free(a->population);
}

static inline void expect_near(const double *a, const double *b, int32_t count, const char *what)
{
    for (int32_t i = 0; i < count; i++)
        cr_assert(fabs(a[i] - b[i]) <= 1e-9 * fmax(fabs(b[i]), 1e-3), "%s %d: %.15g, %.15g", what,
                  i, a[i], b[i]);
}

/* Sizes, names and numbers; not the numbers of states. */
static inline void expect_same(const Answer *a, const Answer *b)
{
    PepaChainInfo got = a->info, want = b->info;
    cr_assert(got.states == want.states && got.transitions == want.transitions);
    cr_assert(got.deadlocks == want.deadlocks && got.bottom_components == want.bottom_components);
    cr_assert(got.actions == want.actions && got.positions == want.positions);
    cr_assert(got.local_states == want.local_states && got.counts == want.counts);
    cr_assert_eq(got.aggregated, want.aggregated);
    for (int32_t i = 0; i < want.actions; i++)
        cr_assert_str_eq(pepa_chain_action_name(a->chain, i), pepa_chain_action_name(b->chain, i));
    for (int32_t i = 0; i < want.local_states; i++)
        cr_assert_str_eq(pepa_chain_local_name(a->chain, i), pepa_chain_local_name(b->chain, i));
    expect_near(a->throughput, b->throughput, want.actions, "throughput");
    expect_near(a->share, b->share, want.counts, "share");
    expect_near(a->population, b->population, want.local_states, "population");
}

/* Small ones of all families. */
static const struct {
    const char *what;
    int aggregate;
} cases[] = {{"pipeline 5", 0}, {"clients 6", 1}, {"clients 4", 0},
             {"tandem 8", 0},   {"kanban 1", 0},  {"kanban 2", 1},
             {"polling 6", 0},  {"cluster 3", 1}, {"webserver 2", 0}};
enum { CASES = sizeof cases / sizeof *cases };

/* Rates of every kind but functional ones; n is a number of copies. */
static const char rated[] = "r = 1; s = 2; n = 3; P = (a, r).Q + (b, s).Q; Q = (c, r + s).R;\n"
                            "R = (d, 1).P; X = (a, min(r, s)).Y; Y = (e, 2 * r).X;\n"
                            "P[n] <a> (X || X || X)";

#endif
