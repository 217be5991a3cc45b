#include "property/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "property/dense.h"
#include "property/room.h"

/* ---- the chain ------------------------------------------------------------------------------- */

static char *words(const EngineRun *run, int32_t state)
{
    char *text = NULL;
    if (pepa_chain_state_text(run->chain, state, &text, NULL) != PEPA_OK)
        abort();
    return text;
}

typedef struct {
    const char *text;
    int32_t state;
} Worded;

static int by_words(const void *a, const void *b)
{
    return strcmp(((const Worded *)a)->text, ((const Worded *)b)->text);
}

static int32_t *sorted(char **text, size_t n)
{
    int32_t *order = room(n, sizeof *order);
    Worded *worded = room(n, sizeof *worded);
    for (size_t s = 0; s < n; s++)
        worded[s] = (Worded){text[s], (int32_t)s};
    qsort(worded, n, sizeof *worded, by_words);
    for (size_t s = 0; s < n; s++)
        order[s] = worded[s].state;
    mem_free(worded);
    return order;
}

static char **all_words(const EngineRun *run)
{
    char **text = room((size_t)run->info.states, sizeof *text);
    for (int32_t s = 0; s < run->info.states; s++)
        text[s] = words(run, s);
    return text;
}

static void free_words(char **text, size_t n)
{
    for (size_t s = 0; text && s < n; s++)
        pepa_text_free(text[s]);
    mem_free(text);
}

static void fill_rates(Exact *e)
{
    PepaTransitions t = {0};
    (void)pepa_chain_transitions(e->run->chain, &t, NULL);
    for (size_t s = 0; s < e->n; s++)
        for (int64_t k = t.row[s]; k < t.row[s + 1]; k++)
            if (t.target[k] != (int32_t)s)
                e->rate[s * e->n + (size_t)t.target[k]] += pepa_transition_rate(&t, k);
}

static void find_throughputs(Exact *e)
{
    PepaTransitions t = {0};
    (void)pepa_chain_transitions(e->run->chain, &t, NULL);
    size_t actions = (size_t)e->run->info.actions;
    long double *now = room(actions, sizeof *now);
    for (size_t s = 0; s < e->n; s++) {
        memset(now, 0, actions * sizeof *now);
        for (int64_t k = t.row[s]; k < t.row[s + 1]; k++)
            now[pepa_transition_action(&t, k)] += pepa_transition_rate(&t, k);
        for (size_t a = 0; a < actions; a++) {
            e->throughput[a] += e->pi[s] * now[a];
            e->most[a] = fmaxl(e->most[a], now[a]);
        }
    }
    mem_free(now);
}

/* Of a bottom component on its own: of its states, and its share of pi. */
static long double component_condition(const Exact *e, const int *bottom, int component)
{
    size_t *state = room(e->n, sizeof *state), size = 0;
    long double sum = 0;
    for (size_t s = 0; s < e->n; s++)
        if (bottom[s] == component) {
            sum += e->pi[s];
            state[size++] = s;
        }
    long double *rate = room(size * size, sizeof *rate), *pi = room(size, sizeof *pi);
    long double most = 0, condition = 0;
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++) {
            rate[i * size + j] = e->rate[state[i] * e->n + state[j]];
            most = fmaxl(most, rate[i * size + j]);
        }
    for (size_t k = 0; k < size * size && most > 0; k++)
        rate[k] /= most; /* so that 1, which is added, does not drown them */
    for (size_t i = 0; i < size; i++)
        pi[i] = e->pi[state[i]] / sum;
    if (size > 1 && sum > 0) {
        condition = dense_condition(rate, size, pi);
        bool trusted = condition > 0 && condition < 1e12L; /* beyond, too few digits are left */
        condition = trusted ? condition / most : HUGE_VALL;
    }
    mem_free(rate);
    mem_free(pi);
    mem_free(state);
    return condition;
}

static void find_condition(Exact *e)
{
    int *bottom = room(e->n, sizeof *bottom), count = dense_bottoms(e->rate, e->n, bottom);
    for (int k = 0; k < count; k++)
        e->condition = fmaxl(e->condition, component_condition(e, bottom, k));
    mem_free(bottom);
}

/* Without jumps with chances below 1e-4, or what may be taken for that, are there more ends?  The
 * fewer jumps are left out, the fewer there are. */
