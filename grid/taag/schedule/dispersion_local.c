/* Good solutions of the minimum dispersion problem: groups on a clique with room, and on the nearest
 * nodes of each node, then moved while that makes the sum less. */
#include <string.h>

#include "base/mem.h"
#include "grid/taag/schedule/dispersion.h"

enum { MOST_STARTS = 24 };

typedef struct {
    const Dispersion *d;
    Effort *effort;
    double ms;
    int32_t *count;
    double *far;  /* of each node: the latencies to all groups on others */
    int32_t *bad; /* of each node: others in use that are too far from it */
    int32_t *trial;
    int64_t places; /* of nodes in use */
} Local;

/* What adding groups to a node does to `far` and `bad`; groups < 0: removing. */
static void put(Local *l, int32_t a, int32_t groups)
{
    const Dispersion *d = l->d;
    int32_t before = l->count[a], use = (before + groups > 0) - (before > 0);
    for (int32_t x = 0; x < d->nodes; x++) {
        double ms = dispersion_ms(d, a, x);
        l->far[x] += x != a ? groups * ms : 0;
        l->bad[x] += x != a && ms > l->ms ? use : 0;
    }
    l->count[a] += groups;
    l->places += use * d->places[a];
    l->effort->work += d->nodes;
}

static int32_t most_on(const Local *l, int32_t a)
{
    int32_t most = l->d->most[a];
    return most > 1 && dispersion_ms(l->d, a, a) > l->ms ? 1 : most;
}

static double pairs(int32_t groups)
{
    return 0.5 * groups * (groups - 1.0);
}

/* How the sum changes if `groups` go from a to b. */
static double change(const Local *l, int32_t a, int32_t b, int32_t groups)
{
    const Dispersion *d = l->d;
    double within = (pairs(l->count[a] - groups) - pairs(l->count[a])) * dispersion_ms(d, a, a) +
                    (pairs(l->count[b] + groups) - pairs(l->count[b])) * dispersion_ms(d, b, b);
    return groups * (l->far[b] - l->far[a]) - (double)groups * groups * dispersion_ms(d, a, b) +
           within;
}

static bool is_allowed(Local *l, int32_t a, int32_t b, int32_t groups)
{
    const Dispersion *d = l->d;
    bool all = groups == l->count[a], far = dispersion_ms(d, a, b) > l->ms;
    int64_t places = l->places - (all ? d->places[a] : 0) + (l->count[b] == 0 ? d->places[b] : 0);
    if (l->bad[b] - (all && far ? 1 : 0) > 0 || places < d->processes)
        return false;
    if (!d->possible)
        return true;
    l->count[a] -= groups;
    l->count[b] += groups;
    l->effort->work += 10 * (int64_t)d->groups + d->nodes;
    bool possible = d->possible(d->data, l->count, l->trial) == CLIQUE_FOUND;
    l->count[a] += groups;
    l->count[b] -= groups;
    return possible;
}

/* The first of some moves from a node that makes the sum less. */
static bool move_from(Local *l, int32_t a)
{
    const Dispersion *d = l->d;
    for (int32_t b = 0; b < d->nodes; b++) {
        int32_t room = most_on(l, b) - l->count[b];
        int32_t all = l->count[a] < room ? l->count[a] : room;
        l->effort->work++;
        for (int32_t groups = all; groups > 0 && b != a; groups = groups > 1 ? 1 : 0) {
            double less = -change(l, a, b, groups);
            if (less <= 1e-9 * (1 + l->far[a]) || !is_allowed(l, a, b, groups))
                continue;
            put(l, a, -groups);
            put(l, b, groups);
            return true;
        }
    }
    return false;
}

static void descend(Local *l)
{
    for (bool again = true; again;) {
        again = false;
        for (int32_t a = 0; a < l->d->nodes; a++)
            while (l->count[a] > 0 && !effort_ended(l->effort) && move_from(l, a))
                again = true;
    }
}

static void clear(Local *l)
{
    size_t n = (size_t)l->d->nodes;
    memset(l->count, 0, n * sizeof *l->count);
    memset(l->far, 0, n * sizeof *l->far);
    memset(l->bad, 0, n * sizeof *l->bad);
    l->places = 0;
}

