/* Random chains with several bottom components: bounds contain the exact throughputs, and derivatives
 * are the exact ones, by elimination in long double on numbers that carry their derivative along. */
#include "pepa.h"
#include "property/seeds.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MODELS = 600, MOST = 40, MOST_ENDS = 5 };

/* Transient states first, then the bottom components one after the other. */
typedef struct {
    int n, ends, first[MOST_ENDS + 1];
    double rate[MOST][MOST];
    bool far_apart; /* rates are */
} Sketch;

typedef struct {
    uint64_t state;
} Dice;

static double roll(Dice *d)
{
    d->state = d->state * 6364136223846793005u + 1442695040888963407u;
    return (double)(d->state >> 11) * 0x1p-53;
}

static int below(Dice *d, int count)
{
    const int at = (int)(roll(d) * count);
    return at < count ? at : count - 1;
}

static double some_rate(const Sketch *s, Dice *d)
{
    return s->far_apart ? pow(10, 12 * roll(d) - 9) : pow(10, 2 * roll(d) - 1);
}

/* Each state reaches every other one of the range. */
static void connect(Sketch *s, Dice *d, int first, int end)
{
    const int count = end - first;
    for (int i = 0; i < count && count > 1; i++)
        s->rate[first + i][first + (i + 1) % count] = some_rate(s, d);
    for (int k = 0; k < count; k++)
        s->rate[first + below(d, count)][first + below(d, count)] = some_rate(s, d);
}

static Sketch sketch(uint64_t seed)
{
    Dice d = {seed * 977};
    Sketch s = {.ends = 2, .far_apart = seed % 3 == 0};
    (void)roll(&d);
    (void)roll(&d);
    s.ends += below(&d, MOST_ENDS - 1);
    s.n = s.first[0] = 1 + below(&d, 12);
    for (int b = 0; b < s.ends; b++)
        s.first[b + 1] = s.n += 1 + (below(&d, 3) > 0 ? below(&d, 5) : 0);
    connect(&s, &d, 0, s.first[0]);
    for (int b = 0; b < s.ends; b++) {
        connect(&s, &d, s.first[b], s.first[b + 1]);
        s.rate[below(&d, s.first[0])][s.first[b]] = some_rate(&s, &d);
        s.rate[below(&d, s.first[0])][s.first[b + 1] - 1] += some_rate(&s, &d);
    }
    for (int b = 0; b < s.ends; b++) /* every second single state is a deadlock */
        if (s.first[b + 1] - s.first[b] == 1 && b % 2)
            s.rate[s.first[b]][s.first[b]] = 0;
    return s;
}

static bool is_deadlock(const Sketch *s, int state)
{
    bool none = true;
    for (int j = 0; j < s->n; j++)
        none = none && s->rate[state][j] == 0;
    return none;
}

static Text model_text(const Sketch *s)
{
    Text text = {0};
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++)
            if (s->rate[i][j] > 0)
                text_add(&text, "r_%d_%d = %.17g;\n", i, j, s->rate[i][j]);
    for (int i = 0; i < s->n; i++) {
        const char *between = " =";
        if (is_deadlock(s, i))
            continue;
        text_add(&text, "S%d", i);
        for (int j = 0; j < s->n; j++)
            if (s->rate[i][j] > 0) {
                text_add(&text, "%s (a_%d_%d, r_%d_%d).", between, i, j, i, j);
                text_add(&text, is_deadlock(s, j) ? "Stop" : "S%d", j);
                between = " +";
            }
        text_add(&text, ";\n");
    }
    text_add(&text, "S0\n");
    return text;
}

/* ---- the exact numbers ------------------------------------------------------------------------ */

/* A number and its derivative. */
typedef struct {
    long double v, d;
} Dual;

static Dual add(Dual a, Dual b)
{
    return (Dual){a.v + b.v, a.d + b.d};
}

static Dual times(Dual a, Dual b)
{
    return (Dual){a.v * b.v, a.d * b.v + a.v * b.d};
}

static Dual over(Dual a, Dual b)
{
    const long double v = a.v / b.v;
    return (Dual){v, (a.d - v * b.d) / b.v};
}

/* The states of a range are left out but for the first; q[i][k] is then over the rate at which k is
 * left. */
static void leave_out(const Sketch *s, Dual q[MOST][MOST], int first, int end)
{
    for (int k = end - 1; k > first; k--) {
        Dual sum = {0, 0};
        for (int j = first; j < s->n; j++)
            sum = j < k || j >= end ? add(sum, q[k][j]) : sum;
        for (int i = first; i < k; i++) {
            if (q[i][k].v == 0)
                continue;
            q[i][k] = over(q[i][k], sum);
            for (int j = first; j < s->n; j++)
                if (j < k || j >= end)
                    q[i][j] = add(q[i][j], times(q[i][k], q[k][j]));
        }
    }
}

