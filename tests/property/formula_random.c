/* Random formulas of CSL, and what they mean. */
#include "property/formula_random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "property/dense.h"

static void *room(size_t count, size_t size)
{
    void *p = mem_calloc(count, size);
    if (!p)
        abort();
    return p;
}

/* Source: Steele, Lea, Flood, OOPSLA 2014 (splitmix). */
static int draw(FormulaWorld *w, int below)
{
    uint64_t z = w->random += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return (int)((z ^ z >> 31) % (uint64_t)below);
}

FormulaWorld formula_world(const PepaChain *chain, uint64_t seed)
{
    FormulaWorld w = {.chain = chain, .info = pepa_chain_info(chain), .random = seed};
    PepaTransitions t = {0};
    (void)pepa_chain_transitions(chain, &t, NULL);
    w.n = (size_t)w.info.states;
    w.rate = room(w.n * w.n, sizeof *w.rate);
    for (size_t s = 0; s < w.n; s++) {
        double out = 0;
        for (int64_t k = t.row[s]; k < t.row[s + 1]; k++) {
            w.rate[s * w.n + (size_t)t.target[k]] += pepa_transition_rate(&t, k);
            out += pepa_transition_rate(&t, k);
        }
        w.fast = fmax(w.fast, out);
    }
    return w;
}

void formula_world_free(FormulaWorld *w)
{
    mem_free(w->rate);
}

/* ---- brute force ----------------------------------------------------------------------------- */

/* The rates of the chain that stays where `stays`. */
static long double *held(const FormulaWorld *w, const bool *stays)
{
    long double *rate = room(w->n * w->n, sizeof *rate);
    for (size_t i = 0; i < w->n; i++)
        for (size_t j = 0; j < w->n; j++)
            rate[i * w->n + j] = stays[i] || i == j ? 0 : w->rate[i * w->n + j];
    return rate;
}

/* The mean of x after t, or of its integral, by starting state. */
static void mean_after(const FormulaWorld *w, const bool *stays, double t, bool integral,
                       const long double *x, long double *out)
{
    long double *rate = held(w, stays), *p = room(2 * w->n, sizeof *p), *spent = p + w->n;
    for (size_t i = 0; i < w->n; i++) {
        dense_transient(rate, w->n, i, t, p, spent);
        out[i] = 0;
        for (size_t j = 0; j < w->n; j++)
            out[i] += (integral ? spent[j] : p[j]) * x[j];
    }
    mem_free_all(rate, p);
}

/* What is earned until `stays`, and then x: Gauss-Jordan elimination with row pivoting. */
static void earned_until(const FormulaWorld *w, const bool *stays, const long double *earn,
                         long double *x)
{
    const size_t n = w->n, width = n + 1;
    long double *m = room(n * width, sizeof *m);
    for (size_t i = 0; i < n; i++) {
        m[i * width + i] = 1;
        m[i * width + n] = stays[i] ? x[i] : earn[i];
        for (size_t j = 0; j < n && !stays[i]; j++)
            m[i * width + j] = 0;
        for (size_t j = 0; j < n && !stays[i]; j++) {
            m[i * width + i] += j == i ? 0 : w->rate[i * n + j];
            m[i * width + j] -= j == i ? 0 : w->rate[i * n + j];
        }
    }
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k; i < n; i++)
            if (fabsl(m[i * width + k]) > fabsl(m[best * width + k]))
                best = i;
        for (size_t j = 0; j < width; j++) {
            long double swap = m[k * width + j];
            m[k * width + j] = m[best * width + j];
            m[best * width + j] = swap;
        }
        for (size_t i = 0; i < n; i++) {
            const long double times = i == k ? 0 : m[i * width + k] / m[k * width + k];
            for (size_t j = k; j < width && times != 0; j++)
                m[i * width + j] -= times * m[k * width + j];
        }
    }
    for (size_t i = 0; i < n; i++)
        x[i] = m[i * width + n] / m[i * width + i];
    mem_free(m);
}

