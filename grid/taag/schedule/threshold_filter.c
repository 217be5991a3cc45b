/* Hosts that groups can have. */
#include <string.h>

#include "base/mem.h"
#include "grid/taag/schedule/threshold_inner.h"

/* ---- memory --------------------------------------------------------------------------------- */

static void list_sizes(Threshold *t)
{
    const Shape *s = t->shape;
    for (int32_t k = 0; k < s->groups; k++) {
        const int32_t size = s->size[s->order[k]];
        if (t->sizes == 0 || size < t->size[t->sizes - 1])
            t->size[t->sizes++] = size;
    }
}

bool threshold_make(Threshold *out, const Hosts *h, const Shape *s)
{
    const size_t hosts = (size_t)h->count, groups = (size_t)s->groups;
    const size_t words = (hosts + 63) / 64;
    *out = (Threshold){.hosts = h, .shape = s, .words = (int32_t)words};
    if (!neighbours_make(&out->near, s) || !mem_new(out->linked, hosts * words) ||
        !mem_new(out->open, (groups + 1) * groups * words) ||
        !mem_new(out->around, groups * words) || !mem_new(out->stale, groups) ||
        !mem_new(out->wakes, groups) || !mem_new(out->size, groups))
        return false;
    list_sizes(out);
    return mem_new(out->units, hosts * (size_t)out->sizes) && mem_new(out->wanted, out->sizes) &&
           mem_new(out->host, groups) && mem_new(out->free, hosts) &&
           mem_new_zeroed(out->weight, groups) && mem_new(out->near_hosts, 2 * words) &&
           mem_new(out->near_groups, 2 * groups) && mem_new(out->tried, (groups + 1) * words);
}

void threshold_free(Threshold *t)
{
    neighbours_free(&t->near);
    mem_free_all(t->linked, t->open, t->around, t->stale, t->wakes, t->size, t->units, t->wanted,
                 t->host, t->free, t->weight, t->near_hosts, t->near_groups, t->tried);
}

/* ---- sets ----------------------------------------------------------------------------------- */

static bool holds(const uint64_t *set, int32_t i)
{
    return set[i / 64] >> (i % 64) & 1;
}

/* The first member from i on; -1: there is none. */
static int32_t next_of(const uint64_t *set, int32_t words, int32_t i)
{
    if (i >= 64 * words)
        return -1;
    int32_t w = i / 64;
    uint64_t left = set[w] & (~(uint64_t)0 << (i % 64));
    while (left == 0 && ++w < words)
        left = set[w];
    return left == 0 ? -1 : 64 * w + __builtin_ctzll(left);
}

/* ---- room ----------------------------------------------------------------------------------- */

static void add_units(Threshold *t, int32_t h, int32_t places, int32_t by)
{
    int64_t *units = t->units + (size_t)h * (size_t)t->sizes;
    for (int32_t k = 0; k < t->sizes; k++)
        units[k] += by * (places / t->size[k]);
}

void threshold_put(Threshold *t, int32_t g, int32_t h, int32_t by)
{
    const int32_t before = t->free[h], after = before - by * t->shape->size[g];
    const uint64_t *linked = threshold_linked(t, h);
    for (int32_t x = next_of(linked, t->words, 0); x >= 0; x = next_of(linked, t->words, x + 1)) {
        add_units(t, x, before, -1);
        add_units(t, x, after, 1);
        t->effort->work += t->sizes;
    }
    t->free[h] = after;
    t->host[g] = by > 0 ? h : -1;
}

/* Units that a group and its neighbours need around its host, if they have none yet. */
static void want(Threshold *t, int32_t g)
{
    const int32_t *size = t->shape->size;
    for (int32_t k = 0; k < t->sizes; k++)
        t->wanted[k] = t->host[g] < 0 ? size[g] / t->size[k] : 0;
    for (int32_t i = t->near.at[g]; i < t->near.at[g + 1]; i++)
        for (int32_t k = 0; k < t->sizes && t->host[t->near.to[i]] < 0; k++)
            t->wanted[k] += size[t->near.to[i]] / t->size[k];
}

static bool has_room(const Threshold *t, int32_t h)
{
    const int64_t *units = t->units + (size_t)h * (size_t)t->sizes;
    bool room = true;
    for (int32_t k = 0; k < t->sizes && room; k++)
        room = units[k] >= t->wanted[k];
    return room;
}

/* ---- filtering ------------------------------------------------------------------------------ */

/* Hosts next to one that a group can have. */
static const uint64_t *around(Threshold *t, int32_t depth, int32_t g)
{
    uint64_t *set = t->around + (size_t)g * (size_t)t->words;
    if (t->host[g] >= 0)
        return threshold_linked(t, t->host[g]);
    if (!t->stale[g])
        return set;
    const uint64_t *open = threshold_open(t, depth, g);
    memset(set, 0, (size_t)t->words * sizeof *set);
    for (int32_t h = next_of(open, t->words, 0); h >= 0; h = next_of(open, t->words, h + 1)) {
        for (int32_t w = 0; w < t->words; w++)
            set[w] |= threshold_linked(t, h)[w];
        t->effort->work += t->words;
    }
    t->stale[g] = false;
    return set;
}

