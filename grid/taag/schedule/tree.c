/* Single-linkage clustering by Prim's minimum spanning tree. */
#include "grid/taag/schedule/tree.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"

typedef struct {
    double ms;
    int32_t a, b;
} Link;

static int by_latency(const void *x, const void *y)
{
    const Link *a = x, *b = y;
    return (a->ms > b->ms) - (a->ms < b->ms);
}

static int descending(const void *x, const void *y)
{
    const int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    return (a < b) - (a > b);
}

/* The hosts - 1 links of a minimum spanning tree, by latency. */
static bool span(const Hosts *h, Link *link)
{
    double *near = NULL;
    int32_t *to = NULL;
    bool good = mem_new(near, h->count) && mem_new(to, h->count);
    for (int32_t i = 0; good && i < h->count; i++) {
        near[i] = hosts_ms(h, 0, i);
        to[i] = i == 0 ? -1 : 0; /* -1: in the tree */
    }
    for (int32_t n = 0; good && n + 1 < h->count; n++) {
        int32_t next = -1;
        for (int32_t i = 0; i < h->count; i++)
            if (to[i] >= 0 && (next < 0 || near[i] < near[next]))
                next = i;
        link[n] = (Link){near[next], to[next], next};
        to[next] = -1;
        for (int32_t i = 0; i < h->count; i++)
            if (to[i] >= 0 && hosts_ms(h, next, i) < near[i]) {
                near[i] = hosts_ms(h, next, i);
                to[i] = next;
            }
    }
    if (good)
        qsort(link, (size_t)(h->count - 1), sizeof *link, by_latency);
    mem_free_all(near, to);
    return good;
}

/* The set that holds node i so far; paths are halved. */
static int32_t root_of(int32_t *above, int32_t i)
{
    while (above[i] != i)
        i = above[i] = above[above[i]];
    return i;
}

/* Sets from links; of each set the two that it is made of. */
static void merge(LatencyTree *t, const Link *link, int32_t *above, int32_t (*parts)[2])
{
    for (int32_t n = 0; n + 1 < t->hosts; n++) {
        int32_t a = root_of(above, link[n].a), b = root_of(above, link[n].b), c = t->nodes++;
        above[a] = above[b] = above[c] = c;
        t->node[a].parent = t->node[b].parent = c;
        t->node[c] = (Cluster){.height = link[n].ms,
                               .count = t->node[a].count + t->node[b].count,
                               .parent = -1,
                               .capacity = t->node[a].capacity + t->node[b].capacity};
        parts[c][0] = a;
        parts[c][1] = b;
    }
}

static void place_leaves(LatencyTree *t, int32_t (*parts)[2])
{
    for (int32_t c = t->nodes - 1; c >= t->hosts; c--) {
        t->node[parts[c][0]].first = t->node[c].first;
        t->node[parts[c][1]].first = t->node[c].first + t->node[parts[c][0]].count;
    }
    for (int32_t i = 0; i < t->hosts; i++)
        t->leaves[t->node[i].first] = i;
}

/* The sets there are at each height. */
static void list_sets(LatencyTree *t, int32_t most)
{
    for (int32_t c = t->hosts - 1; c < t->nodes; c++) {
        double ms = c < t->hosts ? 0 : t->node[c].height;
        if (c + 1 < t->nodes && !(t->node[c + 1].height > ms))
            continue; /* others come together at the same height */
        int32_t *sets = &t->capacity[(size_t)t->heights * (size_t)t->hosts], count = 0;
        for (int32_t i = 0; i <= c; i++)
            if ((t->node[i].parent < 0 || t->node[i].parent > c) && t->node[i].capacity > 0)
                sets[count++] = t->node[i].capacity < most ? (int32_t)t->node[i].capacity : most;
        qsort(sets, (size_t)count, sizeof *sets, descending);
        int32_t needed = 0;
        for (int64_t room = 0; needed < count && room < most; needed++)
            room += sets[needed];
        t->needed[t->heights] = needed;
        t->sets[t->heights] = count;
        t->height[t->heights++] = ms;
    }
}

PepaStatus linkage_make(LatencyTree *out, const Hosts *h, int32_t most, PepaError *err)
{
    LatencyTree t = {.hosts = h->count, .nodes = h->count};
    size_t n = (size_t)h->count;
    Link *link = NULL;
    int32_t *above = NULL, (*parts)[2] = NULL;
    bool good = mem_new(t.node, 2 * n) && mem_new(t.leaves, n) && mem_new(t.height, n) &&
                mem_new(t.sets, n) && mem_new(t.needed, n) && mem_new(t.capacity, n * n) &&
                mem_new(t.scratch, 4 * n) && mem_new(link, n) && mem_new(above, 2 * n) &&
                mem_new(parts, 2 * n);
    for (int32_t i = 0; good && i < h->count; i++) {
        t.node[i] = (Cluster){.count = 1, .parent = -1, .capacity = h->places[i]};
        above[i] = i;
    }
    good = good && span(h, link);
    if (good) {
        merge(&t, link, above, parts);
        place_leaves(&t, parts);
        list_sets(&t, most);
    }
    mem_free_all(link, above, parts);
    if (!good) {
        linkage_free(&t);
        return error_memory(err);
    }
    *out = t;
    return PEPA_OK;
}

int32_t linkage_at(const LatencyTree *t, double ms)
{
    int32_t i = 0;
    while (i + 1 < t->heights && t->height[i + 1] <= ms)
        i++;
    return i;
}

void linkage_free(LatencyTree *t)
{
    mem_free_all(t->node, t->leaves, t->height, t->sets, t->needed, t->capacity, t->scratch);
    *t = (LatencyTree){0};
}