static void find_groups(Exact *e)
{
    const long double rare = 0.99e-4L;
    size_t n = e->n, end = 0;
    int *bottom = room(n, sizeof *bottom), count = dense_bottoms(e->rate, n, bottom);
    while (bottom[end] < 0)
        end++;
    long double *common = room(n * n, sizeof *common);
    for (size_t i = 0; i < n; i++) {
        long double exit = 0;
        for (size_t j = 0; j < n; j++)
            exit += e->rate[i * n + j];
        for (size_t j = 0; j < n; j++)
            if (e->rate[i * n + j] >= rare * exit)
                common[i * n + j] = e->rate[i * n + j];
        if (bottom[i] < 0) /* wherever it goes, it is not in an end of its own */
            common[i * n + end] = 1;
    }
    int *group = room(n, sizeof *group), groups = dense_bottoms(common, n, group);
    e->apart = groups > count;
    mem_free(group);
    mem_free(common);
    mem_free(bottom);
}

static void find_shares(Exact *e)
{
    size_t width = (size_t)e->run->info.counts;
    for (size_t s = 0; s < e->n; s++) {
        int32_t *count = e->count + s * width;
        if (pepa_chain_state_counts(e->run->chain, (int32_t)s, count, NULL) != PEPA_OK)
            abort();
        for (size_t i = 0; i < width; i++)
            e->share[i] += e->pi[s] * count[i];
    }
    for (int32_t p = 0, i = 0; p < e->run->info.positions; p++) {
        PepaPosition position = pepa_chain_position(e->run->chain, p);
        for (int32_t l = 0; l < position.local_count; l++, i++)
            e->share[i] /= position.copies;
    }
}

void exact_new(Exact *e, const EngineRun *run)
{
    size_t n = (size_t)run->info.states, actions = (size_t)run->info.actions;
    *e = (Exact){.run = run, .n = n, .text = all_words(run)};
    e->by_text = sorted(e->text, n);
    e->count = room(n * (size_t)run->info.counts, sizeof *e->count);
    e->rate = room(n * n, sizeof *e->rate);
    e->pi = room(n, sizeof *e->pi);
    e->throughput = room(actions, sizeof *e->throughput);
    e->most = room(actions, sizeof *e->most);
    e->share = room((size_t)run->info.counts, sizeof *e->share);
    fill_rates(e);
    dense_long_run(e->rate, n, 0, e->pi);
    find_condition(e);
    find_groups(e);
    find_throughputs(e);
    find_shares(e);
}

void exact_free(Exact *e)
{
    free_words(e->text, e->n);
    mem_free(e->by_text);
    mem_free(e->count);
    mem_free(e->rate);
    mem_free(e->pi);
    mem_free(e->throughput);
    mem_free(e->most);
    mem_free(e->share);
    *e = (Exact){0};
}

/* ---- another chain of the same model --------------------------------------------------------- */

/* Bottom components may be numbered otherwise: ends[b] is here what b is there, -1 if that has not
 * been seen yet.  As both have the same number of them, so each has its own. */
static bool same_end(int32_t end, int32_t there, int32_t *ends)
{
    if (end < 0 || there < 0)
        return end < 0 && there < 0;
    if (ends[end] < 0)
        ends[end] = there;
    return ends[end] == there;
}

static bool same_counts(const Exact *e, const EngineRun *other, int32_t state, int32_t there,
                        int32_t *count, int32_t *ends, Text *why)
{
    size_t width = (size_t)e->run->info.counts;
    if (pepa_chain_state_counts(other->chain, state, count, NULL) == PEPA_OK &&
        memcmp(count, e->count + (size_t)there * width, width * sizeof *count) == 0 &&
        same_end(pepa_chain_bottom(other->chain, state), pepa_chain_bottom(e->run->chain, there),
                 ends))
        return true;
    return engine_differs(why, "state %s has other counts, or another bottom component",
                          e->text[there]);
}

bool exact_match(const Exact *e, const EngineRun *other, int32_t *place, Text *why)
{
    if ((size_t)other->info.states != e->n)
        return engine_differs(why, "%lld states, and not %zu", (long long)other->info.states, e->n);
    char **text = all_words(other);
    int32_t *by_text = sorted(text, e->n);
    int32_t *count = room((size_t)e->run->info.counts, sizeof *count);
    int32_t *ends = room(e->n, sizeof *ends);
    bool same = other->info.bottom_components == e->run->info.bottom_components ||
                engine_differs(why, "%d bottom components", other->info.bottom_components);
    memset(ends, -1, e->n * sizeof *ends);
    for (size_t i = 0; i < e->n && same; i++) {
        const char *want = e->text[e->by_text[i]], *got = text[by_text[i]];
        place[by_text[i]] = e->by_text[i];
        if (strcmp(got, want) != 0)
            same = engine_differs(why, "state %s is not there, but %s", want, got);
        else if (i > 0 && strcmp(got, text[by_text[i - 1]]) == 0)
            same = engine_differs(why, "state %s is there twice", got);
        else
            same = same_counts(e, other, by_text[i], e->by_text[i], count, ends, why);
    }
    mem_free(count);
    mem_free(ends);
    mem_free(by_text);
    free_words(text, e->n);
    return same;
}

