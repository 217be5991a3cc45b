/* Branch and bound over the sites of groups. */
#include <math.h>
#include <string.h>

#include "grid/taag/schedule/partition_inner.h"

/* Shares of the work that is left: for placements to begin with, and for the search from them; times that its bound is
 * raised afterwards; the share of placements without them, and how many of a layer, where there are states. */
static const double HASTE = 0.2, MAIN = 0.65;
enum { TRIES = 4, FEW_STATES = 2000 };

/* Where the latency within a site is above the limit, groups of it that are joined are on one host. */
static bool fits_one_host(Partition *p, int32_t g, int32_t a)
{
    int32_t depth = 0;
    int64_t sum = 0;
    memset(p->seen, 0, (size_t)p->shape->groups * sizeof *p->seen);
    p->stack[depth++] = g;
    p->seen[g] = true;
    while (depth > 0) {
        const int32_t u = p->stack[--depth];
        sum += p->shape->size[u];
        for (int32_t i = p->near.at[u]; i < p->near.at[u + 1]; i++) {
            const int32_t v = p->near.to[i];
            if (p->site[v] == a && !p->seen[v]) {
                p->seen[v] = true;
                p->stack[depth++] = v;
            }
        }
    }
    p->effort->work += p->shape->groups;
    return sum == p->shape->size[g] || sum <= p->sites->widest[a];
}

/* The links of a group to those that are placed, from each site. */
static void measure(Partition *p, int32_t g)
{
    const int32_t sites = p->sites->count;
    p->left[g] = 0;
    for (int32_t a = 0; a < sites; a++) {
        double sum = 0;
        bool barred = false;
        for (int32_t i = p->near.at[g]; i < p->near.at[g + 1]; i++) {
            const int32_t b = p->site[p->near.to[i]];
            if (b >= 0) {
                sum += partition_price(p, a, b);
                barred = barred || (a != b && p->sites->ms[a][b] > p->limit);
            }
            p->left[g] += a == 0 && b < 0;
        }
        p->dist[(size_t)g * (size_t)sites + (size_t)a] = sum;
        p->barred[(size_t)g * (size_t)sites + (size_t)a] = barred;
    }
    p->effort->work += (int64_t)sites * (1 + p->near.at[g + 1] - p->near.at[g]);
}

/* A group of the order comes to its k-th place, on a site; by: 1, or -1 to undo it. */
static void put(Partition *p, int32_t g, int32_t a, int32_t by)
{
    const int32_t size = p->shape->size[g];
    p->site[g] = by > 0 ? a : -1;
    p->room[a] -= by * size;
    for (int32_t k = 0; k < p->sizes; k++)
        partition_units(p, a)[k] -= by * (size / p->size[k]);
    for (int32_t i = p->near.at[g]; i < p->near.at[g + 1]; i++)
        measure(p, p->near.to[i]);
}

/* What connections that are not within the first k groups of the sequence cost at least. */
static double cuts_rest(const Partition *p, int32_t k)
{
    const PartitionCuts *c = &p->cuts;
    int8_t frontier[MOST_FRONTIER];
    int32_t used[MOST_SITES] = {0};
    k = k < c->groups ? k : c->groups;
    if (k == 0 || !p->in_sequence)
        return 0;
    memset(p->taken, 0, (size_t)p->sites->count * (size_t)p->sizes * sizeof *p->taken);
    for (int32_t i = 0; i < k; i++) {
        const int32_t a = p->site[c->order[i]], size = p->shape->size[c->order[i]];
        used[a] += size;
        for (int32_t z = 0; z < c->units.sizes; z++)
            p->taken[a * p->sizes + z] += size / p->size[z];
    }
    for (int32_t j = c->at[k]; j < c->at[k + 1]; j++)
        frontier[j - c->at[k]] = (int8_t)p->site[c->frontier[j]];
    return partition_cuts_rest(c, k, p->site[c->order[0]], frontier, used, p->taken);
}

static void branch(Partition *p, int32_t k, int32_t next, double fixed);

