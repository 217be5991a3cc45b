/* Walks through sites. */
#include "grid/taag/schedule/ring_walk.h"

#include <math.h>

#include "base/mem.h"
#include "grid/taag/schedule/ring_walk_inner.h"

/* By how much limits of the cost are raised; of sums that are equal but for rounding. */
static const double PACE = 0.03, ROUNDING = 1e-12;

/* ---- walks ---------------------------------------------------------------------------------- */

/* A link from site a to b, without half of the latencies within. */
static double link_of(const RingWalk *r, int32_t a, int32_t b)
{
    const Sites *s = r->sites;
    if (a == b || s->ms[a][b] > r->limit)
        return INFINITY;
    return fmax(0, s->ms[a][b] - 0.5 * (s->ms[a][a] + s->ms[b][b]));
}

/* From the last visit to the first. */
static double link_back(const RingWalk *r)
{
    const int32_t first = r->walk[0];
    if (r->length == 1)
        return r->sites->ms[first][first] <= r->limit ? 0 : INFINITY;
    return link_of(r, r->walk[r->length - 1], first);
}

/* What sites that have no visit yet cost at least, from site a on. */
static double least_open(const RingWalk *r, int32_t seen, int32_t a)
{
    const int32_t first = r->walk[0], open = (r->set & ~seen) | 1 << first | 1 << a;
    return a == first ? sites_closed_walk(r->walks, open) : r->walks->least[open][a];
}

/* From the last visit on; seen: sites that have one.  As deep as there are groups. */
static void extend(RingWalk *r, int32_t seen, double links)
{
    const int32_t last = r->walk[r->length - 1];
    const double back = link_back(r);
    r->effort->work += 4 * r->sites->count;
    if (effort_ended(r->effort) || r->no_memory)
        return;
    const double within = r->within[r->set];
    if (seen == r->set && links + back + within <= r->goal)
        r->filling->fill(r, links + back);
    for (int32_t a = 0; a < r->sites->count && r->length < r->shape->parts; a++) {
        const double next = links + (r->set >> a & 1 ? link_of(r, last, a) : INFINITY);
        if (!isfinite(next) || next + least_open(r, seen | 1 << a, a) + within > r->goal)
            continue;
        r->walk[r->length++] = a;
        extend(r, seen | 1 << a, next);
        r->length--;
    }
}

/* What groups cost on the sites of a set at least: one on each, the others where it is cheapest.  INFINITY: they do not
 * fit. */
static double least_within(const RingWalk *r, int32_t set)
{
    const Sites *s = r->sites;
    int64_t places = 0;
    int32_t left = r->shape->parts, room[MOST_SITES];
    double sum = 0;
    for (int32_t a = 0; a < s->count; a++) {
        room[a] = set >> a & 1 ? (int32_t)fmin(left, (double)(s->places[a] / r->shape->least)) : 0;
        if (set >> a & 1 && room[a] == 0)
            return INFINITY;
        places += set >> a & 1 ? s->places[a] : 0;
    }
    for (int32_t a = 0; a < s->count; a++)
        if (set >> a & 1) {
            sum += s->ms[a][a];
            room[a]--;
            left--;
        }
    while (left > 0) {
        int32_t best = -1;
        for (int32_t a = 0; a < s->count; a++)
            if (room[a] > 0 && (best < 0 || s->ms[a][a] < s->ms[best][best]))
                best = a;
        if (best < 0)
            return INFINITY;
        const int32_t here = room[best] < left ? room[best] : left;
        sum += here * s->ms[best][best];
        room[best] -= here;
        left -= here;
    }
    return left < 0 || places < r->shape->rest ? INFINITY : sum;
}

static int32_t first_of(int32_t set)
{
    int32_t first = 0;
    while (!(set >> first & 1))
        first++;
    return first;
}

/* ---- limits --------------------------------------------------------------------------------- */

static double bound_of(const RingWalk *r, int32_t set)
{
    return r->within[set] + sites_closed_walk(r->walks, set);
}

/* As large as what groups cost on a set can be made without walks. */
static void make_sure(RingWalk *r, int32_t set)
{
    if (!r->sure[set] && r->filling->within != NULL)
        r->within[set] = r->filling->within(r, set);
    r->sure[set] = true;
}

/* The least bound of all sets. */
static double least_bound(RingWalk *r)
{
    int32_t best = 0;
    while (best == 0 || !r->sure[best]) {
        if (best > 0)
            make_sure(r, best);
        best = 1;
        for (int32_t set = 2; set < 1 << r->sites->count; set++)
            if (bound_of(r, set) < bound_of(r, best))
                best = set;
        r->effort->work += (int64_t)1 << r->sites->count;
    }
    return bound_of(r, best);
}

