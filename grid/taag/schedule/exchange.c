/* Iterated local search over hosts of groups.
 *
 * Links above a limit count a thousand times what they exceed it by: with a limit just below the
 * largest latency, the search looks for placements that have a smaller one.
 * Source: Lourenco, Martin, Stuetzle, Iterated local search. */
#include "grid/taag/schedule/exchange.h"

#include <string.h>

#include "base/mem.h"
#include "grid/taag/schedule/exchange_inner.h"

enum { KICKS = 200, MOVES_OF_KICK = 4 };
static const double PENALTY = 1000, SOFT = 2;

int32_t exchange_random(Exchange *x, int32_t n)
{
    x->state = x->state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((x->state >> 33) % (uint64_t)n);
}

static double price(const Exchange *x, int32_t a, int32_t b)
{
    const double ms = hosts_ms(x->hosts, a, b);
    if (ms <= x->limit)
        return ms;
    return ms + (x->soft ? SOFT * (ms + x->limit) : PENALTY * (1 + ms - x->limit));
}

/* The edges of group g, if the unit of g is on host `to`, and that of `other`, if any, on `its`. */
static double edges_of(Exchange *x, int32_t g, int32_t to, int32_t other, int32_t its)
{
    const Shape *s = x->shape;
    double sum = 0;
    for (int32_t i = x->near_at[g]; i < x->near_at[g + 1]; i++) {
        int32_t n = x->near[i], unit = s->unit[n];
        if (unit == s->unit[g])
            continue;
        sum += price(x, to, unit == other ? its : x->host[n]);
    }
    x->effort->work += 1 + x->near_at[g + 1] - x->near_at[g];
    return sum;
}

/* The same for both groups of a unit. */
double exchange_edges(Exchange *x, int32_t unit, int32_t to, int32_t other, int32_t its)
{
    int32_t leaves = x->leaves[unit];
    return edges_of(x, unit, to, other, its) +
           (leaves >= 0 ? edges_of(x, leaves, to, other, its) : 0);
}

void exchange_put(Exchange *x, int32_t unit, int32_t to)
{
    x->free[x->host[unit]] += x->size[unit];
    x->free[to] -= x->size[unit];
    x->host[unit] = to;
    if (x->leaves[unit] >= 0)
        x->host[x->leaves[unit]] = to;
}

static bool move(Exchange *x, int32_t unit)
{
    double now = exchange_edges(x, unit, x->host[unit], -1, 0);
    x->effort->work += x->hosts->count;
    for (int32_t to = 0; to < x->hosts->count; to++)
        if (to != x->host[unit] && x->free[to] >= x->size[unit] &&
            exchange_edges(x, unit, to, -1, 0) < now * (1 - 1e-12)) {
            exchange_put(x, unit, to);
            return true;
        }
    return false;
}

bool exchange_can_swap(const Exchange *x, int32_t a, int32_t b)
{
    int32_t more = x->size[a] - x->size[b];
    return x->host[a] != x->host[b] && x->free[x->host[b]] >= more && x->free[x->host[a]] >= -more;
}

void exchange_swap(Exchange *x, int32_t a, int32_t b)
{
    int32_t to = x->host[b];
    exchange_put(x, b, x->host[a]);
    exchange_put(x, a, to);
}

/* What both have together; the edge between them, if any, counts twice before and after. */
static bool exchange(Exchange *x, int32_t a)
{
    x->effort->work += x->units;
    for (int32_t i = 0; i < x->units; i++) {
        int32_t b = x->unit[i], from = x->host[a], to = x->host[b];
        if (b <= a || !exchange_can_swap(x, a, b))
            continue;
        double now = exchange_edges(x, a, from, -1, 0) + exchange_edges(x, b, to, -1, 0);
        double then = exchange_edges(x, a, to, b, from) + exchange_edges(x, b, from, a, to);
        if (then < now * (1 - 1e-12)) {
            exchange_swap(x, a, b);
            return true;
        }
    }
    return false;
}

static void descend(Exchange *x)
{
    for (bool again = true; again;) {
        again = false;
        for (int32_t i = 0; i < x->units && !effort_ended(x->effort); i++)
            again = move(x, x->unit[i]) || exchange(x, x->unit[i]) || again;
    }
}

