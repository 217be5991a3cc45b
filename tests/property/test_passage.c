/* Passage times in random models against dense matrices in which a passage ends in a state of its
 * own: probabilities by the exponential, moments by elimination.  Of stiff chains they take series. */
#include "pepa_passage.h"

#include "property/dense.h"
#include "property/engine_run.h"
#include "property/room.h"
#include "property/seeds.h"
#include "property/stiff_model.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { MODELS = 300, STATES = 80, TIMES = 3 };

typedef struct {
    PepaModel *model;
    PepaChain *chain, *sets; /* sets: NULL if the model does not suit */
    PepaTransitions t;
    size_t n;
    const char *from, *to;     /* actions; from NULL: the initial state */
    long double *rate, *until; /* n x n; (n + 1) x (n + 1), with the end as the last state */
    long double *start;
    long double ends, mean, square; /* square: the mean of T^2 */
    bool surely;                    /* it ends from wherever it may get to */
} Exact;

static bool is(const Exact *e, int64_t k, const char *action)
{
    return strcmp(pepa_chain_action_name(e->chain, pepa_transition_action(&e->t, k)), action) == 0;
}

/* False: the passage never starts. */
static bool find_start(Exact *e)
{
    if (!e->from) {
        e->start[0] = 1;
        return true;
    }
    long double *pi = room(e->n, sizeof *pi), sum = 0;
    dense_long_run(e->rate, e->n, 0, pi);
    for (size_t s = 0; s < e->n; s++)
        for (int64_t k = e->t.row[s]; k < e->t.row[s + 1]; k++)
            if (is(e, k, e->from)) {
                e->start[e->t.target[k]] += pi[s] * pepa_transition_rate(&e->t, k);
                sum += pi[s] * pepa_transition_rate(&e->t, k);
            }
    for (size_t s = 0; s < e->n && sum > 0; s++)
        e->start[s] /= sum;
    mem_free(pi);
    return sum > 0;
}

/* Solve x (D - R) = b for the states of `in`, R their rates among each other and D what leaves. */
static void solve_left(const Exact *e, const bool *in, const long double *b, long double *x)
{
    const size_t n = e->n, m = n + 1;
    long double *a = room(n * n, sizeof *a);
    for (size_t i = 0; i < n; i++) {
        x[i] = in[i] ? b[i] : 0;
        for (size_t j = 0; j < m; j++) {
            if (j < n && in[i] && in[j] && i != j)
                a[j * n + i] = -e->until[i * m + j]; /* transposed */
            if (j != i)
                a[i * n + i] += in[i] ? e->until[i * m + j] : 0;
        }
        a[i * n + i] += !in[i];
    }
    for (size_t k = 0; k < n; k++) /* column diagonally dominant: no pivots are needed */
        for (size_t i = k + 1; i < n; i++) {
            long double f = a[i * n + k] / a[k * n + k];
            for (size_t j = k; j < n && f != 0; j++)
                a[i * n + j] -= f * a[k * n + j];
            x[i] -= f * x[k];
        }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; j++)
            x[k] -= a[k * n + j] * x[j];
        x[k] /= a[k * n + k];
    }
    mem_free(a);
}

static void find_moments(Exact *e)
{
    const size_t n = e->n, m = n + 1;
    bool *reach = room(m * m, sizeof *reach), *in = room(n, sizeof *in);
    long double *v = room(n, sizeof *v), *w = room(n, sizeof *w);
    dense_reach(e->until, m, reach);
    e->surely = true;
    for (size_t i = 0; i < n; i++) {
        bool may = false;
        for (size_t s = 0; s < n; s++)
            may = may || (e->start[s] > 0 && reach[s * m + i]);
        in[i] = may && reach[i * m + n];
        e->surely = e->surely && (!may || reach[i * m + n]);
    }
    solve_left(e, in, e->start, v);
    solve_left(e, in, v, w);
    for (size_t i = 0; i < n; i++) {
        e->mean += v[i];
        e->square += 2 * w[i];
        e->ends += v[i] * e->until[i * m + n];
    }
    mem_free_all(reach, in, v, w);
}

