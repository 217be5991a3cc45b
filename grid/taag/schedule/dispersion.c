/* The inputs of the minimum dispersion problem, and what follows from them. */
#include "grid/taag/schedule/dispersion.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

bool dispersion_make(Dispersion *out, int32_t nodes, int32_t groups)
{
    Dispersion d = {.nodes = nodes, .groups = groups};
    size_t n = (size_t)nodes;
    if (!mem_new_zeroed(d.ms, n * n) || !mem_new_zeroed(d.most, n) ||
        !mem_new_zeroed(d.places, n) || !mem_new_zeroed(d.sum, groups + 1) ||
        !mem_new(d.near, n * n) || !mem_new_zeroed(d.dominates, n * n) ||
        !mem_new_zeroed(d.dominated, n * n) || !mem_new(d.values, n * (n + 1) / 2 + 1)) {
        dispersion_free(&d);
        return false;
    }
    *out = d;
    return true;
}

void dispersion_free(Dispersion *d)
{
    mem_free_all(d->ms, d->most, d->places, d->sum, d->near, d->dominates, d->dominated, d->values);
    *d = (Dispersion){0};
}

void dispersed_free(Dispersed *r)
{
    mem_free(r->count);
    *r = (Dispersed){0};
}

/* ---- what follows from the inputs ----------------------------------------------------------- */

typedef struct {
    double ms;
    int32_t node;
} Neighbour;

static int by_latency(const void *x, const void *y)
{
    const Neighbour *a = x, *b = y;
    if (a->ms < b->ms || a->ms > b->ms)
        return a->ms < b->ms ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

static bool sort_neighbours(Dispersion *d)
{
    Neighbour *all = NULL;
    if (!mem_new(all, d->nodes))
        return false;
    for (int32_t a = 0; a < d->nodes; a++) {
        int32_t count = 0;
        for (int32_t b = 0; b < d->nodes; b++)
            if (b != a)
                all[count++] = (Neighbour){dispersion_ms(d, a, b), b};
        qsort(all, (size_t)count, sizeof *all, by_latency);
        for (int32_t i = 0; i < count; i++)
            d->near[(size_t)a * (size_t)d->nodes + (size_t)i] = all[i].node;
    }
    mem_free(all);
    return true;
}

/* Is a nowhere farther than b, and can it hold what b can? */
static bool is_as_good(const Dispersion *d, int32_t a, int32_t b)
{
    bool good = d->most[a] >= d->most[b] && d->places[a] >= d->places[b] &&
                dispersion_ms(d, a, a) <= dispersion_ms(d, b, b);
    for (int32_t x = 0; x < d->nodes && good; x++)
        good =
            x == a || x == b || d->most[x] == 0 || dispersion_ms(d, a, x) <= dispersion_ms(d, b, x);
    return good;
}

/* Of two that are as good as each other the first dominates. */
static void find_dominators(Dispersion *d)
{
    size_t n = (size_t)d->nodes;
    for (int32_t a = 0; a < d->nodes; a++)
        for (int32_t b = 0; b < d->nodes; b++) {
            if (a == b || d->most[b] == 0 || !is_as_good(d, a, b))
                continue;
            bool first = a < b || !is_as_good(d, b, a);
            d->dominates[(size_t)a * n + (size_t)b] = first;
            d->dominated[(size_t)b * n + (size_t)a] = first;
        }
}

/* Moving groups from one node to another changes the sum by a concave function of their number if
 * nodes are farther from each other than within: then moving all one way or the other does not
 * make it worse. */
static void find_extreme(Dispersion *d)
{
    d->extreme = d->uniform && !d->possible;
    for (int32_t a = 0; a < d->nodes && d->extreme; a++)
        for (int32_t b = 0; b < a && d->extreme; b++)
            d->extreme =
                dispersion_ms(d, a, a) + dispersion_ms(d, b, b) <= 2 * dispersion_ms(d, a, b);
}

static int ascending(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static void list_latencies(Dispersion *d)
{
    int32_t count = 0, distinct = 1;
    for (int32_t a = 0; a < d->nodes; a++)
        for (int32_t b = 0; b <= a; b++)
            if (d->most[a] > 0 && d->most[b] > 0)
                d->values[count++] = dispersion_ms(d, a, b);
    qsort(d->values, (size_t)count, sizeof *d->values, ascending);
    for (int32_t i = 1; i < count; i++)
        if (d->values[i] > d->values[distinct - 1])
            d->values[distinct++] = d->values[i];
    d->value_count = count > 0 ? distinct : 0;
}

bool dispersion_prepare(Dispersion *d)
{
    if (!sort_neighbours(d))
        return false;
    find_extreme(d);
    find_dominators(d);
    list_latencies(d);
    return true;
}

void dispersion_measure(const Dispersion *d, const int32_t *count, double *most, double *sum)
{
    *most = *sum = 0;
    for (int32_t a = 0; a < d->nodes; a++)
        for (int32_t b = 0; b <= a && count[a] > 0; b++) {
            double ms = dispersion_ms(d, a, b);
            double pairs = a == b ? 0.5 * count[a] * (count[a] - 1.0) : (double)count[a] * count[b];
            if (pairs > 0) {
                *most = fmax(*most, ms);
                *sum += pairs * ms;
            }
        }
}

/* Sizes are at least this and one more on average. */
static int64_t small_size(const Dispersion *d)
{
    int64_t size = d->processes / d->groups - 1;
    return size > 0 ? size : 0;
}

Room dispersion_room(const Dispersion *d, int32_t node, int32_t groups)
{
    int64_t surplus = d->places[node] - small_size(d);
    return (Room){{groups, d->places[node], surplus > 0 ? surplus : 0}};
}

Room dispersion_wanted(const Dispersion *d)
{
    return (Room){{d->groups, d->processes, d->processes - small_size(d) * d->groups}};
}