void exchange_offer(Exchange *x)
{
    const Shape *s = x->shape;
    for (int32_t g = 0, rank = 0; g < s->groups; g++)
        for (int32_t i = 0; i < s->size[g]; i++, rank++)
            x->host_of[rank] = x->host[g];
    best_offer(x->best, x->hosts, s, x->host_of);
    x->effort->work += cost_work(x->hosts, s);
}

bool exchange_start(Exchange *x)
{
    const Shape *s = x->shape;
    const int32_t *at = x->best->host_of;
    memcpy(x->free, x->hosts->places, (size_t)x->hosts->count * sizeof *x->free);
    for (int32_t g = 0, rank = 0; g < s->groups; g++) {
        x->host[g] = at[rank];
        for (int32_t i = 0; i < s->size[g]; i++, rank++) {
            x->free[at[rank]]--;
            if (at[rank] != x->host[g])
                return false;
        }
    }
    for (int32_t g = 0; g < s->groups; g++)
        if (x->host[g] != x->host[s->unit[g]])
            return false;
    return true;
}

static void list_units(Exchange *x)
{
    const Shape *s = x->shape;
    memset(x->size, 0, (size_t)s->groups * sizeof *x->size);
    memset(x->near_at, 0, ((size_t)s->groups + 2) * sizeof *x->near_at);
    for (int32_t g = 0; g < s->groups; g++) {
        x->size[s->unit[g]] += s->size[g];
        x->leaves[g] = -1;
    }
    for (int32_t g = 0; g < s->groups; g++) {
        if (s->unit[g] == g)
            x->unit[x->units++] = g;
        else
            x->leaves[s->unit[g]] = g;
    }
    for (int32_t e = 0; e < s->edge_count; e++) {
        x->near_at[s->edges[e].a + 2]++;
        x->near_at[s->edges[e].b + 2]++;
    }
    for (int32_t g = 0; g < s->groups; g++)
        x->near_at[g + 2] += x->near_at[g + 1];
    for (int32_t e = 0; e < s->edge_count; e++) {
        int32_t a = s->edges[e].a, b = s->edges[e].b;
        x->near[x->near_at[a + 1]++] = b;
        x->near[x->near_at[b + 1]++] = a;
    }
}

/* Some random moves. */
static void kick(Exchange *x)
{
    for (int i = 0; i < MOVES_OF_KICK; i++) {
        int32_t a = x->unit[exchange_random(x, x->units)],
                b = x->unit[exchange_random(x, x->units)];
        int32_t to = exchange_random(x, x->hosts->count);
        if (i % 2 == 0 && x->free[to] >= x->size[a])
            exchange_put(x, a, to);
        else if (exchange_can_swap(x, a, b))
            exchange_swap(x, a, b);
    }
}

static void search(Exchange *x)
{
    for (int i = 0; i < KICKS && !effort_ended(x->effort) && exchange_start(x); i++) {
        double most = x->best->cost.most;
        if (i > 0)
            kick(x);
        x->limit = i % 2 == 0 ? most * (1 - 1e-9) : most;
        descend(x);
        exchange_offer(x);
    }
}

bool exchange_prepare(Exchange *x)
{
    const Shape *s = x->shape;
    const size_t n = (size_t)s->groups;
    if (!mem_new(x->unit, n) || !mem_new(x->size, n) || !mem_new(x->leaves, n) ||
        !mem_new(x->host, n) || !mem_new(x->free, x->hosts->count) ||
        !mem_new(x->near, 2 * (size_t)s->edge_count) || !mem_new(x->near_at, n + 2) ||
        !mem_new(x->host_of, s->fixed + s->rest))
        return false;
    list_units(x);
    return true;
}

void exchange_release(Exchange *x)
{
    mem_free_all(x->unit, x->size, x->leaves, x->host, x->free, x->near, x->near_at, x->host_of);
}

bool exchange_improve(const Hosts *h, const Shape *s, Best *best, Effort *effort)
{
    Exchange x = {.hosts = h, .shape = s, .best = best, .effort = effort, .state = 1};
    const bool good = exchange_prepare(&x);
    if (good)
        search(&x);
    exchange_release(&x);
    return good;
}