static bool find_exact(Exact *e)
{
    const size_t n = e->n, m = n + 1;
    e->rate = room(n * n, sizeof *e->rate);
    e->until = room(m * m, sizeof *e->until);
    e->start = room(m, sizeof *e->start);
    for (size_t s = 0; s < n; s++)
        for (int64_t k = e->t.row[s]; k < e->t.row[s + 1]; k++) {
            size_t to = is(e, k, e->to) ? n : (size_t)e->t.target[k];
            e->rate[s * n + (size_t)e->t.target[k]] += pepa_transition_rate(&e->t, k);
            e->until[s * m + to] += pepa_transition_rate(&e->t, k);
        }
    if (!find_start(e))
        return false;
    find_moments(e);
    return true;
}

/* P(T <= t): the exponential from each state that it may start in. */
static long double probability(const Exact *e, double t)
{
    const size_t m = e->n + 1;
    long double *p = room(m, sizeof *p), *spent = room(m, sizeof *spent), sum = 0;
    for (size_t s = 0; s < e->n; s++) {
        if (e->start[s] == 0)
            continue;
        dense_transient(e->until, m, s, t, p, spent);
        sum += e->start[s] * p[e->n];
    }
    mem_free_all(p, spent);
    return sum;
}

static const char *origin(const Exact *e)
{
    return e->from ? e->from : "the start";
}

static bool moments_agree(const Exact *e, PepaPassage *passage, Text *why)
{
    PepaPassageMoments m;
    PepaError err = {0};
    if (pepa_passage_moments(passage, &m, &err) != PEPA_OK)
        return err.code == PEPA_ENOCONV || engine_differs(why, "moments: %s", err.message);
    const double variance = (double)(e->square - e->mean * e->mean), digits = 1e-7;
    bool right = fabs(m.ends - (double)e->ends) <= 1e-8;
    if (e->surely)
        right = right && fabs(m.mean - (double)e->mean) <= digits * (double)e->mean &&
                fabs(m.variance - variance) <= digits * (double)e->square;
    else
        right = right && isinf(m.mean) && isinf(m.variance);
    return right ||
           engine_differs(why,
                          "%s to %s: ends %.12g mean %.12g variance %.12g, not "
                          "%.12Lg, %.12Lg, %.12g",
                          origin(e), e->to, m.ends, m.mean, m.variance, e->ends, e->mean, variance);
}

static bool passage_agrees(const Exact *e, const PepaChain *chain, const double *time,
                           const long double *want, Text *why)
{
    PepaPassage *passage = NULL;
    PepaError err = {0};
    PepaSettings set = engine_settings();
    const size_t states = (size_t)pepa_chain_info(chain).states;
    double *pi = room(states, sizeof *pi);
    const PepaPassageEnds ends = {.from_start = !e->from,
                                  .from_action = &e->from,
                                  .from_actions = e->from ? 1 : 0,
                                  .to_action = &e->to,
                                  .to_actions = 1};
    set.solve.tolerance = 1e-12;
    PepaStatus status = e->from ? pepa_solve_steady(chain, &set, pi, NULL, &err) : PEPA_OK;
    bool right = true;
    if (status == PEPA_OK)
        status = pepa_passage_new(&passage, chain, pi, &ends, &set, &err);
    if (status != PEPA_OK) /* a stiff model may have no answer to that tolerance */
        right = status == PEPA_ENOCONV || engine_differs(why, "%s", err.message);
    for (int j = 0; j < TIMES && passage && right; j++) {
        double cdf, error;
        right = pepa_passage_at(passage, time[j], &cdf, NULL, &error, &err) == PEPA_OK;
        right = right && fabsl(cdf - want[j]) <=
                             error + (e->from ? 1e-8 : 1e-10); /* pi's own error; the oracle's */
        if (!right)
            (void)engine_differs(why, "%s to %s by %g: %.15g, should be %.15Lg", origin(e), e->to,
                                 time[j], cdf, want[j]);
    }
    right = right && (!passage || moments_agree(e, passage, why));
    pepa_passage_free(passage);
    mem_free(pi);
    return right;
}