/* possible: right can be reached through left; certain: it is. */
static void reachable(const FormulaWorld *w, const bool *left, const bool *right, bool *possible,
                      bool *certain)
{
    const size_t n = w->n;
    bool *stays = room(n, 1), *reach = room(n * n, 1);
    for (size_t i = 0; i < n; i++)
        stays[i] = right[i] || !left[i];
    long double *rate = held(w, stays);
    dense_reach(rate, n, reach);
    for (size_t i = 0; i < n; i++) {
        possible[i] = false;
        for (size_t j = 0; j < n; j++)
            possible[i] = possible[i] || (reach[i * n + j] && right[j]);
    }
    for (size_t i = 0; i < n; i++) {
        certain[i] = true;
        for (size_t j = 0; j < n; j++)
            certain[i] = certain[i] && (!reach[i * n + j] || possible[j]);
    }
    mem_free_all(stays, reach, rate);
}

/* ---- operators ------------------------------------------------------------------------------- */

static void until(const FormulaWorld *w, const bool *left, const bool *right, double from,
                  double to, long double *value)
{
    const size_t n = w->n;
    bool *stays = room(3 * n, 1), *possible = stays + n, *certain = possible + n;
    long double *x = room(n, sizeof *x), *none = room(n, sizeof *none);
    reachable(w, left, right, possible, certain);
    for (size_t i = 0; i < n; i++) {
        x[i] = right[i];
        stays[i] = right[i] || !left[i];
    }
    if (isfinite(to)) {
        mean_after(w, stays, to - from, false, x, value);
    } else {
        for (size_t i = 0; i < n; i++) {
            stays[i] = certain[i] || !possible[i];
            value[i] = certain[i];
        }
        earned_until(w, stays, none, value);
    }
    if (from > 0) {
        for (size_t i = 0; i < n; i++) {
            x[i] = left[i] ? value[i] : 0;
            stays[i] = !left[i];
        }
        mean_after(w, stays, from, false, x, value);
    }
    mem_free_all(stays, x, none);
}

