/* What holds within every chain and every answer of the engine. */
#include "property/dense.h"
#include "property/engine_run.h"
#include "property/room.h"
#include "property/seeds.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MODELS = 1000, LARGE = 200 };

/* ---- the chain's several views of itself ---- */

/* Transitions are sorted, distinct, of positive rate, and nothing is below state 0. */
static bool transitions_are_sound(const EngineRun *run, Text *why)
{
    PepaTransitions t = {0};
    (void)pepa_chain_transitions(run->chain, &t, NULL);
    if (t.row[0] != 0 || t.row[run->info.states] != run->info.transitions)
        return engine_differs(why, "rows do not cover the transitions");
    for (int32_t s = 0; s < run->info.states; s++)
        for (int64_t k = t.row[s]; k < t.row[s + 1]; k++) {
            double rate = pepa_transition_rate(&t, k);
            bool sorted = k == t.row[s] ||
                          pepa_transition_action(&t, k - 1) < pepa_transition_action(&t, k) ||
                          (pepa_transition_action(&t, k - 1) == pepa_transition_action(&t, k) &&
                           t.target[k - 1] < t.target[k]);
            if (sorted && rate > 0 && isfinite(rate) && t.target[k] < run->info.states)
                continue;
            return engine_differs(why, "transition %lld of state %d", (long long)k, s);
        }
    return true;
}

/* The generator is the transitions without self-loops, and its rows sum to 0. */
static bool generator_is_sound(const EngineRun *run, Text *why)
{
    PepaTransitions t = {0};
    (void)pepa_chain_transitions(run->chain, &t, NULL);
    PepaMatrix q = {0};
    size_t n = (size_t)run->info.states;
    double *want = room(n, sizeof *want);
    bool sound = pepa_chain_generator(run->chain, &q, NULL) == PEPA_OK && q.n == run->info.states;
    for (int32_t s = 0; sound && s < q.n; s++) {
        double out = 0;
        memset(want, 0, n * sizeof *want);
        for (int64_t k = t.row[s]; k < t.row[s + 1]; k++)
            if (t.target[k] != s) {
                want[t.target[k]] += pepa_transition_rate(&t, k);
                out += pepa_transition_rate(&t, k);
            }
        want[s] = -out;
        for (int64_t k = q.row[s]; k < q.row[s + 1]; k++) {
            sound = sound && (k == q.row[s] || q.col[k - 1] < q.col[k]) &&
                    fabs(want[q.col[k]] - q.val[k]) <= 1e-13 * out;
            want[q.col[k]] = 0;
        }
        for (size_t j = 0; j < n; j++)
            sound = sound && !(fabs(want[j]) > 0);
        if (!sound)
            (void)engine_differs(why, "generator, row %d", s);
    }
    mem_free(want);
    pepa_matrix_free(&q);
    return sound;
}

/* In every state each position holds as many components as it has copies. */
static bool counts_are_sound(const EngineRun *run, int32_t *count, Text *why)
{
    for (int32_t s = 0; s < run->info.states; s++) {
        int32_t *now = count + (size_t)s * (size_t)run->info.counts, at = 0;
        if (pepa_chain_state_counts(run->chain, s, now, NULL) != PEPA_OK)
            return false;
        for (int32_t p = 0; p < run->info.positions; p++) {
            PepaPosition position = pepa_chain_position(run->chain, p);
            int32_t sum = 0;
            for (int32_t i = 0; i < position.local_count; i++) {
                if (now[at] < 0)
                    sum = -1;
                sum += now[at++];
            }
            if (sum == position.copies)
                continue;
            return engine_differs(why, "state %d, position %d: %d components", s, p, sum);
        }
    }
    return true;
}

/* ---- measures ---- */

/* Means of the counts are the utilisations and populations, and what flows into a local state flows
 * out of it.  Sums of at most a few thousand doubles of one sign: 1e-12 of what is added. */
static bool flows_balance(const EngineRun *run, const int32_t *count, Text *why)
{
    PepaTransitions t = {0};
    (void)pepa_chain_transitions(run->chain, &t, NULL);
    int32_t width = run->info.counts;
    for (int32_t i = 0; i < width; i++) {
        double gain = 0, gross = 0;
        for (int32_t s = 0; s < run->info.states; s++)
            for (int64_t k = t.row[s]; k < t.row[s + 1]; k++) {
                int32_t more = count[(size_t)t.target[k] * (size_t)width + (size_t)i] -
                               count[(size_t)s * (size_t)width + (size_t)i];
                gain += run->pi[s] * pepa_transition_rate(&t, k) * more;
                gross += run->pi[s] * pepa_transition_rate(&t, k) * abs(more);
            }
        if (fabs(gain) <= 1e-12 * gross + 1e-14)
            continue;
        return engine_differs(why, "count %d: flow %g of %g is lost", i, gain, gross);
    }
    return true;
}

