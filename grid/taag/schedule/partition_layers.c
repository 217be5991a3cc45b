/* Layers of states, and the ways back through them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "grid/taag/schedule/partition_states.h"

/* Of all layers. */
enum { MOST_STATES = 500000 };

/* ---- layers --------------------------------------------------------------------------------- */

/* The cost of a state, and its bound: the least so far.  False: out of memory. */
static bool put(Layer *l, MemoKey key, double cost, double bound)
{
    const size_t count = l->found.count;
    const MemColumn columns[] = {{&l->cost, sizeof *l->cost}, {&l->bound, sizeof *l->bound}};
    if (!mem_reserve_columns(columns, 2, &l->cap, count + 1))
        return false;
    int32_t *at = memo_at(&l->found, key.a, key.b);
    if (!at)
        return false;
    if (*at >= 0 && l->cost[*at] <= cost)
        return true;
    *at = *at < 0 ? (int32_t)count : *at;
    l->cost[*at] = cost;
    l->bound[*at] = bound;
    return true;
}

static double saved_at_most(const Partition *p)
{
    return p->charge * p->saving;
}

/* Is the present state of the first k groups, with so many in its frontier, in its layer, or can it be? */
static bool goes_on(const States *s, int32_t k, int32_t count)
{
    const MemoKey key = states_pack(s, count);
    return memo_find(&s->layer[k].found, key.a, key.b) >= 0 || states_go_on(s, k);
}

/* The k-th group of the present state on a site. */
static void extend(States *s, int32_t k, int32_t a, double cost)
{
    Partition *p = s->p;
    const PartitionCuts *c = &p->cuts;
    const int32_t g = c->order[k], size = p->shape->size[g], count = c->at[k + 2] - c->at[k + 1];
    int8_t before[MOST_FRONTIER];
    cost += states_have_room(s, s->class[g], a) ? states_cost(s, k, a) : INFINITY;
    if (!isfinite(cost))
        return;
    memcpy(before, s->frontier, sizeof before);
    for (int32_t i = 0; i < count; i++) {
        const int32_t from = c->from[c->at[k + 1] + i];
        s->frontier[i] = from < 0 ? (int8_t)a : before[from];
    }
    int32_t *taken = s->taken + (size_t)a * (size_t)p->sizes;
    const int32_t *whole = s->whole + (size_t)s->class[g] * (size_t)p->sizes;
    s->used[a] += size;
    s->content[a] += s->weight[s->class[g]];
    for (int32_t z = 0; z < p->sizes; z++)
        taken[z] += whole[z];
    const double bound =
        cost + partition_cuts_rest(c, k + 1, a, s->frontier, s->used, s->taken) - saved_at_most(p);
    const bool better = !partition_no_better(p, bound) && goes_on(s, k + 1, count);
    if (better && (effort_ended(p->effort) || s->states >= MOST_STATES)) {
        p->effort->ended = true;
        partition_leave_out(p, bound);
    } else if (better) {
        Layer *next = &s->layer[k + 1];
        const size_t known = next->found.count;
        p->no_memory = !put(next, states_pack(s, count), cost, bound);
        s->states += next->found.count > known;
    }
    s->used[a] -= size;
    s->content[a] -= s->weight[s->class[g]];
    for (int32_t z = 0; z < p->sizes; z++)
        taken[z] -= whole[z];
    memcpy(s->frontier, before, sizeof before);
}