static void long_run(const FormulaWorld *w, const long double *x, long double *value)
{
    bool *never = room(w->n, 1);
    long double *rate = held(w, never), *pi = room(w->n, sizeof *pi);
    for (size_t i = 0; i < w->n; i++) {
        dense_long_run(rate, w->n, i, pi);
        value[i] = 0;
        for (size_t j = 0; j < w->n; j++)
            value[i] += pi[j] * x[j];
    }
    mem_free_all(never, rate, pi);
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* How many components are in a local state, per state. */
static void counts(const FormulaWorld *w, int32_t local, long double *count)
{
    int32_t *each = room((size_t)w->info.counts, sizeof *each);
    for (size_t s = 0; s < w->n; s++) {
        (void)pepa_chain_state_counts(w->chain, (int64_t)s, each, NULL);
        count[s] = 0;
        for (int32_t i = 0, at = 0; i < w->info.positions; i++) {
            PepaPosition position = pepa_chain_position(w->chain, i);
            for (int32_t l = 0; l < position.local_count; l++, at++)
                count[s] += position.local[l] == local ? each[at] : 0;
        }
    }
    mem_free(each);
}

static void atom(FormulaWorld *w, Text *text, bool *truth)
{
    const int32_t local = draw(w, w->info.local_states);
    const int least = 1 + draw(w, 2);
    long double *count = room(w->n, sizeof *count);
    counts(w, local, count);
    text_add(text, "{\"%s\" >= %d}", pepa_chain_local_name(w->chain, local), least);
    for (size_t s = 0; s < w->n; s++)
        truth[s] = count[s] >= least;
    mem_free(count);
}

/* A reward: a count and completions of an action. */
static void reward(FormulaWorld *w, Text *text, long double *earn)
{
    PepaTransitions t = {0};
    const int32_t local = draw(w, w->info.local_states);
    const int times = draw(w, 3), action = w->info.actions ? draw(w, w->info.actions) : 0;
    (void)pepa_chain_transitions(w->chain, &t, NULL);
    counts(w, local, earn);
    text_add(text, "{population:\"%s\"", pepa_chain_local_name(w->chain, local));
    if (w->info.actions)
        text_add(text, " + %d * throughput:\"%s\"", times,
                 pepa_chain_action_name(w->chain, action));
    text_add(text, "}");
    for (size_t s = 0; s < w->n; s++)
        for (int64_t k = t.row[s]; k < t.row[s + 1]; k++)
            earn[s] +=
                pepa_transition_action(&t, k) == action ? times * pepa_transition_rate(&t, k) : 0;
}

static double some_time(FormulaWorld *w)
{
    return w->fast > 0 ? pow(10, -1 + 0.5 * draw(w, 6)) / w->fast : draw(w, 3);
}

/* Times, or none; *to: +inf. */
static void times(FormulaWorld *w, Text *text, double *from, double *to)
{
    const int kind = draw(w, 4);
    *from = kind < 2 ? 0 : some_time(w) * (kind - 2);
    *to = kind == 0 ? HUGE_VAL : *from + some_time(w);
    if (kind == 1)
        text_add(text, "<=%.17g ", *to);
    else if (kind > 1)
        text_add(text, "[%.17g,%.17g] ", *from, *to);
    else
        text_add(text, " ");
}

static void path(FormulaWorld *w, int depth, Text *text, long double *value, bool *exact,
                 bool *possible, bool *certain)
{
    const size_t n = w->n;
    bool *left = room(2 * n, 1), *right = left + n;
    const int kind = draw(w, 4);
    double from, to;
    memset(left, 1, n);
    if (kind == 0)
        formula_states(w, depth, text, left);
    text_add(text, kind == 0 ? " U" : kind == 1 ? "X" : kind == 2 ? "F" : "G");
    times(w, text, &from, &to);
    formula_states(w, depth, text, right);
    for (size_t i = 0; i < n && kind == 3; i++)
        right[i] = !right[i];
    *exact = isinf(to) && kind != 1;
    if (*exact)
        reachable(w, left, right, possible, certain);
    if (kind != 1)
        until(w, left, right, from, to, value);
    for (size_t i = 0; i < n && kind == 1; i++) {
        long double all = 0, in = 0;
        for (size_t j = 0; j < n; j++) {
            all += w->rate[i * n + j];
            in += right[j] ? w->rate[i * n + j] : 0;
        }
        value[i] = all > 0 ? in / all * (expl(-all * from) - (isinf(to) ? 0 : expl(-all * to))) : 0;
    }
    for (size_t i = 0; i < n && kind == 3; i++) {
        const bool was = possible[i];
        value[i] = 1 - value[i];
        possible[i] = !certain[i];
        certain[i] = !was;
    }
    mem_free(left);
}

static void reward_of(FormulaWorld *w, int depth, Text *text, const long double *earn,
                      long double *value)
{
    const size_t n = w->n;
    bool *stays = room(3 * n, 1), *possible = stays + n, *certain = possible + n;
    bool *every = room(n, 1), *target = room(n, 1);
    const int kind = draw(w, 4);
    const double t = some_time(w);
    if (kind < 2) {
        text_add(text, kind ? "C<=%.17g" : "I=%.17g", t);
        mean_after(w, stays, t, kind, earn, value);
    } else if (kind == 2) {
        text_add(text, "S");
        long_run(w, earn, value);
    } else {
        text_add(text, "F ");
        formula_states(w, depth, text, target);
        memset(every, 1, n);
        reachable(w, every, target, possible, certain);
        for (size_t i = 0; i < n; i++) {
            stays[i] = target[i] || !certain[i];
            value[i] = 0;
        }
        earned_until(w, stays, earn, value);
        for (size_t i = 0; i < n; i++)
            value[i] = certain[i] ? value[i] : HUGE_VALL;
    }
    mem_free_all(stays, every, target);
}

/* "P", "S" or "R{...}" and what is in its brackets, apart; exact: possible and certain tell where
 * the number is not 0, and where it is 1. */
static void operator_of(FormulaWorld *w, int depth, Text *head, Text *inner, long double *value,
                        bool *exact, bool *possible, bool *certain, double *scale)
{
    const size_t n = w->n;
    const int kind = draw(w, 4);
    long double *x = room(n, sizeof *x);
    bool *truth = room(n, 1);
    *scale = 1;
    *exact = false;
    if (kind < 2) {
        text_add(head, "P");
        path(w, depth, inner, value, exact, possible, certain);
    } else if (kind == 2) {
        text_add(head, "S");
        formula_states(w, depth, inner, truth);
        for (size_t i = 0; i < n; i++)
            x[i] = truth[i];
        long_run(w, x, value);
    } else {
        text_add(head, "R");
        reward(w, head, x);
        reward_of(w, depth, inner, x, value);
        for (size_t i = 0; i < n; i++)
            *scale = fmax(*scale, isfinite((double)value[i]) ? (double)value[i] : 1);
    }
    mem_free_all(x, truth);
}

void formula_number(FormulaWorld *w, int depth, Text *text, long double *value, double *scale)
{
    Text inner = {0};
    bool exact, *possible = room(2 * w->n, 1);
    operator_of(w, depth, text, &inner, value, &exact, possible, possible + w->n, scale);
    text_add(text, "=? [ %s ]", inner.text);
    text_free(&inner);
    mem_free(possible);
}

static void comparison(FormulaWorld *w, int depth, Text *text, bool *truth)
{
    static const char *const tests[] = {"<", "<=", ">", ">="};
    const int test = draw(w, 4);
    Text inner = {0};
    double scale, threshold;
    bool exact, *possible = room(2 * w->n, 1), *certain = possible + w->n;
    long double *value = room(w->n, sizeof *value);
    operator_of(w, depth, text, &inner, value, &exact, possible, certain, &scale);
    exact = exact && draw(w, 2);
    threshold = exact ? draw(w, 2) : 0.05 + 0.1 * draw(w, 10);
    text_add(text, "%s%.17g [ %s ]", tests[test], threshold, inner.text);
    for (size_t i = 0; i < w->n; i++) {
        long double x = value[i];
        if (exact)
            x = !possible[i] ? 0 : certain[i] ? 1 : 0.5L;
        else
            w->close = w->close || fabsl(x - threshold) < 1e-9 * scale;
        truth[i] = test == 0   ? x < threshold
                   : test == 1 ? x <= threshold
                   : test == 2 ? x > threshold
                               : x >= threshold;
    }
    text_free(&inner);
    mem_free_all(possible, value);
}

void formula_states(FormulaWorld *w, int depth, Text *text, bool *truth)
{
    const int kind = depth > 0 ? draw(w, 6) : 0;
    bool *other = room(w->n, 1);
    if (kind == 0) {
        atom(w, text, truth);
    } else if (kind == 1) {
        text_add(text, "!");
        text_add(text, "(");
        formula_states(w, depth - 1, text, truth);
        text_add(text, ")");
        for (size_t i = 0; i < w->n; i++)
            truth[i] = !truth[i];
    } else if (kind < 4) {
        static const char *const signs[] = {" & ", " | ", " => "};
        const int sign = draw(w, 3);
        text_add(text, "(");
        formula_states(w, depth - 1, text, truth);
        text_add(text, "%s", signs[sign]);
        formula_states(w, depth - 1, text, other);
        text_add(text, ")");
        for (size_t i = 0; i < w->n; i++)
            truth[i] = sign == 0   ? truth[i] && other[i]
                       : sign == 1 ? truth[i] || other[i]
                                   : !truth[i] || other[i];
    } else {
        comparison(w, depth - 1, text, truth);
    }
    mem_free(other);
}
