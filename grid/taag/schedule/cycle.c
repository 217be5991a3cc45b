/* Bounds of rings by Lagrange multipliers. */
#include "grid/taag/schedule/cycle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Multiplier steps: for a sum, for a limit of latencies, for
 * placements within one; annealing of one order, for each
 * pair of its blocks. */
enum {
    STEPS = 80,
    LIMIT_STEPS = 25,
    TRY_STEPS = 12,
    ORDER_STEPS = 150,
    MOST_BLOCKS = 30,
    MOST_CELLS = 20000000
};
static const double SURE = 1e-6; /* of bounds of whole numbers */

typedef struct {
    const Hosts *hosts;
    Shape *shape;
    Best *best;
    Effort *effort;
    RingChoice choice;
    double limit;
    bool counts;        /* costs are the numbers of links above the limit */
    bool pair;          /* two hosts may hold all: both links of a block may lead to one other */
    int32_t *component; /* of hosts; -1: cannot hold a group */
    /* Of a component: hosts, their places; multipliers; the nearest two of each; costs. */
    int32_t count, *host, *places, (*near)[2];
    double *multiplier, *w, *slope;
    Block *block, *named; /* of a solution; with the hosts' own numbers */
    double *values;       /* distinct latencies */
    int32_t value_count;
    bool no_memory;
} Cycle;

bool cycle_suits(const Shape *s)
{
    return s->program->kind == AMOGET_RING && s->groups > 2 && !s->given;
}

static double cost(const Cycle *c, int32_t i, int32_t j)
{
    double ms = hosts_ms(c->hosts, c->host[i], c->host[j]);
    if (c->counts)
        return ms <= c->limit ? 0 : 1;
    return ms <= c->limit ? ms : INFINITY;
}

/* w: what a block costs at least, with its multipliers. */
static void weigh(Cycle *c)
{
    for (int32_t i = 0; i < c->count; i++) {
        double near[2] = {INFINITY, INFINITY};
        for (int32_t j = 0; j < c->count; j++) {
            if (i == j)
                continue;
            double d = cost(c, i, j) - c->multiplier[i] - c->multiplier[j];
            bool twice = c->pair || c->places[j] >= 2 * c->shape->least;
            if (d < near[0]) {
                near[1] = twice ? d : near[0];
                c->near[i][1] = twice ? j : c->near[i][0];
                near[0] = d;
                c->near[i][0] = j;
            } else if (d < near[1]) {
                near[1] = d;
                c->near[i][1] = j;
            }
        }
        c->w[i] = 2 * c->multiplier[i] + 0.5 * (near[0] + near[1]);
    }
    c->effort->work += (int64_t)c->count * c->count;
}

/* Multipliers follow how many links hosts have and how many are wanted of them. */
static void follow(Cycle *c, int32_t blocks, double length)
{
    double norm = 0;
    memset(c->slope, 0, (size_t)c->count * sizeof *c->slope);
    for (int32_t b = 0; b < blocks; b++) {
        int32_t i = c->block[b].host;
        double visits = block_cost(&c->block[b], c->w[i] < 0 ? -1 : 1);
        visits = fabs(visits);
        c->slope[i] += visits;
        c->slope[c->near[i][0]] -= 0.5 * visits;
        c->slope[c->near[i][1]] -= 0.5 * visits;
    }
    for (int32_t i = 0; i < c->count; i++)
        norm += c->slope[i] * c->slope[i];
    for (int32_t i = 0; i < c->count && norm > 0; i++)
        c->multiplier[i] += length / norm * c->slope[i];
}

/* Larger bounds do not matter. */
static double goal_of(const Cycle *c)
{
    const Cost *best = &c->best->cost;
    if (c->counts)
        return 2 * SURE;
    bool known = c->best->found && best->level == 0 && best->most <= c->limit;
    return known ? best->mean * c->shape->groups : INFINITY;
}