/* All walks through each set whose cost may be within the goal. */
static void look(RingWalk *r)
{
    for (int32_t set = 1; set < 1 << r->sites->count && !r->no_memory; set++) {
        if (bound_of(r, set) > r->goal)
            continue;
        make_sure(r, set);
        if (effort_ended(r->effort))
            break;
        if (bound_of(r, set) > r->goal)
            continue;
        r->set = set;
        r->length = 1;
        r->walk[0] = first_of(set);
        extend(r, 1 << r->walk[0], 0);
    }
}

double ring_walk_known(const RingWalk *r)
{
    const Cost *known = &r->best->cost;
    const bool usable = r->best->found && known->level == r->level && known->most <= r->limit;
    return usable ? known->mean * r->shape->parts : INFINITY;
}

/* What no ring exceeds. */
static double most_sum(const RingWalk *r)
{
    double most = 0;
    for (int32_t a = 0; a < r->sites->count; a++)
        for (int32_t b = 0; b <= a; b++)
            most = fmax(most, r->sites->ms[a][b]);
    return (1 + PACE) * most * r->shape->parts;
}

/* The least sum that is known, of a placement, or of blocks that have none. */
static double least_known(const RingWalk *r)
{
    return fmin(r->found, r->unplaced);
}

/* The least sum within the limit, or a bound; INFINITY: there is no placement. */
static double least_sum(RingWalk *r)
{
    const double most = most_sum(r);
    r->found = ring_walk_known(r);
    double floor = least_bound(r);
    while (floor < least_known(r) * (1 - ROUNDING) && floor <= most && !r->no_memory) {
        const double known = least_known(r) * (1 - ROUNDING);
        const double goal = floor > 0 ? fmin(floor * (1 + PACE), known) : most;
        r->goal = goal;
        look(r);
        if (effort_ended(r->effort))
            return floor;
        floor = fmin(goal * (1 + ROUNDING), least_known(r));
    }
    return floor > most ? least_known(r) : fmin(floor, least_known(r));
}

static void solve_limits(RingWalk *r, Cost *bound)
{
    r->limit = bound->most;
    while (!r->no_memory) {
        sites_measure(r->walks, r->sites, r->limit);
        const double sum = least_sum(r);
        const Cost least = {r->level, r->limit, isfinite(sum) ? sum / r->shape->parts : 0};
        if (r->no_memory || (isfinite(sum) && cost_compare(least, *bound) <= 0))
            return;
        *bound = least;
        if (isfinite(sum))
            return;
        r->limit = sites_next_limit(r->sites, r->limit);
        if (!isfinite(r->limit)) {
            *bound = (Cost){r->level + 1, 0, 0};
            return;
        }
    }
}

bool ring_walk_with(const RingFilling *filling, RingBlocks *blocks, const Hosts *hosts,
                    const Sites *sites, Shape *s, Cost *bound, Best *best, Effort *effort)
{
    RingWalk r = {.filling = filling,
                  .blocks = blocks,
                  .hosts = hosts,
                  .sites = sites,
                  .shape = s,
                  .best = best,
                  .effort = effort,
                  .level = bound->level,
                  .unplaced = INFINITY};
    const size_t sets = (size_t)1 << sites->count, parts = (size_t)s->parts;
    const bool good = mem_new(r.walks, 1) && mem_new(r.within, sets) &&
                      mem_new_zeroed(r.sure, sets) && mem_new(r.walk, parts) &&
                      mem_new(r.visit, parts + 1) && mem_new(r.site, parts);
    for (int32_t set = 1; set < (int32_t)sets && good; set++) {
        r.within[set] = least_within(&r, set);
        r.sure[set] = filling->within == NULL || !isfinite(r.within[set]);
        if (!r.sure[set])
            r.within[set] = 0;
    }
    effort->work += (int64_t)sets * sites->count * sites->count;
    if (good)
        solve_limits(&r, bound);
    mem_free_all(r.walks, r.within, r.sure, r.walk, r.visit, r.site);
    return good && !r.no_memory;
}

bool ring_walk_solve(const Hosts *hosts, const Sites *sites, Shape *s, Cost *bound, Best *best,
                     Effort *effort)
{
    static const RingFilling spread = {NULL, ring_walk_fill};
    return ring_walk_with(&spread, NULL, hosts, sites, s, bound, best, effort);
}
