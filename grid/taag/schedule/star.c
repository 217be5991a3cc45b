/* Trees of three levels as median problems. */
#include "grid/taag/schedule/star.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { MOST_CELLS = 50000000 /* of a knapsack: 100 MB */ };

typedef struct {
    double ms;
    int32_t host, places; /* places: without the root's own */
} Near;

typedef struct {
    const Hosts *hosts;
    const AmogetProgram *program;
    Cost *lower;
    Best *best;
    Effort *effort;
    int32_t least, places; /* of a unit; of all units */
    int32_t last;          /* the largest number of units */
    Near *near;            /* hosts, from a root on */
    int32_t *widest;       /* places of the first of them, largest first */
    double *most, *sum;    /* last + 1: the least ones of so many units; INFINITY: not on level 0 */
    double *value;         /* of the knapsack: (last + 1) x (places + 1) */
    uint16_t *held;        /* hosts x that: units on the host */
    int32_t *size;         /* of units, without their managers */
    int32_t *host_of;      /* by rank */
    bool whole;            /* all knapsacks were solved */
} Star;

bool star_suits(const AmogetProgram *p)
{
    return p->kind == AMOGET_TREE && p->levels == 3;
}

static int by_latency(const void *x, const void *y)
{
    const Near *a = x, *b = y;
    if (a->ms < b->ms || a->ms > b->ms)
        return a->ms < b->ms ? -1 : 1;
    return (a->host > b->host) - (a->host < b->host);
}

/* Hosts that can hold a unit, from `root` on.  Returns their number. */
static int32_t list_hosts(Star *s, int32_t root)
{
    const Hosts *h = s->hosts;
    int32_t count = 0;
    for (int32_t i = 0; i < h->count; i++) {
        int32_t places = h->places[i] - (i == root);
        if (places >= s->least)
            s->near[count++] = (Near){hosts_ms(h, root, i), i, places};
    }
    qsort(s->near, (size_t)count, sizeof *s->near, by_latency);
    s->effort->work += h->count;
    return count;
}

/* The fewest of the widest hosts that have all places; more than there are: they do not. */
static int32_t fewest(const Star *s, int32_t count)
{
    int64_t places = 0;
    int32_t n = 0;
    while (n < count && places < s->places)
        places += s->widest[n++];
    return places < s->places ? count + 1 : n;
}

/* The largest latencies that `root` needs: so many units need as many hosts at most, and places. */
static void find_most(Star *s, int32_t root)
{
    int32_t count = list_hosts(s, root), done = s->last + 1;
    int64_t units = 0, places = 0;
    for (int32_t i = 0; i < count && done > 1; i++) {
        int32_t at = i;
        for (; at > 0 && s->widest[at - 1] < s->near[i].places; at--)
            s->widest[at] = s->widest[at - 1];
        s->widest[at] = s->near[i].places;
        s->effort->work += 1 + (i - at) / 16;
        units += s->near[i].places / s->least;
        places += s->near[i].places;
        int32_t from = places < s->places ? done : fewest(s, i + 1);
        for (int32_t p = from; p <= s->last && p <= units; p++)
            s->most[p] = fmin(s->most[p], s->near[i].ms);
        if (from <= 1 && units >= s->last)
            done = 1;
    }
}

static size_t cells(const Star *s)
{
    return ((size_t)s->last + 1) * ((size_t)s->places + 1);
}

/* value[units, places]: the least sum of so many units on hosts with so many places or more. */
static void add_host(Star *s, int32_t i)
{
    const Near *n = &s->near[i];
    size_t row = (size_t)s->places + 1;
    uint16_t *held = &s->held[(size_t)i * cells(s)];
    memset(held, 0, cells(s) * sizeof *held);
    for (int32_t p = s->last; p > 0; p--)
        for (int32_t k = 1; k <= p && k <= n->places / s->least; k++) {
            const double *before = &s->value[(size_t)(p - k) * row];
            double *now = &s->value[(size_t)p * row], more = k * n->ms;
            for (int32_t q = 0; q <= s->places; q++) {
                double with = before[q > n->places ? q - n->places : 0] + more;
                if (with < now[q]) {
                    now[q] = with;
                    held[(size_t)p * row + (size_t)q] = (uint16_t)k;
                }
            }
        }
}

static int by_size(const void *x, const void *y)
{
    const Near *a = x, *b = y;
    return (a->places < b->places) - (a->places > b->places);
}

/* A placement of `parts` units from the knapsack of the first `count` hosts: each host as full as
 * it can be, by one of its units, those with most room first. */
