/* Hosts of groups that all have a site, and what these save. */
#include <math.h>
#include <string.h>

#include "grid/taag/schedule/partition_inner.h"
#include "grid/taag/schedule/spread_place.h"

/* Of the packing of groups that have sites. */
static const int64_t LEAF_WORK = 8000000;

/* Do the hosts of each site hold its groups? */
static bool sites_hold(Partition *p)
{
    const Shape *s = p->shape;
    bool hold = true;
    for (int32_t a = 0; a < p->sites->count && hold && !p->no_memory; a++) {
        int32_t groups = 0;
        for (int32_t k = 0; k < s->groups; k++)
            if (p->site[s->order[k]] == a)
                p->sorted[groups++] = s->size[s->order[k]];
        if (groups > 0)
            hold = partition_may_hold(p, (uint32_t)1 << a, groups);
    }
    return hold;
}

/* All connections above the limit are between groups of one site: hosts would have to save them. */
static bool place_hastily(Partition *p, double all)
{
    const Shape *s = p->shape;
    double sum = 0;
    for (int32_t e = 0; e < s->edge_count; e++)
        sum += partition_price(p, p->site[s->edges[e].a], p->site[s->edges[e].b]);
    partition_leave_out(p, sum);
    for (int32_t e = 0; e < s->edge_count; e++)
        if (p->sites->ms[p->site[s->edges[e].a]][p->site[s->edges[e].b]] > p->limit)
            return true;
    p->homes.leaf = p->effort;
    if (homes_place(&p->homes, NULL) != CLIQUE_FOUND)
        return true;
    p->least = fmin(p->least, all);
    return spread_offer(p->hosts, p->sites, s, p->homes.placed, p->homes.host, -1, p->best);
}

/* Connections within a site. */
static int32_t count_within(const Partition *p, int32_t a)
{
    int32_t within = 0;
    for (int32_t e = 0; e < p->shape->edge_count; e++)
        within += p->site[p->shape->edges[e].a] == a && p->site[p->shape->edges[e].b] == a;
    return within;
}

/* What each site saves, if all together can save more than `more`; connections above the limit have to be saved.
 * found: connections; *saved: all of it, or -INFINITY: nothing is found; *most: at most. */
static void find_saved(Partition *p, double more, int32_t *found, double *saved, double *most)
{
    *saved = *most = 0;
    for (int32_t a = 0; a < p->sites->count; a++)
        *most += count_within(p, a) * p->sites->ms[a][a];
    for (int32_t a = 0; a < p->sites->count && !p->no_memory && *most > more; a++) {
        const int32_t within = count_within(p, a),
                      needed = p->sites->ms[a][a] > p->limit ? within : 0;
        const double ms = p->sites->ms[a][a], others = *most - within * ms;
        double known = ms > 0 ? floor((more - others) / ms - 1e-9) : -1;
        known = fmin(within - 1, fmax(known, needed - 1));
        const Saved here = savings_find(&p->savings, p->site, a, (int32_t)known);
        p->no_memory = p->savings.no_memory;
        found[a] = here.least;
        *saved += here.least < needed ? -INFINITY : here.least * ms;
        *most = here.most < needed ? -INFINITY : others + here.most * ms;
    }
}

/* Groups that are on one host each, in bundles.  Returns whether that is all: groups that may be on any site can be in
 * the way of these. */
static bool place_on_hosts(Partition *p, double all)
{
    double saved, most;
    int32_t found[MOST_SITES];
    bool placed = true;
    p->savings.effort = p->homes.leaf = p->effort;
    find_saved(p, isfinite(p->least) ? all - p->least : -1, found, &saved, &most);
    if (p->no_memory || partition_no_better(p, all - most))
        return true;
    if (!partition_no_better(p, all - saved)) {
        for (int32_t a = 0; a < p->sites->count && !p->no_memory; a++) {
            const Saved here = savings_bundle(&p->savings, p->site, a, found[a] - 1);
            placed = placed && here.least >= found[a];
            p->no_memory = p->savings.no_memory;
        }
        placed =
            placed && !p->no_memory && homes_place(&p->homes, p->savings.bundle) == CLIQUE_FOUND;
    }
    if (placed && !partition_no_better(p, all - saved)) {
        p->least = all - saved;
        p->no_memory = !spread_offer(p->hosts, p->sites, p->shape, p->homes.placed, p->homes.host,
                                     -1, p->best);
    }
    if (!placed && p->sets.count >= 0)
        return false;
    if (!partition_no_better(p, all - most))
        partition_leave_out(p, all - most);
    return true;
}

void partition_arrive(Partition *p)
{
    const Shape *s = p->shape;
    double all = 0, saved, bound;
    bool found;
    for (int32_t e = 0; e < s->edge_count; e++)
        all += p->sites->ms[p->site[s->edges[e].a]][p->site[s->edges[e].b]];
    if (p->by_bundles && !p->hasty && place_on_hosts(p, all))
        return;
    if (p->no_memory || (!p->homes.spread && !sites_hold(p)))
        return;
    if (p->hasty) {
        p->no_memory = p->no_memory || !place_hastily(p, all);
        return;
    }
    const double more = isfinite(p->least) ? all - p->least : -1;
    p->homes.limit = p->limit;
    p->no_memory = p->no_memory || !homes_find(&p->homes, more, &found, &saved, &bound, LEAF_WORK);
    if (p->no_memory || bound < 0)
        return;
    if (found) {
        p->least = all - saved;
        p->no_memory =
            !spread_offer(p->hosts, p->sites, s, p->homes.placed, p->homes.host, -1, p->best);
    }
    if (all - bound < p->least * (1 - 1e-12))
        partition_leave_out(p, all - bound);
}