/* Take groups away until there are as many as there have to be: of as many nodes all but one, those
 * with the fewest places first; then where they cost most. */
static bool thin_out(Local *l, int64_t held)
{
    const Dispersion *d = l->d;
    int32_t used = 0;
    for (int32_t a = 0; a < d->nodes; a++)
        used += l->count[a] > 0;
    while (held > d->groups && !effort_ended(l->effort)) {
        int32_t worst = -1;
        for (int32_t a = 0; a < d->nodes; a++) {
            bool small = worst >= 0 && d->places[a] < d->places[worst];
            bool equal = worst >= 0 && d->places[a] == d->places[worst];
            if (used > d->groups && l->count[a] > 0 &&
                (worst < 0 || small || (equal && l->far[a] > l->far[worst])))
                worst = a;
            bool free =
                l->count[a] > 1 || (l->count[a] == 1 && l->places - d->places[a] >= d->processes);
            if (used <= d->groups && free && (worst < 0 || l->far[a] > l->far[worst]))
                worst = a;
        }
        if (worst < 0)
            return false;
        int32_t here = used > d->groups ? l->count[worst] : 1;
        held -= here;
        put(l, worst, -here);
        used -= l->count[worst] == 0;
    }
    return held == d->groups && l->places >= d->processes;
}

/* All groups that the members of a clique can hold, thinned out. */
static bool start_on(Local *l, const bool *member)
{
    const Dispersion *d = l->d;
    int64_t held = 0;
    clear(l);
    for (int32_t a = 0; a < d->nodes; a++) {
        l->trial[a] = member[a] ? most_on(l, a) : 0;
        held += l->trial[a];
    }
    if (d->possible) {
        int32_t *count = l->bad; /* free so far */
        if (d->possible(d->data, l->trial, count) != CLIQUE_FOUND)
            return false;
        memcpy(l->trial, count, (size_t)d->nodes * sizeof *count);
        held = d->groups;
        clear(l);
    }
    for (int32_t a = 0; a < d->nodes; a++)
        if (l->trial[a] > 0)
            put(l, a, l->trial[a]);
    return thin_out(l, held);
}

/* The nearest nodes of one that are near enough to each other. */
static bool start_near(Local *l, int32_t home)
{
    const Dispersion *d = l->d;
    int32_t left = d->groups;
    clear(l);
    for (int32_t next = home; left > 0 && next >= 0;) {
        int32_t most = most_on(l, next), here = most < left ? most : left;
        put(l, next, here);
        left -= here;
        next = -1;
        for (int32_t a = 0; a < d->nodes; a++)
            if (l->count[a] == 0 && d->most[a] > 0 && l->bad[a] == 0 &&
                (next < 0 || l->far[a] < l->far[next]))
                next = a;
    }
    if (left > 0 || l->places < d->processes)
        return false;
    return !d->possible || d->possible(d->data, l->count, l->trial) == CLIQUE_FOUND;
}

static void keep_better(Local *l, int32_t *best, double *least)
{
    double most, sum;
    dispersion_measure(l->d, l->count, &most, &sum);
    l->effort->work += (int64_t)l->d->nodes * l->d->groups;
    if (most <= l->ms && sum < *least) {
        *least = sum;
        memcpy(best, l->count, (size_t)l->d->nodes * sizeof *best);
    }
}

bool dispersion_improve(bool *found, const Dispersion *d, double ms, const bool *member,
                        int32_t *count, Effort *effort)
{
    Local l = {.d = d, .effort = effort, .ms = ms};
    size_t n = (size_t)d->nodes;
    double least = INFINITY;
    bool good =
        mem_new(l.count, n) && mem_new(l.far, n) && mem_new(l.bad, n) && mem_new(l.trial, n);
    if (good && start_on(&l, member)) {
        descend(&l);
        keep_better(&l, count, &least);
    }
    int32_t step = 1 + d->nodes / MOST_STARTS;
    for (int32_t a = 0; a < d->nodes && good && !effort_ended(effort); a += step)
        if (d->most[a] > 0 && start_near(&l, a)) {
            descend(&l);
            keep_better(&l, count, &least);
        }
    *found = isfinite(least);
    mem_free_all(l.count, l.far, l.bad, l.trial);
    return good;
}
