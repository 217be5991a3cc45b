/* States and their keys. */
#include "grid/taag/schedule/partition_states.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

static const uint64_t MOST_CONTENT = (uint64_t)1 << 40;

static int32_t bits_of(uint64_t most)
{
    int32_t bits = 0;
    for (; most > 0; most >>= 1)
        bits++;
    return bits;
}

/* Digits for sizes.  False: numbers are too large. */
static bool weigh_sizes(States *s)
{
    const Partition *p = s->p;
    const PartitionCuts *c = &p->cuts;
    uint64_t weight = 1;
    for (int32_t z = 0; z < p->sizes; z++)
        s->base[z] = 1;
    for (int32_t k = 0; k < c->groups; k++) {
        int32_t z = 0;
        while (p->size[z] != p->shape->size[c->order[k]])
            z++;
        s->class[c->order[k]] = z;
        s->base[z]++;
    }
    for (int32_t z = 0; z < p->sizes; z++) {
        s->weight[z] = p->homes.spread ? (uint64_t)p->size[z] : weight;
        if (weight > MOST_CONTENT / s->base[z])
            return false;
        weight *= p->homes.spread ? 1 : s->base[z];
        for (int32_t k = 0; k < p->sizes; k++)
            s->whole[z * p->sizes + k] = p->size[z] / p->size[k];
    }
    s->all[0] = 0;
    for (int32_t k = 0; k < c->groups; k++)
        s->all[k + 1] = s->all[k] + s->weight[s->class[c->order[k]]];
    return true;
}

bool states_make(States *s, Partition *p, int32_t a, bool *suit)
{
    const PartitionCuts *c = &p->cuts;
    const size_t sizes = (size_t)p->sizes;
    int32_t widest = 0;
    *s = (States){.p = p};
    if (!mem_new(s->weight, sizes) || !mem_new(s->whole, sizes * sizes) ||
        !mem_new(s->base, sizes) || !mem_new(s->all, c->groups + 1) ||
        !mem_new(s->class, p->shape->groups) || !mem_new_zeroed(s->layer, c->groups + 1) ||
        !mem_new(s->place, p->shape->groups) || !mem_new(s->open, p->shape->groups) ||
        !mem_new(s->room, sizes) || !mem_new_zeroed(s->taken, (size_t)p->sites->count * sizes))
        return false;
    for (int32_t b = 0; b < p->sites->count; b++)
        if (c->joined[a] >> b & 1) {
            s->number[b] = s->sites;
            s->site[s->sites++] = b;
        }
    for (int32_t i = 0; i < s->sites; i++)
        for (int32_t j = 0; j < s->sites; j++)
            if (i == j || p->sites->ms[s->site[i]][s->site[j]] <= p->limit)
                s->near[s->site[i]] |= (uint32_t)1 << s->site[j];
    for (int32_t k = 0; k < c->groups; k++)
        s->place[c->order[k]] = k;
    for (int32_t k = 0; k <= c->groups; k++)
        widest = c->at[k + 1] - c->at[k] > widest ? c->at[k + 1] - c->at[k] : widest;
    *suit = weigh_sizes(s);
    s->site_bits = bits_of((uint64_t)s->sites - 1);
    s->content_bits = bits_of(s->all[c->groups]);
    *suit = *suit && widest * s->site_bits + (s->sites - 1) * s->content_bits <= 128;
    return true;
}

void states_free(States *s)
{
    for (int32_t k = 0; s->layer && k <= s->p->cuts.groups; k++) {
        memo_free(&s->layer[k].found);
        mem_free_all(s->layer[k].cost, s->layer[k].bound);
    }
    mem_free_all(s->weight, s->whole, s->base, s->all, s->class, s->place, s->open, s->room,
                 s->layer, s->taken);
}

/* ---- keys ----------------------------------------------------------------------------------- */

static void push(MemoKey *key, int32_t bits, uint64_t value)
{
    if (bits > 0) {
        key->a = key->a << bits | key->b >> (64 - bits);
        key->b = key->b << bits | value;
    }
}