static bool means_are_sound(const EngineRun *run, const int32_t *count, Text *why)
{
    int32_t at = 0, width = run->info.counts;
    double all = 0, components = 0;
    for (int32_t p = 0; p < run->info.positions; p++) {
        PepaPosition position = pepa_chain_position(run->chain, p);
        double sum = 0;
        for (int32_t i = 0; i < position.local_count; i++, at++) {
            double mean = 0;
            for (int32_t s = 0; s < run->info.states; s++)
                mean += run->pi[s] * count[(size_t)s * (size_t)width + (size_t)at];
            sum += run->share[at];
            if (engine_same(mean, run->share[at] * position.copies))
                continue;
            return engine_differs(why, "position %d: mean %g, share %g", p, mean, run->share[at]);
        }
        components += position.copies;
        if (!engine_same(sum, 1))
            return engine_differs(why, "position %d: shares sum to %g", p, sum);
    }
    for (int32_t i = 0; i < run->info.local_states; i++)
        all += run->population[i];
    if (engine_same(all, components))
        return true;
    return engine_differs(why, "populations sum to %g, not %g", all, components);
}

/* ---- methods ---- */

static long double *dense_rates(const EngineRun *run)
{
    PepaTransitions t = {0};
    (void)pepa_chain_transitions(run->chain, &t, NULL);
    size_t n = (size_t)run->info.states;
    long double *rate = room(n * n, sizeof *rate);
    for (int32_t s = 0; s < run->info.states; s++)
        for (int64_t k = t.row[s]; k < t.row[s + 1]; k++)
            rate[(size_t)s * n + (size_t)t.target[k]] += pepa_transition_rate(&t, k);
    return rate;
}

typedef struct {
    long double residual; /* |x Q|_1 */
    long double flow;     /* sum x_i q_i */
    long double distance; /* |x - pi|_1 */
} Miss;

static Miss miss(const long double *rate, size_t n, const double *x, const long double *pi)
{
    Miss m = {0};
    for (size_t j = 0; j < n; j++) {
        long double in = 0, out = 0;
        for (size_t i = 0; i < n; i++) {
            in += i == j ? 0 : x[i] * rate[i * n + j];
            out += i == j ? 0 : rate[j * n + i];
        }
        m.residual += fabsl(in - x[j] * out);
        m.flow += x[j] * out;
        m.distance += fabsl(x[j] - pi[j]);
    }
    return m;
}

/* A method that answers keeps its word on the residual, and with one bottom component is as near to
 * the exact distribution as the residual allows.  1e-14: the test's and the engine's sums differ.
 */
static bool method_is_right(EngineRun *run, PepaMethod method, const long double *rate,
                            const long double *pi, long double condition, Text *why)
{
    PepaSettings set = engine_settings();
    set.solve.method = method;
    engine_solve(run, &set);
    if (run->status == PEPA_ENOCONV && method > PEPA_GTH)
        return true;
    const char *name = pepa_method_name(method);
    if (run->status != PEPA_OK)
        return engine_differs(why, "%s: %s", name, run->err.message);
    Miss m = miss(rate, (size_t)run->info.states, run->pi, pi);
    if (m.residual > (set.solve.tolerance + 1e-14L) * m.flow ||
        !(run->solver.residual <= set.solve.tolerance))
        return engine_differs(why, "%s: residual %Lg of %Lg", name, m.residual, m.flow);
    if (run->info.bottom_components > 1 || m.distance <= 1.001L * m.residual * condition + 1e-13L)
        return true;
    return engine_differs(why, "%s: off by %Lg, with residual %Lg and condition %Lg", name,
                          m.distance, m.residual, condition);
}

static bool methods_are_right(EngineRun *run, Text *why)
{
    size_t n = (size_t)run->info.states;
    long double *rate = dense_rates(run), *pi = room(n, sizeof *pi), condition = 0;
    dense_long_run(rate, n, 0, pi);
    if (run->info.bottom_components == 1)
        condition = dense_condition(rate, n, pi);
    bool right = true;
    for (int method = PEPA_AUTO; method < PEPA_METHOD_COUNT && right; method++)
        right = method_is_right(run, (PepaMethod)method, rate, pi, condition, why);
    mem_free(pi);
    mem_free(rate);
    return right;
}

/* ---- over random models ---- */

static bool sound(EngineRun *run, Text *why)
{
    size_t cells = (size_t)run->info.states * (size_t)run->info.counts;
    int32_t *count = room(cells, sizeof *count);
    bool all = transitions_are_sound(run, why) && generator_is_sound(run, why) &&
               counts_are_sound(run, count, why) && flows_balance(run, count, why) &&
               means_are_sound(run, count, why) && methods_are_right(run, why);
    mem_free(count);
    return all;
}

static void check(Seeds *all, uint64_t seed)
{
    RefModel model = seeds_any_model(seed, LARGE);
    Text text = ref_model_print(&model, (RefPrinting){0}), why = {0};
    PepaSettings set = engine_settings();
    set.derive.separate_copies = !(seed % 3 > 0);
    EngineRun run = engine_run(text.text, NULL, &set);
    if (run.status == PEPA_OK && !sound(&run, &why))
        seeds_fail(all, seed, why.text ? why.text : "a call failed", text.text);
    engine_run_free(&run);
    text_free(&why);
    text_free(&text);
    ref_model_free(&model);
}

SHARDED_TEST(chain_laws, hold)
{
    seeds_check(*shard, MODELS, check);
}