/* Fewer hosts for a group; *changed.  False: none is left. */
static bool revise(Threshold *t, int32_t depth, int32_t g, bool *changed)
{
    uint64_t *open = threshold_open(t, depth, g), any = 0;
    *changed = false;
    for (int32_t i = t->near.at[g]; i < t->near.at[g + 1]; i++) {
        const uint64_t *set = around(t, depth, t->near.to[i]);
        for (int32_t w = 0; w < t->words; w++) {
            *changed = *changed || (open[w] & ~set[w]) != 0;
            open[w] &= set[w];
        }
    }
    want(t, g);
    for (int32_t h = next_of(open, t->words, 0); h >= 0; h = next_of(open, t->words, h + 1)) {
        t->effort->work += 2;
        if (t->free[h] < t->shape->size[g] || !has_room(t, h)) {
            open[h / 64] &= ~((uint64_t)1 << (h % 64));
            *changed = true;
        }
    }
    for (int32_t w = 0; w < t->words; w++)
        any |= open[w];
    t->effort->work += (int64_t)t->words * (1 + t->near.at[g + 1] - t->near.at[g]);
    t->stale[g] = t->stale[g] || *changed;
    return any != 0;
}

bool threshold_filter(Threshold *t, int32_t depth)
{
    for (int32_t g = 0; g < t->shape->groups; g++) {
        t->stale[g] = t->wakes[g] = true;
        if (t->host[g] < 0)
            continue;
        want(t, g);
        if (!has_room(t, t->host[g])) {
            t->weight[g]++;
            return false;
        }
    }
    for (bool again = true; again && !effort_ended(t->effort);) {
        again = false;
        for (int32_t g = 0; g < t->shape->groups; g++) {
            bool changed;
            if (t->host[g] >= 0 || !t->wakes[g])
                continue;
            t->wakes[g] = false;
            if (!revise(t, depth, g, &changed)) {
                t->weight[g]++;
                return false;
            }
            for (int32_t i = t->near.at[g]; i < t->near.at[g + 1] && changed; i++)
                t->wakes[t->near.to[i]] = true;
            again = again || changed;
        }
    }
    return true;
}

/* ---- the beginning -------------------------------------------------------------------------- */

static void link_hosts(Threshold *t)
{
    const Hosts *h = t->hosts;
    memset(t->linked, 0, (size_t)h->count * (size_t)t->words * sizeof *t->linked);
    memset(t->units, 0, (size_t)h->count * (size_t)t->sizes * sizeof *t->units);
    for (int32_t a = 0; a < h->count; a++) {
        t->free[a] = h->places[a];
        for (int32_t b = 0; b < h->count; b++)
            if (a == b || hosts_ms(h, a, b) <= t->limit) {
                threshold_linked(t, a)[b / 64] |= (uint64_t)1 << (b % 64);
                add_units(t, a, h->places[b], 1);
            }
    }
    t->effort->work += (int64_t)h->count * h->count;
}

/* Groups one connection farther.  Returns whether there are more. */
static bool farther_groups(const Threshold *t, bool *seen, bool *next)
{
    bool more = false;
    memcpy(next, seen, (size_t)t->shape->groups * sizeof *next);
    for (int32_t g = 0; g < t->shape->groups; g++)
        for (int32_t i = t->near.at[g]; i < t->near.at[g + 1] && seen[g]; i++) {
            more = more || !next[t->near.to[i]];
            next[t->near.to[i]] = true;
        }
    memcpy(seen, next, (size_t)t->shape->groups * sizeof *next);
    return more;
}

/* Do the hosts r links around h hold what is r connections around g, for all r? */
static bool balls_fit(Threshold *t, int32_t g, int32_t h)
{
    const size_t words = (size_t)t->words, groups = (size_t)t->shape->groups;
    uint64_t *inside = t->near_hosts, *next = inside + words;
    bool fit = true;
    memset(t->near_groups, 0, groups * sizeof *t->near_groups);
    t->near_groups[g] = true;
    memset(inside, 0, words * sizeof *inside);
    inside[h / 64] |= (uint64_t)1 << (h % 64);
    while (fit && farther_groups(t, t->near_groups, t->near_groups + groups)) {
        memset(next, 0, words * sizeof *next);
        for (int32_t x = next_of(inside, t->words, 0); x >= 0; x = next_of(inside, t->words, x + 1))
            for (size_t w = 0; w < words; w++)
                next[w] |= threshold_linked(t, x)[w];
        memcpy(inside, next, words * sizeof *inside);
        for (int32_t k = 0; k < t->sizes; k++) {
            int64_t units = 0;
            for (size_t i = 0; i < groups; i++)
                units -= t->near_groups[i] ? t->shape->size[i] / t->size[k] : 0;
            for (int32_t x = next_of(inside, t->words, 0); x >= 0;
                 x = next_of(inside, t->words, x + 1))
                units += t->hosts->places[x] / t->size[k];
            fit = fit && units >= 0;
        }
        t->effort->work += (int64_t)t->hosts->count * (t->words + t->sizes) / 4;
    }
    return fit;
}

bool threshold_begin(Threshold *t)
{
    const Shape *s = t->shape;
    link_hosts(t);
    memset(t->open, 0, (size_t)s->groups * (size_t)t->words * sizeof *t->open);
    for (int32_t g = 0; g < s->groups; g++) {
        t->host[g] = -1;
        for (int32_t h = 0; h < t->hosts->count; h++)
            if (t->hosts->places[h] >= s->size[g])
                threshold_open(t, 0, g)[h / 64] |= (uint64_t)1 << (h % 64);
    }
    if (!threshold_filter(t, 0))
        return false;
    for (int32_t g = 0; g < s->groups; g++) {
        uint64_t *open = threshold_open(t, 0, g);
        for (int32_t h = next_of(open, t->words, 0); h >= 0 && !effort_ended(t->effort);
             h = next_of(open, t->words, h + 1))
            if (holds(open, h) && !balls_fit(t, g, h))
                open[h / 64] &= ~((uint64_t)1 << (h % 64));
    }
    return threshold_filter(t, 0);
}