/* A placement of the present solution. */
static void place(Cycle *c, int32_t blocks)
{
    int32_t few = blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS;
    CycleOrder task = {c->hosts, c->host, c->count, c->limit, ORDER_STEPS * few * few};
    for (int32_t b = 0; b < blocks; b++) {
        c->named[b] = c->block[b];
        c->named[b].host = c->host[c->block[b].host];
    }
    c->no_memory =
        c->no_memory || !cycle_order(&task, c->shape, c->named, blocks, c->best, c->effort);
}

/* The bound of the present component. */
static double least_sum(Cycle *c, int32_t steps)
{
    double most = -INFINITY, pace = 1;
    int32_t idle = 0;
    memset(c->multiplier, 0, (size_t)c->count * sizeof *c->multiplier);
    for (int32_t step = 0; step < steps && !effort_ended(c->effort); step++) {
        weigh(c);
        double sum = ring_choose(&c->choice, c->places, c->w, c->count, c->effort);
        if (!isfinite(sum))
            return INFINITY;
        int32_t blocks = ring_chosen(&c->choice, c->places, c->count, c->block);
        idle = sum > most + 1e-9 * fabs(sum) ? 0 : idle + 1;
        most = fmax(most, sum);
        if (most >= goal_of(c))
            return most;
        if (!c->counts)
            place(c, blocks);
        if (idle >= 5) {
            pace *= 0.6;
            idle = 0;
        }
        double goal = goal_of(c);
        double end = isfinite(goal) ? goal : 1.05 * fabs(sum) + 1e-9;
        follow(c, blocks, pace * (fmax(end, sum) - sum + 1e-3 * fabs(end)));
    }
    return most;
}

/* Components of hosts by links up to the limit. */
static int32_t find_components(Cycle *c)
{
    const Hosts *h = c->hosts;
    int32_t found = 0, *stack = c->host;
    for (int32_t i = 0; i < h->count; i++)
        c->component[i] = -1;
    for (int32_t i = 0; i < h->count; i++) {
        int32_t depth = 0;
        if (c->component[i] >= 0 || h->places[i] < c->shape->least)
            continue;
        stack[depth++] = i;
        c->component[i] = found;
        while (depth > 0) {
            int32_t a = stack[--depth];
            for (int32_t b = 0; b < h->count; b++)
                if (c->component[b] < 0 && h->places[b] >= c->shape->least &&
                    hosts_ms(h, a, b) <= c->limit) {
                    c->component[b] = found;
                    stack[depth++] = b;
                }
        }
        found++;
        c->effort->work += h->count;
    }
    return found;
}

static void enter(Cycle *c, int32_t component)
{
    c->count = 0;
    for (int32_t i = 0; i < c->hosts->count; i++)
        if (c->component[i] == component) {
            c->places[c->count] = c->hosts->places[i];
            c->host[c->count++] = i;
        }
}

/* The least bound of all components. */
static double least_of_all(Cycle *c, int32_t steps)
{
    double least = INFINITY;
    int32_t components = find_components(c);
    for (int32_t k = 0; k < components && !c->no_memory; k++) {
        enter(c, k);
        least = fmin(least, least_sum(c, steps));
        if (effort_ended(c->effort))
            return 0;
        if (c->counts && least <= SURE)
            return least;
    }
    return least;
}

