/* What groups without a site cost at least, whether sites can hold them, and what bounds mean. */
#include <math.h>
#include <string.h>

#include "grid/taag/schedule/partition_inner.h"

/* Questions before it is known whether they pay. */
enum { FEW_ASKED = 50 };

void partition_leave_out(Partition *p, double bound)
{
    p->unexplored = fmin(p->unexplored, bound);
}

bool partition_no_better(const Partition *p, double bound)
{
    return bound >= p->least * (1 - 1e-12) || !isfinite(bound);
}

bool partition_may_hold(Partition *p, uint32_t sites, int32_t groups)
{
    const CliqueAnswer answer =
        homes_hold(p->hosts, p->sites, sites, p->sorted, groups, NULL, p->effort);
    p->no_memory = p->no_memory || answer == CLIQUE_NO_MEMORY;
    return answer != CLIQUE_NONE;
}

static bool has_room(const Partition *p, int32_t g, int32_t a)
{
    const int32_t size = p->shape->size[g], *units = partition_units(p, a);
    bool room = p->room[a] >= size;
    for (int32_t k = 0; k < p->sizes && room && !p->homes.spread; k++)
        room = size / p->size[k] <= units[k];
    return room;
}

void partition_cheapest(const Partition *p, double *connection)
{
    for (int32_t a = 0; a < p->sites->count; a++) {
        connection[a] = partition_price(p, a, a);
        for (int32_t b = 0; b < p->sites->count; b++)
            if (p->sites->ms[a][b] <= p->limit)
                connection[a] = fmin(connection[a], partition_price(p, a, b));
    }
}

double partition_score(const Partition *p, int32_t g, int32_t a, double connection)
{
    const size_t at = (size_t)g * (size_t)p->sites->count + (size_t)a;
    const size_t twin = (size_t)p->twin[g] * (size_t)p->sites->count + (size_t)a;
    if (p->barred[at] || p->tried[twin] > 0 || !has_room(p, g, a))
        return INFINITY;
    return p->dist[at] + 0.5 * p->left[g] * connection;
}

/* ---- room ----------------------------------------------------------------------------------- */

static void add_demand(Partition *p, int32_t *demands, int32_t g, uint32_t sites)
{
    int32_t i = 0;
    while (i < *demands && p->demand[i].sites != sites)
        i++;
    int32_t *needed = p->needed + (size_t)i * (size_t)p->sizes;
    if (i == *demands) {
        p->demand[(*demands)++] = (Demand){sites, 0};
        memset(needed, 0, (size_t)p->sizes * sizeof *needed);
    }
    p->demand[i].places += p->shape->size[g];
    for (int32_t k = 0; k < p->sizes; k++)
        needed[k] += p->shape->size[g] / p->size[k];
}

/* Do some sites have what groups need that can be on no others? */
static bool have_room(const Partition *p, int32_t demands, uint32_t sites)
{
    int64_t places = 0;
    for (int32_t i = 0; i < demands; i++)
        places += (p->demand[i].sites & ~sites) == 0 ? p->demand[i].places : 0;
    for (int32_t a = 0; a < p->sites->count; a++)
        places -= sites >> a & 1 ? p->room[a] : 0;
    bool room = places <= 0;
    for (int32_t k = 0; k < p->sizes && room && !p->homes.spread; k++) {
        int64_t units = 0;
        for (int32_t i = 0; i < demands; i++)
            if ((p->demand[i].sites & ~sites) == 0)
                units += p->needed[(size_t)i * (size_t)p->sizes + (size_t)k];
        for (int32_t a = 0; a < p->sites->count; a++)
            units -= sites >> a & 1 ? partition_units(p, a)[k] : 0;
        room = units <= 0;
    }
    return room;
}

/* Hall's condition, for the sites of each demand and for all. */
static bool all_have_room(Partition *p, int32_t demands)
{
    bool room = true;
    for (int32_t i = 0; i < demands && room; i++)
        room = have_room(p, demands, p->demand[i].sites);
    p->effort->work += (int64_t)demands * (demands + p->sites->count) * (p->sizes + 1) / 4;
    return room;
}

/* ---- costs ---------------------------------------------------------------------------------- */

double partition_rest(Partition *p, int32_t placed, double enough, int32_t *next)
{
    double most = -1, connection[MOST_SITES];
    int32_t demands = 0, fewest = INT32_MAX;
    const uint32_t all = ((uint32_t)1 << p->sites->count) - 1;
    Transport *transport = &p->transport;
    *next = -1;
    transport->groups = 0;
    partition_cheapest(p, connection);
    for (int32_t k = placed; k < p->talking; k++) {
        const int32_t g = p->order[k];
        double least = INFINITY, second = INFINITY,
               *costs = transport_costs(transport, transport->groups);
        int32_t open = 0;
        uint32_t sites = 0;
        for (int32_t a = 0; a < p->sites->count; a++) {
            const double cost = costs[a] = partition_score(p, g, a, connection[a]);
            if (!isfinite(cost))
                continue;
            open++;
            sites |= (uint32_t)1 << a;
            second = fmin(second, fmax(cost, least));
            least = fmin(least, cost);
        }
        if (open == 0)
            return INFINITY;
        transport->size[transport->groups++] = p->shape->size[g];
        add_demand(p, &demands, g, sites);
        const double order = isfinite(second) ? second - least : 0;
        if (*next < 0 || open < fewest || (open == fewest && order > most)) {
            fewest = open;
            most = order;
            *next = k;
        }
    }
    p->effort->work += (int64_t)(p->talking - placed + p->sites->count) * p->sites->count;
    for (int32_t g = 0; g < p->shape->groups; g++)
        if (p->near.at[g + 1] == p->near.at[g])
            add_demand(p, &demands, g, all);
    return all_have_room(p, demands) ? transport_least(transport, p->room, enough, &p->effort->work)
                                     : INFINITY;
}

bool partition_is_beaten(Partition *p, double before, const int64_t *room)
{
    bool beaten = false;
    if (p->asked < FEW_ASKED || 2 * p->beaten > p->asked) {
        const double rest =
            transport_least(&p->transport, room, p->least - before, &p->effort->work);
        beaten = partition_no_better(p, before + rest);
        p->asked++;
        p->beaten += beaten;
    }
    return beaten;
}
