/* Distributions and measures at random times against the exponential of the dense generator. */
#include "pepa_transient.h"

#include "property/dense.h"
#include "property/engine_run.h"
#include "property/room.h"
#include "property/seeds.h"
#include "property/stiff_model.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { MODELS = 300, STATES = 90, TIMES = 3 };

/* A chain, and what it should do. */
typedef struct {
    PepaModel *model;
    PepaChain *chain;
    PepaChainInfo info;
    long double *rate;
    double time[TIMES];
    double slack, bound; /* error of these numbers; what the library's may be */
    long double *p[TIMES], *spent[TIMES];
} Exact;

/* jumps[j]: how many the fastest state has until time j, in the mean. */
static void find_exact(Exact *e, const double *jumps)
{
    PepaTransitions t = {0};
    const size_t n = (size_t)e->info.states;
    double fast = 0;
    (void)pepa_chain_transitions(e->chain, &t, NULL);
    e->rate = room(n * n, sizeof *e->rate);
    for (size_t s = 0; s < n; s++) {
        double out = 0;
        for (int64_t k = t.row[s]; k < t.row[s + 1]; k++) {
            e->rate[s * n + (size_t)t.target[k]] += pepa_transition_rate(&t, k);
            out += pepa_transition_rate(&t, k);
        }
        fast = fmax(fast, out);
    }
    for (int j = 0; j < TIMES; j++) {
        e->time[j] = fast > 0 ? jumps[j] / fast : j;
        e->p[j] = room(n, sizeof **e->p);
        e->spent[j] = room(n, sizeof **e->spent);
        dense_transient(e->rate, n, 0, e->time[j], e->p[j], e->spent[j]);
    }
    e->slack = 1e-13 + 4e-19 * (double)n * jumps[TIMES - 1];
    e->bound = 2e-10 + 40 * DBL_EPSILON * jumps[TIMES - 1]; /* rows of few entries */
}

static bool distributions_agree(const Exact *e, Text *why)
{
    const size_t n = (size_t)e->info.states;
    double *p = room(n, sizeof *p);
    bool right = true;
    for (int j = 0; j < TIMES && right; j++) {
        PepaTransientInfo info;
        PepaStatus status = pepa_transient_distribution(e->chain, e->time[j], NULL, p, &info, NULL);
        long double apart = 0;
        for (size_t i = 0; i < n; i++)
            apart += fabsl(p[i] - e->p[j][i]);
        right = status == PEPA_OK && apart <= info.error_bound + e->slack &&
                info.error_bound < e->bound;
        if (!right)
            (void)engine_differs(why, "time %g: status %d, off by %Lg, bound %g", e->time[j],
                                 status, apart, info.error_bound);
    }
    mem_free(p);
    return right;
}

/* What the exact numbers make of all throughputs and populations, in the order of the text. */
static void exact_measures(const Exact *e, const long double *p, double *value)
{
    PepaTransitions t = {0};
    int32_t *count = room((size_t)e->info.counts, sizeof *count);
    (void)pepa_chain_transitions(e->chain, &t, NULL);
    memset(value, 0, (size_t)(e->info.actions + e->info.local_states) * sizeof *value);
    for (int32_t s = 0; s < e->info.states; s++) {
        for (int64_t k = t.row[s]; k < t.row[s + 1]; k++)
            value[pepa_transition_action(&t, k)] += (double)(p[s] * pepa_transition_rate(&t, k));
        cr_assert_eq(pepa_chain_state_counts(e->chain, s, count, NULL), PEPA_OK);
        for (int32_t i = 0, at = 0; i < e->info.positions; i++) {
            PepaPosition position = pepa_chain_position(e->chain, i);
            for (int32_t l = 0; l < position.local_count; l++, at++)
                value[e->info.actions + position.local[l]] += (double)(p[s] * count[at]);
        }
    }
    mem_free(count);
}

static PepaMeasures *all_measures(const Exact *e)
{
    Text text = {0};
    PepaMeasures *measures = NULL;
    for (int32_t a = 0; a < e->info.actions; a++)
        text_add(&text, "throughput:\"%s\"\n", pepa_chain_action_name(e->chain, a));
    for (int32_t l = 0; l < e->info.local_states; l++)
        text_add(&text, "population:\"%s\"\n", pepa_chain_local_name(e->chain, l));
    PepaError err = {0};
    cr_assert_eq(pepa_measures_new(&measures, e->model, &err), PEPA_OK);
    cr_assert_eq(pepa_measures_add(measures, "all", text.text, text.length, NULL, NULL, &err),
                 PEPA_OK, "%s", err.message);
    text_free(&text);
    return measures;
}