static uint64_t pop(MemoKey *key, int32_t bits)
{
    if (bits == 0)
        return 0;
    const uint64_t value = key->b & (((uint64_t)1 << bits) - 1);
    key->b = key->b >> bits | key->a << (64 - bits);
    key->a >>= bits;
    return value;
}

/* The last site contains what the others do not. */
MemoKey states_pack(const States *s, int32_t count)
{
    MemoKey key = {0, 0};
    for (int32_t j = 0; j < count; j++)
        push(&key, s->site_bits, (uint64_t)s->number[s->frontier[j]]);
    for (int32_t i = 0; i + 1 < s->sites; i++)
        push(&key, s->content_bits, s->content[s->site[i]]);
    return key;
}

/* Processes, and what they take, of what a site contains. */
static void count_taken(States *s, int32_t a)
{
    const Partition *p = s->p;
    int32_t *taken = s->taken + (size_t)a * (size_t)p->sizes;
    s->used[a] = p->homes.spread ? (int32_t)s->content[a] : 0;
    memset(taken, 0, (size_t)p->sizes * sizeof *taken);
    for (int32_t z = 0; z < p->sizes && !p->homes.spread; z++) {
        const int32_t groups = (int32_t)(s->content[a] / s->weight[z] % s->base[z]);
        s->used[a] += groups * p->size[z];
        for (int32_t k = z; k < p->sizes && groups > 0; k++) /* smaller ones */
            taken[k] += groups * s->whole[z * p->sizes + k];
    }
}

void states_unpack(States *s, MemoKey key, int32_t k)
{
    const int32_t count = s->p->cuts.at[k + 1] - s->p->cuts.at[k];
    uint64_t rest = s->all[k];
    for (int32_t i = s->sites - 2; i >= 0; i--) {
        s->content[s->site[i]] = pop(&key, s->content_bits);
        rest -= s->content[s->site[i]];
    }
    s->content[s->site[s->sites - 1]] = rest;
    for (int32_t j = count - 1; j >= 0; j--)
        s->frontier[j] = (int8_t)s->site[pop(&key, s->site_bits)];
    for (int32_t i = 0; i < s->sites; i++)
        count_taken(s, s->site[i]);
}

bool states_have_room(const States *s, int32_t z, int32_t a)
{
    const Partition *p = s->p;
    const int32_t size = p->size[z], *taken = s->taken + (size_t)a * (size_t)p->sizes;
    bool room = s->used[a] + size <= p->room[a];
    for (int32_t k = z; k < p->sizes && room && !p->homes.spread; k++)
        room = taken[k] + s->whole[z * p->sizes + k] <= partition_units(p, a)[k];
    return room;
}

/* The sizes for which a site has room: states_have_room for each. */
static void find_room(const States *s, int32_t a)
{
    const Partition *p = s->p;
    const int32_t *units = partition_units(p, a), *taken = s->taken + (size_t)a * (size_t)p->sizes;
    int64_t most = p->room[a] - s->used[a]; /* the largest size that the smaller ones let in */
    for (int32_t z = p->sizes - 1; z >= 0; z--) {
        const int64_t here = (units[z] - taken[z] + 1) * (int64_t)p->size[z] - 1;
        most = here < most && !p->homes.spread ? here : most;
        s->room[z] |= p->size[z] <= most ? (uint32_t)1 << a : 0;
    }
}

/* Sites near one of those that a group may be on. */
static uint32_t near_any(const States *s, uint32_t open)
{
    uint32_t near = 0;
    for (int32_t i = 0; i < s->sites; i++)
        near |= open >> s->site[i] & 1 ? s->near[s->site[i]] : 0;
    return near;
}

/* Those connected with a group may be on some sites only.  False: there is none left for one of them.  *less: they
 * have fewer now. */