static bool all_agree(Exact *e, uint64_t seed, Text *why)
{
    const int32_t actions = pepa_chain_info(e->chain).actions;
    double time[TIMES];
    long double want[TIMES];
    e->from = pepa_chain_action_name(e->chain, (int32_t)(seed % (uint64_t)actions));
    e->to = pepa_chain_action_name(e->chain, (int32_t)(seed / 7 % (uint64_t)actions));
    if (!find_exact(e))
        return true;
    for (int j = 0; j < TIMES; j++) {
        time[j] = (double)e->mean * pow(4, j - 1);
        want[j] = probability(e, time[j]);
    }
    return passage_agrees(e, e->chain, time, want, why) &&
           (!e->sets || passage_agrees(e, e->sets, time, want, why));
}

static bool derive(Exact *e, const Text *text)
{
    const PepaSettings sets = {.derive.explore = PEPA_SYMBOLIC};
    if (pepa_model_parse(&e->model, "random", text->text, text->length, NULL, NULL) != PEPA_OK ||
        pepa_chain_derive(&e->chain, e->model, NULL, NULL) != PEPA_OK)
        return false;
    PepaChainInfo info = pepa_chain_info(e->chain);
    e->n = (size_t)info.states;
    (void)pepa_chain_transitions(e->chain, &e->t, NULL);
    (void)pepa_chain_derive(&e->sets, e->model, &sets, NULL);
    return info.states <= STATES && info.actions > 0;
}

static void exact_free(Exact *e)
{
    mem_free_all(e->rate, e->until, e->start);
    pepa_chain_free(e->chain);
    pepa_chain_free(e->sets);
    pepa_model_free(e->model);
}

static void check(Seeds *all, uint64_t seed)
{
    RefModel model = seeds_model(seed, STATES);
    Text text = ref_model_print(&model, (RefPrinting){0}), why = {0};
    Exact e = {0};
    if (derive(&e, &text) && !all_agree(&e, seed, &why))
        seeds_fail(all, seed, why.text ? why.text : "", text.text);
    exact_free(&e);
    text_free(&text);
    text_free(&why);
    ref_model_free(&model);
}

/* Times until an action first completes, some million jumps at most: *jumps, of the last. */
static bool stiff_agrees(Exact *e, double *jumps, Text *why)
{
    double time[TIMES], fastest = 0;
    long double want[TIMES];
    e->to = pepa_chain_action_name(e->chain, pepa_chain_info(e->chain).actions - 1);
    if (!find_exact(e))
        return true;
    for (size_t s = 0; s < e->n; s++) {
        double out = 0;
        for (int64_t k = e->t.row[s]; k < e->t.row[s + 1]; k++)
            out += pepa_transition_rate(&e->t, k);
        fastest = fmax(fastest, out);
    }
    const double most = 4e6 / fastest, last = e->mean > 0 ? fmin(4 * (double)e->mean, most) : most;
    for (int j = 0; j < TIMES; j++) {
        time[j] = last * pow(0.1, TIMES - 1 - j);
        want[j] = probability(e, time[j]);
    }
    *jumps = last * fastest;
    return passage_agrees(e, e->chain, time, want, why);
}

static double check_stiff(Seeds *all, uint64_t seed)
{
    uint64_t state = seed * 91 + 7;
    Text text = stiff_model(&state, 3 + random_below(&state, 25)), why = {0};
    Exact e = {0};
    double jumps = 0;
    if (derive(&e, &text) && !stiff_agrees(&e, &jumps, &why))
        seeds_fail(all, seed, why.text ? why.text : "", text.text);
    exact_free(&e);
    text_free(&text);
    text_free(&why);
    return jumps;
}

SHARDED_TEST(passage, random_models)
{
    seeds_check(*shard, MODELS, check);
}

SHARDED_TEST(passage, stiff_chains)
{
    Seeds all = seeds(*shard, MODELS);
    uint64_t seed;
    int models = 0, stiff = 0;
    for (; seeds_next(&all, &seed); models++)
        stiff += check_stiff(&all, seed) > 1e5;
    cr_assert_eq(all.failures, 0);
    cr_expect(models < 20 || stiff * 5 > models, "%d of %d models are stiff", stiff, models);
}
