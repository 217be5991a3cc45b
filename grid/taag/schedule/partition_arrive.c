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
    if (homes_place(&p->homes, NULL, 0) != CLIQUE_FOUND)
        return true;
    p->least = fmin(p->least, all);
    return spread_offer(p->hosts, p->sites, s, p->homes.placed, p->homes.host, -1, p->best);
}

/* Groups that are on one host each.  Returns whether it is known that this is no better, or is a placement. */
static bool place_on_hosts(Partition *p, double all)
{
    double saved = 0;
    int32_t sets = 0;
    p->savings.effort = p->homes.leaf = p->effort;
    for (int32_t a = 0; a < p->sites->count && !p->no_memory; a++) {
        const int32_t most = savings_most(&p->savings, p->site, a);
        p->no_memory = p->savings.no_memory;
        if (most < 0)
            return most == SAVINGS_NONE;
        saved += most * p->sites->ms[a][a];
    }
    if (p->no_memory || partition_no_better(p, all - saved))
        return true;
    for (int32_t a = 0; a < p->sites->count && !p->no_memory; a++) {
        savings_sets(&p->savings, p->site, a);
        memcpy(p->homes.used + sets, p->savings.best_set,
               (size_t)p->savings.best_sets * sizeof *p->homes.used);
        sets += p->savings.best_sets;
        p->no_memory = p->savings.no_memory;
    }
    if (p->no_memory || homes_place(&p->homes, p->homes.used, sets) != CLIQUE_FOUND)
        return false;
    p->least = all - saved;
    p->no_memory =
        !spread_offer(p->hosts, p->sites, p->shape, p->homes.placed, p->homes.host, -1, p->best);
    return true;
}

void partition_arrive(Partition *p)
{
    const Shape *s = p->shape;
    double all = 0, saved, bound;
    bool found;
    for (int32_t e = 0; e < s->edge_count; e++)
        all += p->sites->ms[p->site[s->edges[e].a]][p->site[s->edges[e].b]];
    if (p->by_states && !p->homes.spread && place_on_hosts(p, all))
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