static bool restrict_near(const States *s, int32_t g, int32_t k, uint32_t sites, bool *less)
{
    const Neighbours *near = &s->p->near;
    bool some = true;
    for (int32_t i = near->at[g]; i < near->at[g + 1] && some; i++) {
        const int32_t h = near->to[i];
        if (s->place[h] < k || (s->open[h] & ~sites) == 0)
            continue;
        s->open[h] &= sites;
        some = s->open[h] != 0;
        *less = true;
    }
    return some;
}

bool states_go_on(const States *s, int32_t k)
{
    const PartitionCuts *c = &s->p->cuts;
    bool some = true, less = false;
    memset(s->room, 0, (size_t)s->p->sizes * sizeof *s->room);
    for (int32_t j = 0; j < s->sites; j++)
        find_room(s, s->site[j]);
    s->p->effort->work += s->sites * s->p->sizes / 8;
    for (int32_t i = k; i < c->groups && some; i++) {
        s->open[c->order[i]] = s->room[s->class[c->order[i]]];
        some = s->open[c->order[i]] != 0;
    }
    for (int32_t j = c->at[k]; j < c->at[k + 1] && some; j++)
        some = restrict_near(s, c->frontier[j], k, s->near[s->frontier[j - c->at[k]]], &less);
    while (some && less) {
        s->p->effort->work += (c->groups - k) / 4;
        less = false;
        for (int32_t i = k; i < c->groups && some; i++)
            some = restrict_near(s, c->order[i], k, near_any(s, s->open[c->order[i]]), &less);
    }
    return some;
}

double states_cost(const States *s, int32_t k, int32_t a)
{
    const Partition *p = s->p;
    const PartitionCuts *c = &p->cuts;
    double sum = 0;
    for (int32_t j = 0; j < c->at[k + 1] - c->at[k]; j++)
        if (c->close[k] >> j & 1) {
            const int32_t b = s->frontier[j];
            sum += a != b && p->sites->ms[a][b] > p->limit ? INFINITY : partition_price(p, a, b);
        }
    return sum;
}

/* Of the k-th group on a site: with the groups before it, and half of that with those after it, at least. */
static double cost_on(const States *s, int32_t k, int32_t a, double connection)
{
    const Partition *p = s->p;
    const int32_t g = p->cuts.order[k];
    double sum = 0;
    for (int32_t i = p->near.at[g]; i < p->near.at[g + 1]; i++) {
        const int32_t b = p->site[p->near.to[i]];
        if (b >= 0 && a != b && p->sites->ms[a][b] > p->limit)
            return INFINITY;
        sum += b >= 0 ? partition_price(p, a, b) : 0.5 * connection;
    }
    return sum;
}

bool states_are_beaten(const States *s, int32_t k, double before)
{
    Partition *p = s->p;
    const PartitionCuts *c = &p->cuts;
    Transport *t = &p->transport;
    double connection[MOST_SITES];
    int64_t room[MOST_SITES] = {0};
    bool some = true;
    for (int32_t j = c->at[k]; j < c->at[k + 1]; j++)
        p->site[c->frontier[j]] = s->frontier[j - c->at[k]];
    partition_cheapest(p, connection);
    for (int32_t i = 0; i < s->sites; i++)
        room[s->site[i]] = p->room[s->site[i]] - s->used[s->site[i]];
    t->groups = 0;
    for (int32_t i = k; i < c->groups && some; i++) {
        double *cost = transport_costs(t, t->groups);
        some = false;
        for (int32_t a = 0; a < p->sites->count; a++) {
            const bool inside = c->joined[s->site[0]] >> a & 1;
            cost[a] = inside ? cost_on(s, i, a, connection[a]) : INFINITY;
            some = some || isfinite(cost[a]);
        }
        t->size[t->groups++] = p->shape->size[c->order[i]];
    }
    for (int32_t j = c->at[k]; j < c->at[k + 1]; j++)
        p->site[c->frontier[j]] = -1;
    p->effort->work += (int64_t)(c->groups - k) * s->sites / 2;
    return !some || partition_is_beaten(p, before, room);
}