/* The k-th group on a site. */
static void try_site(Partition *p, int32_t k, int32_t a, double fixed)
{
    const int32_t g = p->order[k];
    int32_t next;
    if (p->sites->ms[a][a] > p->limit && !fits_one_host(p, g, a))
        return;
    fixed += p->dist[(size_t)g * (size_t)p->sites->count + (size_t)a];
    put(p, g, a, 1);
    const double before = fixed - (p->hasty ? 0 : p->charge * p->saving);
    const double rest = partition_rest(p, k + 1, p->least - before, &next);
    const double bound = before + fmax(rest, cuts_rest(p, k + 1));
    next = p->in_sequence && k + 1 < p->cuts.groups ? k + 1 : next;
    if (!partition_no_better(p, bound)) {
        if (effort_ended(p->effort))
            partition_leave_out(p, bound);
        else
            branch(p, k + 1, next, fixed);
    }
    put(p, g, a, -1);
}

/* What the k-th group and those after it cost on each site at least. */
static void find_scores(Partition *p, int32_t k, double *score)
{
    const int32_t g = p->order[k];
    double connection[MOST_SITES];
    partition_cheapest(p, connection);
    for (int32_t a = 0; a < p->sites->count; a++) {
        score[a] = partition_score(p, g, a, connection[a]);
        if (!p->in_sequence || k >= p->cuts.groups || !isfinite(score[a]))
            continue;
        p->site[g] = a;
        score[a] = p->dist[(size_t)g * (size_t)p->sites->count + (size_t)a] + cuts_rest(p, k + 1);
        p->site[g] = -1;
    }
    p->effort->work += (int64_t)p->sites->count * (p->sites->count + p->cuts.cuts);
}

/* The cheapest site; of equal ones the one with most room; -1: none. */
static int32_t next_site(const Partition *p, const double *score)
{
    int32_t best = -1;
    for (int32_t a = 0; a < p->sites->count; a++)
        if (isfinite(score[a]) && (best < 0 || score[a] < score[best] ||
                                   (score[a] <= score[best] && p->room[a] > p->room[best])))
            best = a;
    return best;
}

/* Sites of the group at `next` in the order, as the k-th one; then of those after it.  A twin on a site that was tried
 * before would be the same placement with the two exchanged.  As deep as there are groups. */
static void branch(Partition *p, int32_t k, int32_t next, double fixed)
{
    double score[MOST_SITES];
    if (k == p->talking) {
        partition_arrive(p);
        return;
    }
    const int32_t g = p->order[next];
    p->order[next] = p->order[k];
    p->order[k] = g;
    find_scores(p, k, score);
    int32_t *tried = p->tried + (size_t)p->twin[g] * (size_t)p->sites->count;
    uint32_t here = 0;
    for (int32_t a = next_site(p, score); a >= 0 && !p->no_memory; a = next_site(p, score)) {
        score[a] = INFINITY;
        try_site(p, k, a, fixed);
        tried[a]++;
        here |= (uint32_t)1 << a;
    }
    for (int32_t a = 0; a < p->sites->count; a++)
        tried[a] -= (int32_t)(here >> a & 1);
    p->order[k] = p->order[next];
    p->order[next] = g;
}

/* The charge for which nothing placed has the largest bound.  Returns the first group to place, or -1: none can be. */
static int32_t choose_charge(Partition *p)
{
    double most = -INFINITY, best = 0;
    int32_t first = -1;
    for (int32_t a = 0; a <= p->sites->count; a++) {
        int32_t next;
        p->charge = a < p->sites->count ? p->sites->ms[a][a] : best;
        for (int32_t k = 0; k < p->talking; k++)
            measure(p, p->order[k]);
        const double bound = partition_rest(p, 0, INFINITY, &next) - p->charge * p->saving;
        first = isfinite(bound) ? next : -1;
        if (isfinite(bound) && bound > most) {
            most = bound;
            best = p->charge;
        }
    }
    return first;
}

/* Cuts of what connections cost now. */
static void set_cuts(Partition *p)
{
    double price[MOST_SITES * MOST_SITES];
    const CutUnits units = {p->homes.spread ? 0 : p->sizes, p->size, p->units};
    for (int32_t a = 0; a < p->sites->count; a++)
        for (int32_t b = 0; b < p->sites->count; b++)
            price[a * MOST_SITES + b] = partition_price(p, a, b);
    p->no_memory =
        p->no_memory || !partition_cuts_set(&p->cuts, p->shape, p->sites, p->limit, price, units);
    p->effort->work += p->cuts.work;
    p->cuts.work = 0;
}