/* ---- an answer ------------------------------------------------------------------------------- */

static bool is_distribution(const EngineRun *answer, Text *why)
{
    long double sum = 0;
    for (int32_t s = 0; s < answer->info.states; s++) {
        if (!(answer->pi[s] >= 0))
            return engine_differs(why, "pi[%d] = %g", s, answer->pi[s]);
        sum += answer->pi[s];
    }
    return fabsl(sum - 1) <= 1e-9L || engine_differs(why, "the sum is %.12Lg", sum);
}

static Miss look(const Exact *e, const long double *x, long double *flow)
{
    Miss m = {0};
    *flow = 0;
    for (size_t j = 0; j < e->n; j++) {
        long double in = 0, out = 0;
        for (size_t i = 0; i < e->n; i++) {
            in += x[i] * e->rate[i * e->n + j];
            out += e->rate[j * e->n + i];
        }
        m.residual += fabsl(in - x[j] * out);
        m.by_time += out > 0 ? fabsl(in - x[j] * out) / out : 0;
        m.distance += fabsl(x[j] - e->pi[j]);
        *flow += x[j] * out;
    }
    return m;
}

/* 1e-14: what the engine's sums, in double, may round off of the flow; 1e-13: likewise of x. */
static bool is_near(const Exact *e, const EngineRun *answer, const Miss *m, long double flow,
                    Text *why)
{
    const long double rounding = 1e-14L, tolerance = answer->solver.tolerance;
    if (!(answer->solver.residual <= answer->solver.tolerance) ||
        !(m->residual <= (tolerance + rounding) * flow) || !(m->by_time <= tolerance + rounding))
        return engine_differs(why, "residual %g; it is %Lg of the flow %Lg, and %Lg of the time",
                              answer->solver.residual, m->residual, flow, m->by_time);
    if (!(fabsl(m->residual - answer->solver.residual * flow) <= rounding * flow))
        return engine_differs(why, "residual %g; it is %Lg", answer->solver.residual,
                              m->residual / flow);
    if (isfinite(e->condition) && !(m->distance <= 1.001L * m->residual * e->condition + 1e-13L))
        return engine_differs(why, "off by %Lg, with residual %Lg and condition %Lg", m->distance,
                              m->residual, e->condition);
    return true;
}

static bool measured(const char *what, const char *name, double got, long double want,
                     long double most_off, Text *why)
{
    if (fabsl(got - want) <= most_off)
        return true;
    return engine_differs(why, "%s of %s: %.15g; it should be %.15Lg to %.2Lg", what, name, got,
                          want, most_off);
}

/* Every measure is the mean of something between 0 and the most there is of it. */
static bool measures_are_near(const Exact *e, const EngineRun *answer, long double distance,
                              Text *why)
{
    const PepaChain *chain = e->run->chain;
    PepaChainInfo info = e->run->info;
    long double *mean = room((size_t)info.local_states, sizeof *mean), all = 0;
    long double off = distance + 1e-13L;
    bool near = true;
    for (int32_t a = 0; a < info.actions && near; a++)
        near = measured("throughput", pepa_chain_action_name(chain, a), answer->throughput[a],
                        e->throughput[a], e->most[a] * off, why);
    for (int32_t p = 0, i = 0; p < info.positions; p++) {
        PepaPosition position = pepa_chain_position(chain, p);
        all += position.copies;
        for (int32_t l = 0; l < position.local_count; l++, i++) {
            mean[position.local[l]] += e->share[i] * position.copies;
            near = near && measured("share", pepa_chain_local_name(chain, position.local[l]),
                                    answer->share[i], e->share[i], off, why);
        }
    }
    for (int32_t l = 0; l < info.local_states && near; l++)
        near = measured("population", pepa_chain_local_name(chain, l), answer->population[l],
                        mean[l], all * off, why);
    mem_free(mean);
    return near;
}

bool exact_answer(const Exact *e, const EngineRun *answer, const int32_t *place, Miss *miss,
                  Text *why)
{
    long double *x = room(e->n, sizeof *x), flow;
    for (size_t s = 0; s < e->n; s++)
        x[place ? (size_t)place[s] : s] = answer->pi[s];
    *miss = look(e, x, &flow);
    bool right = is_distribution(answer, why) && is_near(e, answer, miss, flow, why) &&
                 measures_are_near(e, answer, miss->distance, why);
    miss->residual = flow > 0 ? miss->residual / flow : 0;
    mem_free(x);
    return right;
}
