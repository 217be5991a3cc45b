/* Limits of latencies, in ascending order. */
#include "grid/taag/schedule/partition.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "grid/taag/schedule/partition_inner.h"

/* Groups; cells of bundles, and where there are sets as well; work of the packing of all. */
enum { MOST_GROUPS = 150, MOST_CELLS = 4000000, FEW_CELLS = 500000 };
static const int64_t ALL_WORK = 10000000;

/* ---- limits --------------------------------------------------------------------------------- */

/* Sites that links within the limit join with site `a`: a bit each. */
static uint32_t joined_with(const Partition *p, int32_t a)
{
    uint32_t sites = (uint32_t)1 << a, before = 0;
    while (sites != before) {
        before = sites;
        for (int32_t b = 0; b < p->sites->count; b++)
            for (int32_t c = 0; c < p->sites->count; c++)
                if (before >> b & 1 && p->sites->ms[b][c] <= p->limit)
                    sites |= (uint32_t)1 << c;
    }
    return sites;
}

/* Sizes of the groups that are connected with g, largest first, into sorted.  Returns their number. */
static int32_t list_component(Partition *p, int32_t g)
{
    const Shape *s = p->shape;
    int32_t depth = 0, count = 0;
    memset(p->seen, 0, (size_t)s->groups * sizeof *p->seen);
    p->stack[depth++] = g;
    p->seen[g] = true;
    while (depth > 0) {
        const int32_t u = p->stack[--depth];
        for (int32_t i = p->near.at[u]; i < p->near.at[u + 1]; i++)
            if (!p->seen[p->near.to[i]]) {
                p->seen[p->near.to[i]] = true;
                p->stack[depth++] = p->near.to[i];
            }
    }
    for (int32_t k = 0; k < s->groups; k++)
        if (p->seen[s->order[k]])
            p->sorted[count++] = s->size[s->order[k]];
    return count;
}

/* Connected groups are on sites that links within the limit join.  False: there are none that hold them. */
static bool components_fit(Partition *p)
{
    bool fit = true;
    for (int32_t k = 0; k < p->talking && fit && !p->homes.spread && !p->no_memory; k++) {
        const int32_t groups = list_component(p, p->order[k]);
        bool first = true, room = false;
        for (int32_t i = 0; i < k; i++)
            first = first && !p->seen[p->order[i]];
        for (int32_t a = 0; a < p->sites->count && first && !room && !p->no_memory; a++) {
            const uint32_t sites = joined_with(p, a);
            if ((sites & (((uint32_t)1 << a) - 1)) == 0)
                room = partition_may_hold(p, sites, groups);
        }
        fit = room || !first;
    }
    return fit;
}

