/* Single linkage by the time of an exchange. */
#include "grid/taag/predict/apart.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"

/* A link; sets are trees of hosts that are known by their roots. */
typedef struct {
    double exchange;
    int32_t a, b;
} Link;

static int by_exchange(const void *x, const void *y)
{
    const Link *a = x, *b = y;
    return (a->exchange > b->exchange) - (a->exchange < b->exchange);
}

static int32_t root_of(int32_t *above, int32_t host)
{
    while (above[host] != host) {
        above[host] = above[above[host]];
        host = above[host];
    }
    return host;
}

static int64_t list_links(const Costs *c, Link *link)
{
    int64_t count = 0;
    for (int32_t a = 0; a < c->count; a++)
        for (int32_t b = 0; b < a; b++)
            link[count++] = (Link){costs_exchange(c, a, b), a, b};
    qsort(link, (size_t)count, sizeof *link, by_exchange);
    return count;
}

/* The exchange over the link that makes a set large enough; 0: a host is. */
static double join(const Costs *c, const Link *link, int64_t links, int32_t *above, int64_t *places,
                   int32_t processes)
{
    for (int32_t host = 0; host < c->count; host++) {
        above[host] = host;
        places[host] = c->hosts->places[host];
        if (places[host] >= processes)
            return 0;
    }
    for (int64_t i = 0; i < links; i++) {
        const int32_t a = root_of(above, link[i].a), b = root_of(above, link[i].b);
        if (a == b)
            continue;
        above[b] = a;
        places[a] += places[b];
        if (places[a] >= processes)
            return link[i].exchange;
    }
    return 0;
}

PepaStatus apart_find(Apart *out, const Costs *c, int32_t processes, PepaError *err)
{
    const size_t hosts = (size_t)c->count;
    Link *link = NULL;
    int32_t *above = NULL;
    int64_t *places = NULL;
    *out = (Apart){0, HUGE_VAL};
    const bool made =
        mem_new(link, hosts * hosts) && mem_new(above, hosts) && mem_new(places, hosts);
    if (made)
        out->exchange = join(c, link, list_links(c, link), above, places, processes);
    for (int32_t a = 0; a < c->count; a++)
        for (int32_t b = 0; b < a; b++)
            if (costs_exchange(c, a, b) >= out->exchange)
                out->pass = fmin(out->pass, costs_pass(c, a, b));
    mem_free_all(link, above, places);
    return made ? PEPA_OK : error_memory(err);
}
