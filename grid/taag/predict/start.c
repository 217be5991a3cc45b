/* Greedy placements and a descent from the best of them. */
#include "grid/taag/predict/start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* A host, and what hosts are ordered by. */
typedef struct {
    double pass, second;
    int32_t host;
} Key;

static int by_key(const void *x, const void *y)
{
    const Key *a = x, *b = y;
    if (a->pass < b->pass || a->pass > b->pass)
        return a->pass < b->pass ? -1 : 1;
    if (a->second < b->second || a->second > b->second)
        return a->second < b->second ? -1 : 1;
    return (a->host > b->host) - (a->host < b->host);
}

/* Hosts around a center, itself first; center < 0: by speed alone. */
static void sort_hosts(const Costs *c, int32_t center, Key *key, int32_t *order)
{
    for (int32_t host = 0; host < c->count; host++) {
        const double pass = center < 0 ? 0 : host == center ? -1 : costs_pass(c, center, host);
        key[host] = (Key){pass, c->second[host], host};
    }
    qsort(key, (size_t)c->count, sizeof *key, by_key);
    for (int32_t i = 0; i < c->count; i++)
        order[i] = key[i].host;
}

bool start_make(Start *s, Fastest *fastest, int32_t processes)
{
    const Costs *c = fastest->costs;
    const size_t hosts = (size_t)c->count;
    Key *key = NULL;
    *s = (Start){.fastest = fastest};
    const bool made = mem_new(key, hosts) && mem_new(s->by_speed, hosts) &&
                      mem_new(s->around, hosts * hosts) && mem_new(s->free, hosts) &&
                      mem_new(s->taken, hosts) && mem_new(s->host_of, processes) &&
                      mem_new(s->first, processes + 1) && mem_new(s->group, processes);
    if (made)
        sort_hosts(c, -1, key, s->by_speed);
    for (size_t center = 0; center < hosts && made; center++)
        sort_hosts(c, (int32_t)center, key, s->around + center * hosts);
    mem_free(key);
    return made;
}

void start_free(Start *s)
{
    mem_free_all(s->by_speed, s->around, s->free, s->taken, s->host_of, s->first, s->group);
    *s = (Start){0};
}

static void begin(Start *s, const Shape *shape)
{
    const Hosts *h = s->fastest->costs->hosts;
    int32_t rank = 0;
    for (int32_t g = 0; g < shape->groups; rank += shape->size[g++])
        s->first[g] = rank;
    memcpy(s->free, h->places, (size_t)h->count * sizeof *s->free);
}

/* The next group takes what is free, host by host. */
static void take(Start *s, const Shape *shape, int32_t g, const int32_t *order)
{
    for (int32_t p = 0, at = 0; p < shape->size[g]; p++) {
        while (s->free[order[at]] == 0)
            at++;
        s->free[order[at]]--;
        s->host_of[s->first[g] + p] = order[at];
    }
}

static void fill(Start *s, const Shape *shape, const int32_t *order)
{
    begin(s, shape);
    for (int32_t i = 0; i < shape->groups; i++)
        take(s, shape, shape->order[i], order);
    (void)fastest_offer(s->fastest, shape, s->host_of);
}

/* What a group of n takes alone on the places that are free around a host. */
static double time_around(Start *s, int32_t n, const int32_t *order)
{
    const Costs *c = s->fastest->costs;
    double step = 0, pass = 0;
    int32_t count = 0;
    for (int32_t at = 0, left = n; left > 0; at++) {
        const int32_t host = order[at], most = s->free[host];
        const int32_t here = most < left ? most : left;
        if (here == 0)
            continue;
        step = fmax(step, costs_step(c, host, c->hosts->places[host] - most + here));
        if (here > 1)
            pass = fmax(pass, costs_pass(c, host, host));
        for (int32_t i = 0; i < count; i++)
            pass = fmax(pass, costs_pass(c, host, s->taken[i]));
        s->taken[count++] = host;
        left -= here;
    }
    s->fastest->work += c->count / 8 + (int64_t)count * count / 2;
    return n * step + (n - 1) * pass;
}

/* Each group takes the hosts around the one where it is fastest. */
static void fill_by_groups(Start *s, const Shape *shape)
{
    const size_t hosts = (size_t)s->fastest->costs->count;
    begin(s, shape);
    for (int32_t i = 0; i < shape->groups; i++) {
        const int32_t g = shape->order[i];
        double least = HUGE_VAL;
        size_t best = 0;
        for (size_t center = 0; center < hosts; center++) {
            const double time = s->free[center] > 0
                                    ? time_around(s, shape->size[g], s->around + center * hosts)
                                    : HUGE_VAL;
            if (time < least) {
                least = time;
                best = center;
            }
        }
        take(s, shape, g, s->around + best * hosts);
    }
    (void)fastest_offer(s->fastest, shape, s->host_of);
}

/* There is a placement, and no time for a better one. */
static bool is_enough(const Start *s)
{
    return fastest_late(s->fastest) && !isinf(s->fastest->seconds);
}

void start_offer(Start *s, const Shape *shape)
{
    const Costs *c = s->fastest->costs;
    fill(s, shape, s->by_speed);
    if (!is_enough(s))
        fill_by_groups(s, shape);
    for (int32_t center = 0; center < c->count && !is_enough(s); center++)
        if (c->alike[center] < 0)
            fill(s, shape, s->around + (size_t)center * (size_t)c->count);
}

/* The best placement with process p on a host, or in exchange with process q >= 0. */
static bool try_move(Start *s, const Shape *shape, int32_t p, int32_t q, int32_t host)
{
    const int32_t n = shape->fixed + shape->rest, from = s->fastest->host_of[p];
    memcpy(s->host_of, s->fastest->host_of, (size_t)n * sizeof *s->host_of);
    s->host_of[p] = host;
    if (q >= 0)
        s->host_of[q] = from;
    return fastest_offer(s->fastest, shape, s->host_of);
}

static bool goes_on(const Start *s, int64_t most)
{
    return s->fastest->work <= most && !fastest_late(s->fastest);
}

static bool try_moves(Start *s, const Shape *shape, int32_t p, int64_t most)
{
    const Hosts *h = s->fastest->costs->hosts;
    const int32_t *at = s->fastest->host_of;
    bool better = false;
    for (int32_t host = 0; host < h->count && goes_on(s, most); host++)
        if (s->free[host] > 0 && host != at[p]) {
            const int32_t from = at[p];
            if (try_move(s, shape, p, -1, host)) {
                s->free[from]++;
                s->free[host]--;
                better = true;
            }
        }
    for (int32_t q = 0; q < p && goes_on(s, most); q++)
        if (s->group[q] != s->group[p] && at[q] != at[p])
            better = try_move(s, shape, p, q, at[q]) || better;
    return better;
}

void start_improve(Start *s, const Shape *shape, int64_t most)
{
    const Hosts *h = s->fastest->costs->hosts;
    const int32_t n = shape->fixed + shape->rest;
    int32_t rank = 0;
    for (int32_t g = 0; g < shape->groups; g++)
        for (int32_t i = 0; i < shape->size[g]; i++)
            s->group[rank++] = g;
    memcpy(s->free, h->places, (size_t)h->count * sizeof *s->free);
    for (int32_t p = 0; p < n; p++)
        s->free[s->fastest->host_of[p]]--;
    bool better = true;
    while (better && goes_on(s, most)) {
        better = false;
        for (int32_t p = 0; p < n; p++)
            better = try_moves(s, shape, p, most) || better;
    }
}