static double known_sum(const Partition *p, int32_t level)
{
    const Cost *known = &p->best->cost;
    const bool usable = p->best->found && known->level == level && known->most <= p->limit;
    return usable ? known->mean * cost_connections(p->shape) : INFINITY;
}

/* Sums below `goal` only, with a share of the work that is left.  *ended: it was not enough.  Returns a bound.
 * width: of layers of states, 0: any; where there are none, groups are placed from `first` on. */
static double look_below(Partition *p, int32_t first, int32_t width, double goal, double share,
                         bool *ended)
{
    Effort *whole = p->effort;
    Effort part = effort_of(whole, (int64_t)(share * (double)(whole->limit - whole->work)));
    p->effort = p->homes.effort = &part;
    p->least = goal;
    p->unexplored = INFINITY;
    if (p->by_states)
        partition_states_explore(p, width);
    else
        branch(p, 0, first, 0);
    p->effort = p->homes.effort = whole;
    effort_add(whole, &part);
    *ended = part.ended;
    return fmin(p->least, p->unexplored);
}

/* Placements of the least sum, if hosts saved nothing: later those near it are looked at.  Returns a bound. */
static double hasten(Partition *p, int32_t first, int32_t level)
{
    const bool by_states = p->by_states;
    bool ended;
    p->hasty = true;
    p->by_states = false;
    const double all = known_sum(p, level) + p->charge * p->saving;
    double bound = look_below(p, first, 0, all, HASTE, &ended);
    bound -= p->charge * p->saving;
    p->hasty = false;
    p->by_states = by_states;
    if (by_states)
        bound = fmax(bound, look_below(p, first, FEW_STATES, known_sum(p, level), HASTE, &ended));
    return bound;
}

/* Groups are placed in the sequence of cuts from now on, or as their sites are left.  Returns the first one's place. */
static int32_t choose_order(Partition *p, bool in_sequence)
{
    int32_t next = 0;
    p->in_sequence = in_sequence;
    for (int32_t k = 0; k < p->cuts.groups && in_sequence; k++) {
        int32_t at = k;
        while (p->order[at] != p->cuts.order[k])
            at++;
        p->order[at] = p->order[k];
        p->order[k] = p->cuts.order[k];
    }
    if (!in_sequence)
        (void)partition_rest(p, 0, INFINITY, &next);
    return next;
}

/* A larger bound than `floor`, where not all sums below what is known could be looked at: bisection, in both orders by
 * turns. */
static double raise_floor(Partition *p, int32_t level, double floor)
{
    bool ended = false;
    double high = known_sum(p, level);
    for (int32_t i = 0; i < TRIES && isfinite(high) && !p->no_memory; i++) {
        const int32_t first = choose_order(p, p->cuts.cuts > 0 && i % 2 == 0);
        const double goal = floor + 0.5 * (high - floor);
        const double bound = look_below(p, first, 0, goal, 1.0 / (TRIES - i), &ended);
        floor = fmax(floor, bound);
        high = bound < goal ? fmin(goal, known_sum(p, level)) : high;
    }
    (void)choose_order(p, false);
    return floor;
}

double partition_search(Partition *p, int32_t level)
{
    bool ended = false;
    const int32_t first = choose_charge(p);
    if (first < 0)
        return known_sum(p, level) / cost_connections(p->shape);
    set_cuts(p);
    if (p->no_memory)
        return 0;
    const double least = partition_cuts_least(&p->cuts, p->sites->count);
    if (!isfinite(least))
        return INFINITY;
    p->by_states = partition_states_suit(p);
    double floor = fmax(0, least - p->charge * p->saving);
    floor = fmax(floor, hasten(p, first, level));
    floor = fmax(floor, look_below(p, first, 0, known_sum(p, level), MAIN, &ended));
    if (ended && p->by_states && p->charge > 0) {
        p->charge = 0;
        set_cuts(p);
        floor = fmax(floor, look_below(p, first, 0, known_sum(p, level), MAIN, &ended));
    }
    if (ended)
        floor = raise_floor(p, level, floor);
    return floor / cost_connections(p->shape);
}
