/* Greedy placements and a descent from the best of them. */
#include "grid/taag/predict/start.h"

#include <string.h>

#include "base/mem.h"

bool start_make(Start *s, Fastest *fastest, int32_t processes)
{
    const int32_t hosts = fastest->costs->count;
    *s = (Start){.fastest = fastest};
    return mem_new(s->order, hosts) && mem_new(s->free, hosts) && mem_new(s->key, hosts) &&
           mem_new(s->host_of, processes) && mem_new(s->first, processes + 1) &&
           mem_new(s->group, processes);
}

void start_free(Start *s)
{
    mem_free_all(s->order, s->free, s->key, s->host_of, s->first, s->group);
    *s = (Start){0};
}

/* By key, then by speed, by insertion: keys of neighbours are often in order already. */
static void sort_hosts(Start *s)
{
    const double *second = s->fastest->costs->second, *key = s->key;
    for (int32_t i = 0; i < s->fastest->costs->count; i++) {
        int32_t at = i;
        for (; at > 0; at--) {
            const int32_t before = s->order[at - 1];
            if (key[before] < key[i] || (key[before] <= key[i] && second[before] <= second[i]))
                break;
            s->order[at] = before;
        }
        s->order[at] = i;
    }
}

/* Groups in the order of the shape take what is free, host by host. */
static void fill(Start *s, const Shape *shape)
{
    const Hosts *h = s->fastest->costs->hosts;
    int32_t at = 0, rank = 0;
    for (int32_t g = 0; g < shape->groups; rank += shape->size[g++])
        s->first[g] = rank;
    memcpy(s->free, h->places, (size_t)h->count * sizeof *s->free);
    for (int32_t i = 0; i < shape->groups; i++) {
        const int32_t g = shape->order[i];
        for (int32_t p = 0; p < shape->size[g]; p++) {
            while (s->free[s->order[at]] == 0)
                at++;
            s->free[s->order[at]]--;
            s->host_of[s->first[g] + p] = s->order[at];
        }
    }
    (void)fastest_offer(s->fastest, shape, s->host_of);
}

void start_offer(Start *s, const Shape *shape)
{
    const Costs *c = s->fastest->costs;
    memset(s->key, 0, (size_t)c->count * sizeof *s->key);
    sort_hosts(s);
    fill(s, shape);
    for (int32_t center = 0; center < c->count; center++) {
        if (c->alike[center] >= 0)
            continue;
        for (int32_t host = 0; host < c->count; host++)
            s->key[host] = host == center ? -1 : costs_pass(c, center, host);
        sort_hosts(s);
        fill(s, shape);
        s->fastest->work += c->count;
    }
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

static bool try_moves(Start *s, const Shape *shape, int32_t p, int64_t most)
{
    const Hosts *h = s->fastest->costs->hosts;
    const int32_t *at = s->fastest->host_of;
    bool better = false;
    for (int32_t host = 0; host < h->count && s->fastest->work <= most; host++)
        if (s->free[host] > 0 && host != at[p]) {
            const int32_t from = at[p];
            if (try_move(s, shape, p, -1, host)) {
                s->free[from]++;
                s->free[host]--;
                better = true;
            }
        }
    for (int32_t q = 0; q < p && s->fastest->work <= most; q++)
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
    while (better && s->fastest->work <= most) {
        better = false;
        for (int32_t p = 0; p < n; p++)
            better = try_moves(s, shape, p, most) || better;
    }
}