static int ascending(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static void list_latencies(Cycle *c, double from, double to)
{
    const Hosts *h = c->hosts;
    int32_t count = 0, distinct = 0;
    for (int32_t a = 0; a < h->count; a++)
        for (int32_t b = 0; b < a; b++)
            if (hosts_ms(h, a, b) >= from && hosts_ms(h, a, b) <= to)
                c->values[count++] = hosts_ms(h, a, b);
    qsort(c->values, (size_t)count, sizeof *c->values, ascending);
    for (int32_t i = 0; i < count; i++)
        if (distinct == 0 || c->values[i] > c->values[distinct - 1])
            c->values[distinct++] = c->values[i];
    c->value_count = distinct;
}

/* The first latency that may do as a limit; value_count: none. */
static int32_t bisect(Cycle *c)
{
    int32_t low = 0, high = c->value_count;
    c->counts = true;
    while (low < high && !c->no_memory && !effort_ended(c->effort)) {
        int32_t middle = low + (high - low) / 2;
        c->limit = c->values[middle];
        if (least_of_all(c, LIMIT_STEPS) > SURE)
            low = middle + 1;
        else
            high = middle;
    }
    c->counts = false;
    return low;
}

/* Can a host hold all, or two? */
static bool holds_all(const Cycle *c, int32_t hosts)
{
    int64_t places[2] = {0, 0};
    for (int32_t i = 0; i < c->hosts->count; i++) {
        int64_t here = c->hosts->places[i];
        if (here > places[0]) {
            places[1] = places[0];
            places[0] = here;
        } else if (here > places[1]) {
            places[1] = here;
        }
    }
    return places[0] + (hosts > 1 ? places[1] : 0) >= c->shape->rest;
}

/* The best placement's largest latency among the values; value_count: it has none of them. */
static int32_t found_at(const Cycle *c)
{
    const Cost *best = &c->best->cost;
    int32_t i = 0;
    while (i < c->value_count &&
           !(c->best->found && best->level == 0 && best->most <= c->values[i]))
        i++;
    return i;
}

/* Placements whose largest latencies are as small as orders can be found for. */
static void try_limits(Cycle *c, int32_t low)
{
    while (low < found_at(c) && !c->no_memory && !effort_ended(c->effort)) {
        int32_t middle = low + (found_at(c) - low) / 2;
        c->limit = c->values[middle];
        (void)least_of_all(c, TRY_STEPS);
        if (found_at(c) > middle)
            low = middle + 1;
    }
}

static void solve(Cycle *c, Cost *lower)
{
    bool known = c->best->found && c->best->cost.level == 0;
    list_latencies(c, lower->most, known ? c->best->cost.most : INFINITY);
    int32_t low = bisect(c);
    if (low < c->value_count)
        lower->most = fmax(lower->most, c->values[low]);
    try_limits(c, low);
    int32_t found = found_at(c);
    if (c->no_memory || found >= c->value_count)
        return;
    c->limit = c->values[found];
    double least = least_of_all(c, STEPS);
    if (found == low && isfinite(least) && !c->no_memory)
        lower->mean = fmax(lower->mean, least / c->shape->groups);
}

static int32_t widest_of(const Hosts *h)
{
    int32_t widest = 0;
    for (int32_t i = 0; i < h->count; i++)
        widest = h->places[i] > widest ? h->places[i] : widest;
    return widest;
}

bool cycle_solve(const Hosts *h, Shape *s, Cost *lower, Best *best, Effort *effort)
{
    Cycle c = {.hosts = h, .shape = s, .best = best, .effort = effort};
    size_t n = (size_t)h->count;
    double cells = 3.0 * (s->parts + 1.0) * (s->rest - s->parts * s->least + 1.0);
    if (lower->level > 0 || cells * h->count > MOST_CELLS || holds_all(&c, 1))
        return true;
    c.pair = holds_all(&c, 2);
    bool good = ring_choice_make(&c.choice, s, h->count, widest_of(h)) && mem_new(c.component, n) &&
                mem_new(c.host, n) && mem_new(c.places, n) && mem_new_zeroed(c.near, n) &&
                mem_new(c.multiplier, n) && mem_new(c.w, n) && mem_new(c.slope, n) &&
                mem_new(c.block, n) && mem_new(c.named, n) && mem_new(c.values, n * n / 2 + 1);
    if (good)
        solve(&c, lower);
    ring_choice_free(&c.choice);
    mem_free_all(c.component, c.host, c.places, c.near, c.multiplier, c.w, c.slope, c.block,
                 c.named, c.values);
    return good && !c.no_memory;
}