static void solve_limits(Partition *p, Cost *bound)
{
    const int32_t level = bound->level;
    p->limit = bound->most;
    while (!p->no_memory) {
        const bool fit = components_fit(p);
        const double mean = fit && !p->no_memory ? partition_search(p, level) : INFINITY;
        if (isfinite(mean)) {
            const Cost least = {level, p->limit, mean};
            if (!p->no_memory && cost_compare(least, *bound) > 0)
                *bound = least;
            return;
        }
        p->limit = sites_next_limit(p->sites, p->limit);
        if (!isfinite(p->limit)) {
            *bound = (Cost){level + 1, 0, 0};
            return;
        }
        *bound = (Cost){level, p->limit, 0};
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

static void list_groups(Partition *p)
{
    for (int32_t g = 0; g < p->shape->groups; g++) {
        p->site[g] = -1;
        if (p->near.at[g + 1] > p->near.at[g])
            p->order[p->talking++] = g;
    }
}

static bool talks_to(const Partition *p, int32_t g, int32_t h)
{
    bool talks = false;
    for (int32_t i = p->near.at[g]; i < p->near.at[g + 1]; i++)
        talks = talks || p->near.to[i] == h;
    return talks;
}

/* Of the same size, and with the same neighbours but for each other. */
static bool are_twins(const Partition *p, int32_t g, int32_t h)
{
    const int32_t degree = p->near.at[g + 1] - p->near.at[g];
    bool equal =
        p->shape->size[g] == p->shape->size[h] && p->near.at[h + 1] - p->near.at[h] == degree;
    for (int32_t i = p->near.at[g]; i < p->near.at[g + 1] && equal; i++)
        equal = p->near.to[i] == h || talks_to(p, h, p->near.to[i]);
    return equal;
}

static void list_twins(Partition *p)
{
    for (int32_t g = 0; g < p->shape->groups; g++) {
        p->twin[g] = 0;
        while (p->twin[g] < g && !are_twins(p, g, p->twin[g]))
            p->twin[g]++;
    }
}

static void list_sizes(Partition *p)
{
    const Shape *s = p->shape;
    for (int32_t k = 0; k < s->groups; k++) {
        const int32_t size = s->size[s->order[k]];
        if (p->sizes == 0 || size < p->size[p->sizes - 1])
            p->size[p->sizes++] = size;
    }
}

/* What the hosts of sites have. */
static void count_room(Partition *p)
{
    const Hosts *h = p->hosts;
    for (int32_t a = 0; a < p->sites->count; a++)
        p->room[a] = p->sites->places[a];
    for (int32_t i = 0; i < h->count; i++)
        for (int32_t k = 0; k < p->sizes && p->sites->of[i] >= 0; k++)
            partition_units(p, p->sites->of[i])[k] += h->places[i] / p->size[k];
}

/* Are there connections outside of the sequence of cuts? */
static bool in_parts(Partition *p)
{
    bool outside = false;
    memset(p->seen, 0, (size_t)p->shape->groups * sizeof *p->seen);
    for (int32_t k = 0; k < p->cuts.groups; k++)
        p->seen[p->cuts.order[k]] = true;
    for (int32_t e = 0; e < p->shape->edge_count; e++)
        outside = outside || !p->seen[p->shape->edges[e].a];
    return outside && p->cuts.groups > 0;
}

static bool prepare(Partition *p, bool spread)
{
    const size_t n = (size_t)p->shape->groups, sites = (size_t)p->sites->count;
    const int32_t widest = sites_widest(p->sites);
    if (!neighbours_make(&p->near, p->shape) ||
        !subsets_make(&p->sets, p->shape, &p->near, widest) || !mem_new(p->order, n) ||
        !mem_new(p->site, n) || !mem_new(p->dist, n * sites) || !mem_new(p->barred, n * sites) ||
        !mem_new(p->twin, n) || !mem_new_zeroed(p->tried, n * sites) || !mem_new(p->left, n) ||
        !mem_new(p->size, n) || !mem_new(p->stack, n) || !mem_new(p->sorted, n) ||
        !mem_new(p->seen, n))
        return false;
    list_groups(p);
    list_twins(p);
    list_sizes(p);
    if (!partition_cuts_make(&p->cuts, p->shape, &p->near, false))
        return false;
    const bool parts = in_parts(p);
    if (parts && !partition_cuts_make(&p->whole, p->shape, &p->near, true))
        return false;
    p->homes = (Homes){.hosts = p->hosts,
                       .sites = p->sites,
                       .shape = p->shape,
                       .sets = &p->sets,
                       .spread = spread,
                       .effort = p->effort,
                       .site = p->site};
    if (!mem_new_zeroed(p->units, sites * (size_t)p->sizes) ||
        !mem_new_zeroed(p->taken, sites * (size_t)p->sizes) || !mem_new(p->demand, n + 1) ||
        !mem_new(p->needed, (n + 1) * (size_t)p->sizes) ||
        !transport_make(&p->transport, p->shape->groups, p->sites->count) ||
        !homes_make(&p->homes) ||
        !savings_make(&p->savings, p->hosts, p->sites, p->shape, parts ? &p->whole : &p->cuts,
                      p->sets.count < 0 ? MOST_CELLS : FEW_CELLS, &p->by_bundles))
        return false;
    count_room(p);
    p->savings.effort = p->effort;
    p->by_bundles = p->by_bundles && !spread;
    if (!p->by_bundles)
        return p->sets.count < 0 || homes_most(&p->homes, &p->saving, ALL_WORK);
    p->saving = savings_anywhere(&p->savings, ALL_WORK);
    return !p->savings.no_memory;
}

bool partition_solve(const Hosts *hosts, const Sites *sites, Shape *shape, Cost *bound, Best *best,
                     Effort *effort)
{
    Partition p = {.hosts = hosts, .sites = sites, .shape = shape, .best = best, .effort = effort};
    if (!shape->given || shape->edge_count == 0 || shape->groups > MOST_GROUPS || sites->count == 0)
        return true;
    if (bound->level == 0 && shape->size[shape->order[0]] > sites_widest(sites))
        return true; /* there was no time to find that a group has to be spread */
    bool good = prepare(&p, bound->level > 0);
    if (good && (p.sets.count >= 0 || p.by_bundles))
        solve_limits(&p, bound);
    savings_free(&p.savings);
    homes_free(&p.homes);
    transport_free(&p.transport);
    partition_cuts_free(&p.cuts);
    partition_cuts_free(&p.whole);
    neighbours_free(&p.near);
    subsets_free(&p.sets);
    mem_free_all(p.order, p.site, p.dist, p.barred, p.twin, p.tried, p.left, p.size, p.stack,
                 p.sorted, p.seen, p.units, p.taken, p.demand, p.needed);
    return good && !p.no_memory;
}
