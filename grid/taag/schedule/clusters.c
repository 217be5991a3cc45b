/* Latency clusters from levels of links. */
#include "grid/taag/schedule/clusters.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"

enum { MOST_WORK = 100000000 }; /* of the search for cliques, in pairs of hosts */

typedef struct {
    const Hosts *hosts;
    Clusters *found;
    int32_t level;
    int32_t *clique; /* the hosts chosen */
    Effort effort;   /* in pairs of hosts */
    PepaStatus status;
} Finder;

/* Keep a set if some link of it has the level: else it was found on a lower one. */
static void keep(Finder *f, const int32_t *hosts, int32_t count)
{
    const Hosts *h = f->hosts;
    LatencyCluster c = {.level = f->level, .count = count};
    bool own = f->level == 0;
    for (int32_t i = 0; i < count && !own; i++)
        for (int32_t j = 0; j < i && !own; j++)
            own = hosts_level(h, hosts[i], hosts[j]) == f->level;
    if (!own || f->status != PEPA_OK)
        return;
    if (f->found->count == MOST_CLUSTERS) {
        f->status = PEPA_ELIMIT;
        return;
    }
    if (!mem_grow(f->found->each, f->found->cap, f->found->count + 1) || !mem_new(c.hosts, count)) {
        f->status = PEPA_ENOMEM;
        return;
    }
    memcpy(c.hosts, hosts, (size_t)count * sizeof *hosts);
    for (int32_t i = 0; i < count; i++)
        c.capacity += h->places[hosts[i]];
    f->found->each[f->found->count++] = c;
}

static bool near(const Finder *f, int32_t a, int32_t b)
{
    return a != b && hosts_level(f->hosts, a, b) <= f->level;
}

/* The host of both lists with most neighbours among those that may join. */
static int32_t pivot_of(const Finder *f, const int32_t *may, int32_t mays, const int32_t *past,
                        int32_t pasts)
{
    int32_t best = -1, most = -1;
    for (int32_t i = 0; i < mays + pasts; i++) {
        int32_t host = i < mays ? may[i] : past[i - mays], degree = 0;
        for (int32_t j = 0; j < mays; j++)
            degree += near(f, host, may[j]);
        if (degree > most) {
            most = degree;
            best = host;
        }
    }
    return best;
}

static int32_t neighbours(const Finder *f, int32_t host, const int32_t *from, int32_t count,
                          int32_t *to)
{
    int32_t n = 0;
    for (int32_t i = 0; i < count; i++)
        if (near(f, host, from[i]))
            to[n++] = from[i];
    return n;
}

/* All maximal cliques of the `chosen` hosts with some of `may`, and none of `past`.  Both lists are
 * changed.  As deep as a clique is large. */
static void extend(Finder *f, int32_t chosen, int32_t *may, int32_t mays, int32_t *past,
                   int32_t pasts)
{
    int32_t *lists = NULL;
    if (mays == 0 && pasts == 0)
        keep(f, f->clique, chosen);
    if (mays == 0 || f->status != PEPA_OK)
        return;
    f->effort.work += (int64_t)mays * (mays + pasts);
    if (effort_ended(&f->effort) || !mem_new(lists, 2 * (mays + pasts + 1))) {
        f->status = f->effort.ended ? PEPA_ELIMIT : PEPA_ENOMEM;
        return;
    }
    int32_t pivot = pivot_of(f, may, mays, past, pasts), room = mays + pasts + 1;
    for (int32_t i = 0; i < mays && f->status == PEPA_OK;) {
        int32_t host = may[i];
        if (near(f, pivot, host)) {
            i++;
            continue;
        }
        f->clique[chosen] = host;
        int32_t n = neighbours(f, host, may, mays, lists);
        int32_t x = neighbours(f, host, past, pasts, lists + room);
        extend(f, chosen + 1, lists, n, lists + room, x);
        memmove(&may[i], &may[i + 1], (size_t)(mays - i - 1) * sizeof *may);
        mays--;
        past[pasts++] = host;
    }
    mem_free(lists);
}

/* The clusters of one level among the hosts of a set that links of the level join. */
static void find_in(Finder *f, const int32_t *hosts, int32_t count, int32_t *lists)
{
    bool whole = true; /* the set is a clique itself */
    for (int32_t i = 0; i < count && whole; i++)
        for (int32_t j = 0; j < i && whole; j++)
            whole = near(f, hosts[i], hosts[j]);
    if (whole) {
        keep(f, hosts, count);
        return;
    }
    memcpy(lists, hosts, (size_t)count * sizeof *hosts);
    extend(f, 0, lists, count, lists + count, 0);
}

static int by_number(const void *x, const void *y)
{
    const int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    return (a > b) - (a < b);
}

static int by_level(const void *x, const void *y)
{
    const LatencyCluster *a = x, *b = y;
    if (a->level != b->level)
        return a->level < b->level ? -1 : 1;
    if (a->capacity != b->capacity)
        return a->capacity > b->capacity ? -1 : 1;
    for (int32_t i = 0; i < a->count && i < b->count; i++)
        if (a->hosts[i] != b->hosts[i])
            return a->hosts[i] < b->hosts[i] ? -1 : 1;
    return (a->count > b->count) - (a->count < b->count);
}

static void find_level(Finder *f, const LatencyTree *t, int32_t *lists)
{
    double most = f->hosts->most[f->level];
    for (int32_t c = 0; c < t->nodes && f->status == PEPA_OK; c++) {
        const Cluster *set = &t->node[c];
        bool top = set->parent < 0 || t->node[set->parent].height > most;
        if (set->height <= most && top)
            find_in(f, &t->leaves[set->first], set->count, lists);
    }
}

PepaStatus clusters_find(Clusters *out, const Hosts *h, const LatencyTree *t, double deadline,
                         PepaError *err)
{
    Clusters found = {0};
    Finder f = {.hosts = h, .found = &found, .status = PEPA_ENOMEM};
    f.effort = (Effort){.limit = MOST_WORK, .deadline = deadline};
    int32_t *lists = NULL;
    if (mem_new(f.clique, h->count) && mem_new(lists, 3 * h->count))
        f.status = PEPA_OK;
    for (int32_t i = 0; i < h->count && f.status == PEPA_OK; i++)
        keep(&f, &i, 1);
    for (f.level = 1; f.level <= h->levels && f.status == PEPA_OK; f.level++)
        find_level(&f, t, lists);
    mem_free_all(f.clique, lists);
    if (f.status == PEPA_OK) {
        for (int32_t c = 0; c < found.count; c++)
            qsort(found.each[c].hosts, (size_t)found.each[c].count, sizeof(int32_t), by_number);
        qsort(found.each, (size_t)found.count, sizeof *found.each, by_level);
        *out = found;
        return PEPA_OK;
    }
    clusters_free(&found);
    if (f.status == PEPA_ENOMEM)
        return error_memory(err);
    if (f.effort.late)
        return error_set(err, PEPA_ELIMIT, "the time ended while latency clusters were looked for");
    return error_set(
        err, PEPA_ELIMIT,
        "there are more than %d latency clusters, because latencies are of mixed orders "
        "of magnitude; without --paper none are needed",
        MOST_CLUSTERS);
}

void clusters_free(Clusters *c)
{
    for (int32_t i = 0; i < c->count; i++)
        mem_free(c->each[i].hosts);
    mem_free(c->each);
    *c = (Clusters){0};
}