/* The long run, and its derivative by the rate from k to l. */
static void solve(const Sketch *s, int k, int l, Dual *pi)
{
    static _Thread_local Dual q[MOST][MOST];
    Dual all = {0, 0}, weight[MOST_ENDS];
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++)
            q[i][j] = (Dual){s->rate[i][j], i == k && j == l};
    leave_out(s, q, 0, s->first[0]);
    for (int b = 0; b < s->ends; b++) {
        weight[b] = (Dual){0, 0};
        for (int j = s->first[b]; j < s->first[b + 1]; j++)
            weight[b] = add(weight[b], q[0][j]);
        all = add(all, weight[b]);
    }
    memset(pi, 0, (size_t)s->n * sizeof *pi);
    for (int b = 0; b < s->ends; b++) {
        const int first = s->first[b], end = s->first[b + 1];
        Dual sum = {1, 0};
        leave_out(s, q, first, end);
        pi[first] = sum;
        for (int j = first + 1; j < end; j++) {
            for (int i = first; i < j; i++)
                pi[j] = add(pi[j], times(pi[i], q[i][j]));
            sum = add(sum, pi[j]);
        }
        for (int j = first; j < end; j++)
            pi[j] = times(pi[j], over(over(weight[b], all), sum));
    }
}

/* ---- what the library says -------------------------------------------------------------------- */

typedef struct {
    const Sketch *s;
    PepaModel *model;
    PepaChain *chain;
    PepaSteady *steady;
    double pi[MOST], derivative[MOST * MOST];
    Text why;
} Run;

static bool fails(Run *r, const char *what, int i, int j, long double exact, double low,
                  double high)
{
    text_add(&r->why, "%s %d_%d: %.20Lg, not %.17g to %.17g", what, i, j, exact, low, high);
    return false;
}

/* Long double is right to far less than half a unit of a double. */
static bool bounds_are_right(Run *r, int i, int j)
{
    Dual pi[MOST];
    char action[32];
    double low, high;
    PepaError err = {0};
    solve(r->s, -1, -1, pi);
    const long double x = pi[i].v * r->s->rate[i][j], slack = 1e-16L * x;
    (void)snprintf(action, sizeof action, "a_%d_%d", i, j);
    if (pepa_throughput_bounds(r->steady, NULL, r->pi, action, &low, &high, NULL, &err) != PEPA_OK)
        return fails(r, err.message, i, j, x, 0, 0);
    if (!(low <= x + slack && x - slack <= high))
        return fails(r, "bounds", i, j, x, low, high);
    return r->s->far_apart || high - low <= 1e-9L * x || fails(r, "wide", i, j, x, low, high);
}

/* As elasticities: right to 1e-8 of the largest of them, and of 1. */
static bool slopes_are_right(Run *r, int i, int j)
{
    Dual pi[MOST];
    char name[32];
    PepaError err = {0};
    const Sketch *s = r->s;
    (void)snprintf(name, sizeof name, "a_%d_%d", i, j);
    const PepaStatus status =
        pepa_steady_sensitivities(r->steady, NULL, r->pi, name, NULL, r->derivative, NULL, &err);
    if (status == PEPA_ENOCONV && s->far_apart)
        return true;
    if (status != PEPA_OK)
        return fails(r, err.message, i, j, 0, 0, 0);
    for (int32_t id = 0; id < pepa_model_rate_count(r->model); id++) {
        int k, l;
        if (sscanf(pepa_model_rate_name(r->model, id), "r_%d_%d", &k, &l) != 2)
            continue;
        solve(s, k, l, pi);
        Dual x = times(pi[i], (Dual){s->rate[i][j], i == k && j == l});
        const long double unit = s->rate[k][l] / x.v, right = x.d * unit,
                          found = r->derivative[id] * unit;
        if (x.v > 0 && !(fabsl(found - right) <= 1e-8L * fmaxl(1, fabsl(right))))
            return fails(r, pepa_model_rate_name(r->model, id), i, j, right, (double)found, 0);
    }
    return true;
}

static bool is_right(Run *r, const char *text)
{
    PepaError err = {0};
    bool right = pepa_model_parse(&r->model, "ends", text, strlen(text), NULL, &err) == PEPA_OK &&
                 pepa_chain_derive(&r->chain, r->model, NULL, &err) == PEPA_OK &&
                 pepa_steady_new(&r->steady, r->chain, &err) == PEPA_OK &&
                 pepa_steady_solve(r->steady, NULL, r->pi, NULL, &err) == PEPA_OK;
    if (!right)
        text_add(&r->why, "%s", err.message);
    for (int i = 0; i < r->s->n && right; i++)
        for (int j = 0; j < r->s->n && right; j++)
            if (r->s->rate[i][j] > 0) {
                right = bounds_are_right(r, i, j);
                if (right && i >= r->s->first[0])
                    right = slopes_are_right(r, i, j);
            }
    return right;
}

static void check(Seeds *all, uint64_t seed)
{
    const Sketch s = sketch(seed);
    Run r = {.s = &s};
    Text text = model_text(&s);
    if (!is_right(&r, text.text))
        seeds_fail(all, seed, r.why.text, text.text);
    pepa_steady_free(r.steady);
    pepa_chain_free(r.chain);
    pepa_model_free(r.model);
    text_free(&r.why);
    text_free(&text);
}

SHARDED_TEST(ends, bounds_and_derivatives)
{
    seeds_check(*shard, MODELS, check);
}