static bool offer(Star *s, int32_t root, int32_t count, int32_t parts)
{
    Shape shape;
    bool no_memory = false;
    Near *unit = NULL; /* places: its size */
    int32_t at = 0, left = parts, places = s->places, extra = s->places - parts * s->least;
    if (!mem_new(unit, parts) || !division_make(&shape, s->program, parts, &no_memory)) {
        mem_free(unit);
        return false;
    }
    for (int32_t i = count - 1; i >= 0; i--) {
        size_t cell = (size_t)left * ((size_t)s->places + 1) + (size_t)places;
        int32_t k = s->held[(size_t)i * cells(s) + cell];
        if (k == 0)
            continue;
        int32_t room = s->near[i].places - (k - 1) * s->least;
        for (int32_t j = 0; j < k; j++)
            unit[at++] = (Near){0, s->near[i].host, j == 0 ? room : s->least};
        left -= k;
        places = places > s->near[i].places ? places - s->near[i].places : 0;
    }
    qsort(unit, (size_t)at, sizeof *unit, by_size);
    for (int32_t i = 0; i < at; i++) {
        int32_t more = unit[i].places - s->least;
        more = more < extra ? more : extra;
        extra -= more;
        s->size[i] = s->least + more - 1;
    }
    division_set(&shape, s->size);
    s->host_of[0] = root;
    for (int32_t i = 0, rank = 1 + parts; i < parts; i++) {
        s->host_of[1 + i] = unit[i].host;
        for (int32_t j = 0; j < s->size[i]; j++)
            s->host_of[rank++] = unit[i].host;
    }
    best_offer(s->best, s->hosts, &shape, s->host_of);
    division_free(&shape);
    mem_free(unit);
    return true;
}

/* All numbers of units at once, on hosts within ms of a root.  False: out of memory. */
static bool solve_root(Star *s, int32_t root, double ms)
{
    int32_t count = 0, all = list_hosts(s, root), chosen = 0;
    double work = 0, size = (double)cells(s);
    for (; count < all && s->near[count].ms <= ms; count++)
        work += size * (s->near[count].places / s->least);
    bool fits = work + (double)s->effort->work <= (double)s->effort->limit;
    if (!fits || size * count > MOST_CELLS || effort_ended(s->effort)) {
        s->whole = false;
        return true;
    }
    s->effort->work += (int64_t)work;
    mem_free(s->held);
    if (!mem_new(s->held, (size_t)count * cells(s)))
        return false;
    for (size_t i = 0; i < cells(s); i++)
        s->value[i] = i == 0 ? 0 : INFINITY;
    for (int32_t i = 0; i < count; i++)
        add_host(s, i);
    for (int32_t p = 1; p <= s->last; p++) {
        double sum = s->value[((size_t)p + 1) * ((size_t)s->places + 1) - 1];
        s->sum[p] = fmin(s->sum[p], sum);
        double best =
            chosen == 0 ? INFINITY : s->value[((size_t)chosen + 1) * ((size_t)s->places + 1) - 1];
        if (isfinite(sum) && (chosen == 0 || sum * chosen < best * p))
            chosen = p;
    }
    return chosen == 0 || offer(s, root, count, chosen);
}

/* Bounds; the sums are those of the least largest latency of all. */
static void raise_bounds(Star *s, int32_t first, double least)
{
    for (int32_t p = first; p <= s->last; p++) {
        Cost *lower = &s->lower[p];
        if (lower->level > 0)
            continue;
        if (!isfinite(s->most[p])) {
            *lower = (Cost){1, 0, 0};
            continue;
        }
        lower->most = fmax(lower->most, s->most[p]);
        if (s->whole && s->most[p] <= least && isfinite(s->sum[p]))
            lower->mean = fmax(lower->mean, s->sum[p] / (2.0 * p));
    }
}

/* Roots that reach the least largest latency, of hosts that are alike one. */
static bool solve_roots(Star *s, double least)
{
    const Hosts *h = s->hosts;
    bool good = mem_new(s->value, cells(s));
    for (int32_t root = 0; root < h->count && good; root++)
        if (h->places[root] > 0 && h->alike[root] == root)
            good = solve_root(s, root, least);
    return good;
}

static bool solve(Star *s, int32_t first)
{
    const Hosts *h = s->hosts;
    double least = INFINITY;
    for (int32_t p = 0; p <= s->last; p++)
        s->most[p] = s->sum[p] = INFINITY;
    for (int32_t root = 0; root < h->count; root++) {
        if (effort_ended(s->effort))
            return true;
        if (h->places[root] > 0 && h->alike[root] == root)
            find_most(s, root);
    }
    for (int32_t p = first; p <= s->last; p++)
        least = fmin(least, s->most[p]);
    if (isfinite(least) && !solve_roots(s, least))
        return false;
    raise_bounds(s, first, least);
    return true;
}

bool star_solve(const Hosts *h, const AmogetProgram *p, Cost *lower, Best *best, Effort *effort)
{
    Star s = {.hosts = h, .program = p, .lower = lower, .best = best, .effort = effort};
    int32_t first, step;
    division_parts(p, &first, &s.last, &step);
    s.least = p->least + 1;
    s.places = p->processes - 1;
    s.whole = true;
    bool good = first > s.last ||
                (mem_new(s.near, h->count) && mem_new(s.widest, h->count) &&
                 mem_new(s.most, s.last + 1) && mem_new(s.sum, s.last + 1) &&
                 mem_new(s.size, s.last) && mem_new(s.host_of, p->processes) && solve(&s, first));
    mem_free_all(s.near, s.widest, s.most, s.sum, s.value, s.held, s.size, s.host_of);
    return good;
}