/* On the chain, or on another of the same model. */
static bool measures_agree(const Exact *e, const PepaChain *chain, const PepaMeasures *measures,
                           bool accumulated, Text *why)
{
    const size_t count = (size_t)pepa_measures_count(measures);
    double *value = room(TIMES * count, sizeof *value), *want = room(count, sizeof *want);
    PepaTransientInfo info = {0};
    PepaTransient at = {.time = e->time, .count = TIMES, .accumulated = accumulated};
    PepaStatus status = pepa_transient_measures(chain, measures, &at, NULL, value, &info, NULL);
    bool right = status == PEPA_OK;
    for (int j = 0; j < TIMES && right; j++) {
        exact_measures(e, accumulated ? e->spent[j] : e->p[j], want);
        double largest = 1; /* what a state can contribute */
        for (size_t i = 0; i < count; i++)
            largest = fmax(largest, want[i]);
        for (size_t s = 0; s < (size_t)(e->info.states * e->info.states); s++)
            largest = fmax(largest, (double)e->rate[s] * e->info.actions);
        for (size_t i = 0; i < count && right; i++) {
            double slack = largest * 40 * (info.error_bound + e->slack);
            right = fabs(value[(size_t)j * count + i] - want[i]) <= slack;
            if (!right)
                (void)engine_differs(why, "%s at %g%s: %.17g, should be %.17g (slack %g)",
                                     pepa_measures_name(measures, (int32_t)i), e->time[j],
                                     accumulated ? " accumulated" : "",
                                     value[(size_t)j * count + i], want[i], slack);
        }
    }
    if (status != PEPA_OK)
        (void)engine_differs(why, "status %d", status);
    mem_free_all(value, want);
    return right;
}

static bool all_agree(const Exact *e, Text *why)
{
    PepaMeasures *measures = all_measures(e);
    const PepaSettings set = {.derive.explore = PEPA_SYMBOLIC};
    PepaChain *sets = NULL;
    bool right = distributions_agree(e, why);
    PepaStatus suits = pepa_chain_derive(&sets, e->model, &set, NULL);
    for (int accumulated = 0; accumulated < 2 && right; accumulated++)
        right = measures_agree(e, e->chain, measures, accumulated, why) &&
                (suits != PEPA_OK || measures_agree(e, sets, measures, accumulated, why));
    pepa_chain_free(sets);
    pepa_measures_free(measures);
    return right;
}

static void exact_free(Exact *e)
{
    for (int j = 0; j < TIMES; j++)
        mem_free_all(e->p[j], e->spent[j]);
    mem_free(e->rate);
    pepa_chain_free(e->chain);
    pepa_model_free(e->model);
}

static bool derive(Exact *e, const Text *text)
{
    PepaError err;
    if (pepa_model_parse(&e->model, "random", text->text, text->length, NULL, &err) != PEPA_OK ||
        pepa_chain_derive(&e->chain, e->model, NULL, &err) != PEPA_OK)
        return false;
    e->info = pepa_chain_info(e->chain);
    return e->info.states <= STATES;
}

static void check(Seeds *all, uint64_t seed)
{
    RefModel model = seeds_model(seed, STATES);
    Text text = ref_model_print(&model, (RefPrinting){0}), why = {0};
    Exact e = {0};
    if (derive(&e, &text)) {
        double jumps[TIMES]; /* from a hundredth to some thousand */
        for (int j = 0; j < TIMES; j++)
            jumps[j] = pow(10, -2 + 2 * j + 0.1 * (double)(seed % 17));
        find_exact(&e, jumps);
        if (!all_agree(&e, &why))
            seeds_fail(all, seed, why.text ? why.text : "", text.text);
    }
    exact_free(&e);
    text_free(&text);
    text_free(&why);
    ref_model_free(&model);
}

/* Up to some million jumps: Laguerre series for most of it. */
static int64_t check_stiff(Seeds *all, uint64_t seed)
{
    uint64_t state = seed * 77 + 5;
    const double jumps[TIMES] = {40, 3e5, pow(10, 5.7 + 0.1 * (double)(seed % 10))};
    Text text = stiff_model(&state, 3 + random_below(&state, 25)), why = {0};
    Exact e = {0};
    PepaTransientInfo info = {0};
    double p[STATES];
    if (derive(&e, &text)) {
        find_exact(&e, jumps);
        if (!all_agree(&e, &why))
            seeds_fail(all, seed, why.text ? why.text : "", text.text);
        (void)pepa_transient_distribution(e.chain, e.time[TIMES - 1], NULL, p, &info, NULL);
    }
    exact_free(&e);
    text_free(&text);
    text_free(&why);
    return info.solves;
}

SHARDED_TEST(transient, random_models)
{
    seeds_check(*shard, MODELS, check);
}

SHARDED_TEST(transient, stiff_chains)
{
    Seeds all = seeds(*shard, MODELS);
    uint64_t seed;
    int models = 0, series = 0;
    for (; seeds_next(&all, &seed); models++)
        series += check_stiff(&all, seed) > 0;
    cr_assert_eq(all.failures, 0);
    cr_expect(models < 20 || series * 5 > models, "series for %d of %d models", series, models);
}
