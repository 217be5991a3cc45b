/* Rings on sites: walks through sites, and blocks on their hosts. */
#include <math.h>

#include "base/mem.h"
#include "grid/taag/schedule/cycle.h"

/* Cells of the knapsacks; annealing of one order, for each pair of its blocks; blocks that count for that. */
enum { MOST_CELLS = 20000000, ORDER_STEPS = 150, MOST_BLOCKS = 30 };

typedef struct {
    const Hosts *hosts;
    const Sites *sites;
    Shape *shape;
    Best *best;
    Effort *effort;
    RingChoice choice;
    double *w;       /* hosts: what a visit costs; INFINITY: not in the set */
    int32_t *within; /* the hosts of the set */
    Block *block;
    Cost least; /* of all sets so far, and of the best placement */
    bool no_memory;
} Ring;

/* What a walk through the sites of a set costs alone, as a sum. */
static Cost walk_of(const Ring *r, int32_t set)
{
    Cost cost = {0, r->sites->longest[set], r->sites->walk[set]};
    for (int32_t a = 0; a < r->sites->count; a++)
        if (set == 1 << a)
            cost.most = r->sites->ms[a][a];
    return cost;
}

static bool worse(const Ring *r, Cost cost)
{
    cost.mean /= r->shape->groups;
    return cost_compare(cost, r->least) >= 0;
}

/* Blocks on the hosts of a set.  INFINITY: they have no room. */
static double choose(Ring *r, int32_t set)
{
    for (int32_t i = 0; i < r->hosts->count; i++) {
        const int32_t a = r->sites->of[i];
        r->w[i] = a >= 0 && set >> a & 1 ? r->sites->ms[a][a] : INFINITY;
    }
    return ring_choose(&r->choice, r->hosts->places, r->w, r->hosts->count, r->effort);
}

static void place(Ring *r, double longest)
{
    int32_t count = ring_chosen(&r->choice, r->hosts->places, r->hosts->count, r->block), hosts = 0;
    const int32_t few = count < MOST_BLOCKS ? count : MOST_BLOCKS;
    for (int32_t i = 0; i < r->hosts->count; i++)
        if (isfinite(r->w[i]))
            r->within[hosts++] = i;
    const CycleOrder task = {r->hosts, r->within, hosts, longest, ORDER_STEPS * few * few};
    r->no_memory = !cycle_order(&task, r->shape, r->block, count, r->best, r->effort);
}

static void look_at(Ring *r, int32_t set, double known)
{
    Cost cost = walk_of(r, set);
    cost.most = fmax(cost.most, known);
    if (worse(r, cost))
        return;
    cost.mean += choose(r, set);
    if (!isfinite(cost.mean) || worse(r, cost) || effort_ended(r->effort))
        return;
    cost.mean /= r->shape->groups;
    r->least = cost;
    place(r, cost.most);
}

static bool make(Ring *r)
{
    const size_t n = (size_t)r->hosts->count;
    int32_t widest = 0;
    for (int32_t i = 0; i < r->hosts->count; i++)
        widest = r->hosts->places[i] > widest ? r->hosts->places[i] : widest;
    return ring_choice_make(&r->choice, r->shape, r->hosts->count, widest) && mem_new(r->w, n) &&
           mem_new(r->within, n) && mem_new(r->block, n);
}

/* Can one host hold all?  Then there may be no links. */
static bool one_holds_all(const Hosts *h, const Shape *s)
{
    bool holds = false;
    for (int32_t i = 0; i < h->count; i++)
        holds = holds || h->places[i] >= s->rest;
    return holds;
}

bool cycle_sites(const Hosts *h, const Sites *sites, Shape *s, Cost *lower, Best *best,
                 Effort *effort)
{
    Ring r = {.hosts = h, .sites = sites, .shape = s, .best = best, .effort = effort};
    const double cells = 6.0 * (s->parts + 1.0) * (s->rest - s->parts * s->least + 1.0);
    if (lower->level > 0 || sites->count == 0 || sites->count > MOST_WALK_SITES ||
        cells * h->count > MOST_CELLS || one_holds_all(h, s))
        return true;
    r.least = best->found && best->cost.level == 0 ? best->cost : (Cost){0, INFINITY, INFINITY};
    r.no_memory = !make(&r);
    for (int32_t set = 1; set < 1 << sites->count && !r.no_memory && !effort_ended(effort); set++)
        look_at(&r, set, lower->most);
    if (!r.no_memory && !effort_ended(effort)) {
        if (!isfinite(r.least.most))
            *lower = (Cost){1, 0, 0};
        else if (cost_compare(r.least, *lower) > 0)
            *lower = r.least;
    }
    ring_choice_free(&r.choice);
    mem_free_all(r.w, r.within, r.block);
    return !r.no_memory;
}
