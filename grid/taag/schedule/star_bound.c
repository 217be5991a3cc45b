/* Trees of three levels: how near all places are to the root. */
#include "grid/taag/schedule/star_bound.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

typedef struct {
    double longer, both; /* e and d of a host */
    int32_t places;
} Reach;

typedef struct {
    const Hosts *hosts;
    int32_t unit; /* places of a unit, at least */
    int32_t processes, last;
    Reach *reach; /* hosts */
    double *sum;  /* last + 1: the least sum of connections, by units */
    double *own;  /* the same of one root */
} StarBound;

static int by_longer(const void *x, const void *y)
{
    const Reach *a = x, *b = y;
    return (a->longer > b->longer) - (a->longer < b->longer);
}

static int by_both(const void *x, const void *y)
{
    const Reach *a = x, *b = y;
    return (a->both > b->both) - (a->both < b->both);
}

/* All hosts from a root, whose connections within a unit take at most `allowed`. */
static void find_reach(StarBound *b, int32_t root, double allowed, Effort *effort)
{
    const Hosts *h = b->hosts;
    for (int32_t x = 0; x < h->count; x++) {
        Reach it = {INFINITY, INFINITY, h->places[x]};
        for (int32_t m = 0; m < h->count; m++) {
            const double first = hosts_ms(h, root, m), second = hosts_ms(h, m, x);
            if (h->places[m] == 0 || second > allowed)
                continue;
            it.longer = fmin(it.longer, fmax(first, second));
            it.both = fmin(it.both, first + second);
        }
        b->reach[x] = it;
    }
    effort->work += (int64_t)h->count * h->count;
}

/* The least `longer` within which all processes have places. */
static double find_most(StarBound *b)
{
    int64_t places = 0;
    qsort(b->reach, (size_t)b->hosts->count, sizeof *b->reach, by_longer);
    for (int32_t i = 0; i < b->hosts->count; i++) {
        places += b->reach[i].places;
        if (places >= b->processes)
            return b->reach[i].longer;
    }
    return INFINITY;
}

/* The sums of connections, where none takes more than `most`; false: there are not enough places. */
static bool find_sums(StarBound *b, double most)
{
    int64_t places = 0, units = 0;
    double sum = 0;
    int32_t i = 0;
    qsort(b->reach, (size_t)b->hosts->count, sizeof *b->reach, by_both);
    for (int32_t p = 0; p <= b->last; p++)
        b->own[p] = INFINITY;
    for (; i < b->hosts->count; i++) {
        const Reach *it = &b->reach[i];
        if (it->longer > most)
            continue;
        places += it->places;
        for (; units < (places - 1) / b->unit && units < b->last; units++) {
            b->own[units + 1] = sum + it->both; /* of the last unit at least this */
            sum += it->both;
        }
        if (places >= b->processes)
            break;
    }
    if (places < b->processes)
        return false;
    const double end = b->reach[i].both;
    b->own[0] = 0;
    for (; units > 0; units--) /* the last unit reaches where the places end */
        b->own[units] = fmax(b->own[units], b->own[units - 1] + end);
    return true;
}

static void merge(StarBound *b)
{
    for (int32_t p = 1; p <= b->last; p++)
        b->sum[p] = fmin(b->sum[p], b->own[p]);
}

/* Bounds of level `level`. */
static void raise_level(StarBound *b, int32_t first, int32_t level, Cost *lower, Effort *effort)
{
    const Hosts *h = b->hosts;
    const double allowed = h->most[level];
    double least = INFINITY, most;
    for (int32_t r = 0; r < h->count && !effort_ended(effort); r++)
        if (h->places[r] > 0 && h->alike[r] == r) {
            find_reach(b, r, allowed, effort);
            least = fmin(least, find_most(b));
        }
    most = least;
    for (int32_t p = first; p <= b->last; p++)
        if (lower[p].level == level)
            most = fmax(most, lower[p].most);
    for (int32_t p = 0; p <= b->last; p++)
        b->sum[p] = INFINITY;
    for (int32_t r = 0; r < h->count && !effort_ended(effort); r++)
        if (h->places[r] > 0 && h->alike[r] == r) {
            find_reach(b, r, allowed, effort);
            if (find_sums(b, most))
                merge(b);
        }
    if (effort_ended(effort) || !isfinite(least))
        return;
    for (int32_t p = first; p <= b->last; p++) {
        if (lower[p].level != level)
            continue;
        lower[p].most = fmax(lower[p].most, least);
        if (isfinite(b->sum[p]))
            lower[p].mean = fmax(lower[p].mean, b->sum[p] / (2.0 * p));
    }
}

bool star_bound(const Hosts *h, const AmogetProgram *p, Cost *lower, Effort *effort)
{
    StarBound b = {.hosts = h, .unit = p->least + 1, .processes = p->processes};
    int32_t first, step;
    division_parts(p, &first, &b.last, &step);
    const bool good =
        mem_new(b.reach, h->count) && mem_new(b.sum, b.last + 1) && mem_new(b.own, b.last + 1);
    for (int32_t level = 1; level <= h->levels && good; level++) {
        bool any = false;
        for (int32_t parts = first; parts <= b.last; parts++)
            any = any || lower[parts].level == level;
        if (any)
            raise_level(&b, first, level, lower, effort);
    }
    mem_free_all(b.reach, b.sum, b.own);
    return good;
}
