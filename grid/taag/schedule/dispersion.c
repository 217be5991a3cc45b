/* The minimum dispersion problem: the largest latency by bisection, then the sum. */
#include "grid/taag/schedule/dispersion.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Work, in latencies looked at: of one clique, of the bisection, of local search. */
static const int64_t CLIQUE_WORK = 30000000, LOCAL_WORK = 20000000;

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

/* ---- the largest latency -------------------------------------------------------------------- */

typedef struct {
    const Dispersion *d;
    int32_t count; /* of the first values that matter */
    bool *member, *trial;
    int32_t high; /* values[high]: of the clique in member; count: there is none */
    Effort *effort;
    bool no_memory;
} Bisection;

static CliqueAnswer try_latency(Bisection *b, int32_t i)
{
    Effort effort = effort_of(b->effort, CLIQUE_WORK);
    CliqueAnswer answer = dispersion_clique(b->d, b->d->values[i], b->trial, &effort);
    b->effort->work += effort.work;
    b->no_memory = b->no_memory || answer == CLIQUE_NO_MEMORY;
    if (answer == CLIQUE_FOUND && i < b->high) {
        bool *swap = b->member;
        b->member = b->trial;
        b->trial = swap;
        b->high = i;
    }
    return answer;
}

/* The first value at which there may be a clique, and the first at which one is found: they differ
 * if some answers are not known.  A cutoff is often the least value itself, or too low: the last
 * ones are tried first. */
static int32_t bisect(Bisection *b)
{
    int32_t low = 0, high = b->count;
    for (int32_t i = b->count - 1; i >= 0 && i >= b->count - 2 && high == i + 1; i--) {
        if (try_latency(b, i) == CLIQUE_NONE)
            low = i + 1;
        else
            high = i;
    }
    while (low < high && !b->no_memory && !effort_ended(b->effort)) {
        int32_t middle = low + (high - low) / 2;
        if (try_latency(b, middle) == CLIQUE_NONE)
            low = middle + 1;
        else
            high = middle;
    }
    for (int32_t from = low; from < b->high && !b->no_memory && !effort_ended(b->effort);) {
        int32_t middle = from + (b->high - from) / 2;
        if (try_latency(b, middle) != CLIQUE_FOUND)
            from = middle + 1;
    }
    return low;
}

static bool improve(Bisection *b, Dispersed *out)
{
    Effort effort = effort_of(b->effort, LOCAL_WORK);
    bool good = dispersion_improve(&out->found, b->d, b->d->values[b->high], b->member, out->count,
                                   &effort);
    b->effort->work += effort.work;
    if (good && out->found)
        dispersion_measure(b->d, out->count, &out->most, &out->sum);
    return good;
}

static double value_at(const Dispersion *d, int32_t i)
{
    return i < d->value_count ? d->values[i] : INFINITY;
}

bool dispersion_solve(Dispersed *out, const Dispersion *d, double cutoff, double cutoff_sum,
                      Effort *effort)
{
    Bisection b = {.d = d, .effort = effort};
    *out = (Dispersed){0};
    bool good = mem_new_zeroed(out->count, d->nodes) && mem_new_zeroed(b.member, d->nodes) &&
                mem_new_zeroed(b.trial, d->nodes);
    if (good) {
        while (b.count < d->value_count && d->values[b.count] <= cutoff)
            b.count++;
        b.high = b.count;
        int32_t low = bisect(&b);
        good = !b.no_memory;
        out->least_most = value_at(d, low);
        if (good && b.high < b.count)
            good = improve(&b, out);
        if (good && low < b.count && b.high == low) {
            out->cutoff_sum = out->least_most < cutoff ? INFINITY : cutoff_sum;
            good = dispersion_sum(out, d, out->least_most, effort);
            if (good && !isfinite(out->least_sum)) { /* more was asked than of cliques */
                out->least_most = value_at(d, low + 1);
                out->least_sum = 0;
            }
        }
    }
    mem_free_all(b.member, b.trial);
    if (!good)
        dispersed_free(out);
    return good;
}