static int by_value(const void *x, const void *y)
{
    const double *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

/* The least bounds stay: `width` of them, and those that are equal to the last one. */
static void narrow(States *s, Layer *l)
{
    const size_t count = l->found.count;
    double *bound = NULL;
    Layer few = {0};
    if (s->width == 0 || count <= (size_t)s->width)
        return;
    bool good = mem_new(bound, count);
    if (good) {
        memcpy(bound, l->bound, count * sizeof *bound);
        qsort(bound, count, sizeof *bound, by_value);
    }
    for (size_t i = 0; i < l->found.slot_count && good; i++) {
        const int32_t at = l->found.values[i];
        if (at < 0)
            continue;
        if (l->bound[at] <= bound[s->width - 1])
            good = put(&few, l->found.keys[i], l->cost[at], l->bound[at]);
        else
            partition_leave_out(s->p, l->bound[at]);
    }
    memo_free(&l->found);
    mem_free_all(l->cost, l->bound, bound);
    *l = few;
    s->p->no_memory = !good;
}

void states_fill(States *s)
{
    Partition *p = s->p;
    const PartitionCuts *c = &p->cuts;
    p->no_memory = !put(&s->layer[0], states_pack(s, 0), 0, 0);
    for (int32_t k = 0; k < c->groups && !p->no_memory; k++) {
        Layer *now = &s->layer[k];
        const int32_t count = c->at[k + 1] - c->at[k];
        p->asked = p->beaten = 0;
        for (size_t i = 0; i < now->found.slot_count && !p->no_memory; i++) {
            const int32_t at = now->found.values[i];
            if (at < 0)
                continue;
            states_unpack(s, now->found.keys[i], k);
            if (states_are_beaten(s, k, now->cost[at] - saved_at_most(p)))
                continue;
            for (int32_t j = 0; j < s->sites && !p->no_memory; j++)
                extend(s, k, s->site[j], now->cost[at]);
            p->effort->work +=
                (int64_t)s->sites *
                (p->sizes + p->sizes * p->sizes / 16 + count + c->cuts * (count + 8)) / 4;
        }
        mem_free(now->bound);
        now->bound = NULL;
        if (!p->no_memory)
            narrow(s, &s->layer[k + 1]);
    }
}

/* ---- ways back ------------------------------------------------------------------------------ */

static void walk_back(States *s, int32_t k, double after);

/* The k-th group has a site, and so have those of the frontier of the k groups before it. */
static void step_back(States *s, int32_t k, double after)
{
    Partition *p = s->p;
    const PartitionCuts *c = &p->cuts;
    const int32_t count = c->at[k + 1] - c->at[k], a = p->site[c->order[k]];
    for (int32_t j = 0; j < count; j++)
        s->frontier[j] = (int8_t)p->site[c->frontier[c->at[k] + j]];
    const MemoKey key = states_pack(s, count);
    const int32_t at = memo_find(&s->layer[k].found, key.a, key.b);
    p->effort->work += count + 4;
    if (at < 0)
        return;
    after += states_cost(s, k, a);
    const double sum = s->layer[k].cost[at] + after;
    if (sum > s->ceiling || partition_no_better(p, sum - saved_at_most(p)))
        return;
    if (effort_ended(p->effort))
        partition_leave_out(p, sum - saved_at_most(p));
    else
        walk_back(s, k, after);
}

/* Without the k-th group. */
static void take_back(States *s, int32_t k, double after)
{
    const Partition *p = s->p;
    const int32_t g = p->cuts.order[k], a = p->site[g], z = s->class[g];
    const bool has = p->homes.spread ? s->content[a] >= s->weight[z]
                                     : s->content[a] / s->weight[z] % s->base[z] > 0;
    if (!has)
        return;
    s->content[a] -= s->weight[z];
    step_back(s, k, after);
    s->content[a] += s->weight[z];
}

/* Sites of those that the frontier of k + 1 groups does not have: the j-th of the frontier of k and those after it,
 * then the k-th itself. */
static void choose_back(States *s, int32_t k, int32_t j, double after)
{
    Partition *p = s->p;
    const PartitionCuts *c = &p->cuts;
    const int32_t count = c->at[k + 1] - c->at[k];
    if (j > count) {
        take_back(s, k, after);
        return;
    }
    const int32_t g = j == count ? c->order[k] : c->frontier[c->at[k] + j];
    if (p->site[g] >= 0) {
        choose_back(s, k, j + 1, after);
        return;
    }
    for (int32_t i = 0; i < s->sites && !s->over && !p->no_memory; i++) {
        p->site[g] = s->site[i];
        choose_back(s, k, j + 1, after);
    }
    p->site[g] = -1;
}

/* Groups from the k-th on have sites; their connections with each other and with those before them cost so much. */
static void walk_back(States *s, int32_t k, double after)
{
    const double before = s->p->least;
    if (k > 0) {
        choose_back(s, k - 1, 0, after);
        return;
    }
    partition_arrive(s->p);
    s->over = s->first && s->p->least < before;
}

void states_walk(States *s, double ceiling, bool first)
{
    const int32_t groups = s->p->cuts.groups;
    const Layer *last = &s->layer[groups];
    s->ceiling = ceiling;
    s->first = first;
    s->over = false;
    for (size_t i = 0; i < last->found.slot_count && !s->p->no_memory && !s->over; i++) {
        const int32_t at = last->found.values[i];
        if (at < 0 || last->cost[at] > ceiling)
            continue;
        states_unpack(s, last->found.keys[i], groups);
        walk_back(s, groups, 0);
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

/* The first site of the next set of joined sites that hold the groups, from `a` on; -1: there is none. */
static int32_t next_joined(const Partition *p, int32_t a)
{
    for (; a < p->sites->count; a++)
        if (!p->cuts.bars[a] && (p->cuts.joined[a] & (((uint32_t)1 << a) - 1)) == 0)
            return a;
    return -1;
}

bool partition_states_suit(Partition *p)
{
    bool suits = p->cuts.groups == p->talking && !p->no_memory;
    for (int32_t a = next_joined(p, 0); a >= 0 && suits; a = next_joined(p, a + 1)) {
        States s;
        p->no_memory = !states_make(&s, p, a, &suits);
        suits = suits && !p->no_memory;
        for (int32_t i = 0; i < s.sites && suits; i++)
            suits = p->sites->ms[s.site[i]][s.site[i]] <= p->limit;
        states_free(&s);
    }
    return suits;
}

/* On sites that links join with site `a`. */
static void explore_joined(Partition *p, int32_t a, int32_t width)
{
    States s;
    bool suit;
    double least = INFINITY;
    p->no_memory = !states_make(&s, p, a, &suit);
    s.width = width;
    if (!p->no_memory)
        states_fill(&s);
    if (!p->no_memory) {
        const Layer *last = &s.layer[p->cuts.groups];
        for (size_t i = 0; i < last->found.count; i++)
            least = fmin(least, last->cost[i]);
    }
    if (isfinite(least))
        states_walk(&s, least * (1 + 1e-9), true);
    if (isfinite(least) && !p->no_memory)
        states_walk(&s, INFINITY, false);
    states_free(&s);
}

void partition_states_explore(Partition *p, int32_t width)
{
    for (int32_t a = next_joined(p, 0); a >= 0 && !p->no_memory; a = next_joined(p, a + 1))
        explore_joined(p, a, width);
}
