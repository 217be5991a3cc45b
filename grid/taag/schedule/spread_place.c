/* Sizes and hosts of groups whose sites are known. */
#include "grid/taag/schedule/spread_place.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"

/* ---- sizes ---------------------------------------------------------------------------------- */

/* Parts of one site after those of another with more room. */
void spread_sizes(const Sites *sites, Shape *s, const int32_t *count, int32_t root, int32_t *site)
{
    int64_t extra = s->rest - (int64_t)s->parts * s->least;
    const int32_t unit = s->least + (root >= 0);
    int32_t at = 0, *size = s->size + s->fixed, done[MOST_SITES] = {0}, enlarged = 0;
    for (int32_t u = 0; u < sites->count; u++) { /* one part of each site */
        int32_t widest = -1;
        int64_t most = -1;
        for (int32_t a = 0; a < sites->count; a++) {
            int64_t slack = sites->places[a] - (a == root) - (int64_t)count[a] * unit;
            if (count[a] > 0 && !done[a] && slack > most) {
                widest = a;
                most = slack;
            }
        }
        if (widest < 0)
            break;
        const int64_t more = most < extra ? most : extra;
        done[widest] = 1;
        site[enlarged] = widest;
        size[enlarged++] = s->least + (int32_t)more;
        extra -= more;
    }
    at = enlarged;
    for (int32_t a = 0; a < sites->count; a++)
        for (int32_t i = 1; i < count[a]; i++, at++) {
            site[at] = a;
            size[at] = s->least;
        }
    assert(at == s->parts && extra == 0);
}

/* ---- hosts ---------------------------------------------------------------------------------- */

typedef struct {
    const Hosts *hosts;
    const Sites *sites;
    const Shape *shape;
    int32_t *order;   /* hosts, those that are near to all others first */
    int32_t *room;    /* of hosts */
    int32_t *groups;  /* whole ones on each host */
    int32_t *host_of; /* by rank */
    int32_t *start;   /* groups + 1: ranks */
} Place;

static void put(Place *p, int32_t rank, int32_t host)
{
    p->host_of[rank] = host;
    p->room[host]--;
}

/* The host of a site on which a whole group goes: one with groups, else the widest; -1: none. */
static int32_t host_for(const Place *p, int32_t site, int32_t size)
{
    int32_t best = -1;
    for (int32_t at = 0; at < p->hosts->count; at++) {
        const int32_t i = p->order[at];
        if (p->sites->of[i] != site || p->room[i] < size)
            continue;
        if (best < 0 || (p->groups[i] > 0) > (p->groups[best] > 0) ||
            ((p->groups[i] > 0) == (p->groups[best] > 0) && p->room[i] > p->room[best]))
            best = i;
    }
    return best;
}

static void put_whole(Place *p, int32_t group, int32_t site)
{
    const int32_t host = host_for(p, site, p->shape->size[group]);
    for (int32_t rank = p->start[group]; host >= 0 && rank < p->start[group + 1]; rank++)
        put(p, rank, host);
    if (host >= 0)
        p->groups[host]++;
}

/* What has no host yet, on those of the site from the first on. */
static void put_anywhere(Place *p, int32_t group, int32_t site)
{
    int32_t at = 0;
    for (int32_t rank = p->start[group]; rank < p->start[group + 1]; rank++) {
        if (p->host_of[rank] >= 0)
            continue;
        while (p->sites->of[p->order[at]] != site || p->room[p->order[at]] == 0)
            at++;
        put(p, rank, p->order[at]);
    }
}

/* The root, and managers of its site, on one host. */
static void put_root(Place *p, const int32_t *site, int32_t root)
{
    const Shape *s = p->shape;
    const int32_t host = host_for(p, root, 1);
    put(p, 0, host);
    for (int32_t i = 0; i < s->parts; i++)
        if (site[i] == root && p->room[host] > 0)
            put(p, p->start[1 + i], host);
}

/* host: of whole parts, or -1; NULL: not known. */
static void put_all(Place *p, const int32_t *site, const int32_t *host, int32_t root,
                    bool largest_first)
{
    const Shape *s = p->shape;
    memcpy(p->room, p->hosts->places, (size_t)p->hosts->count * sizeof *p->room);
    memset(p->groups, 0, (size_t)p->hosts->count * sizeof *p->groups);
    for (int32_t rank = 0; rank < p->start[s->groups]; rank++)
        p->host_of[rank] = -1;
    if (root >= 0)
        put_root(p, site, root);
    for (int32_t i = 0; i < s->parts && root < 0; i++) {
        const int32_t at = largest_first ? i : s->parts - 1 - i;
        const int32_t group = s->given ? s->order[at] : s->fixed + at;
        if (!host)
            put_whole(p, group, site[group - s->fixed]);
        for (int32_t rank = p->start[group]; host && rank < p->start[group + 1]; rank++)
            if (host[group - s->fixed] >= 0)
                put(p, rank, host[group - s->fixed]);
    }
    for (int32_t i = 0; i < s->parts; i++) {
        if (root >= 0)
            put_anywhere(p, 1 + i, site[i]);
        put_anywhere(p, s->fixed + i, site[i]);
    }
}

/* By the sum of latencies to all others. */
static bool order_hosts(Place *p)
{
    const Hosts *h = p->hosts;
    double *sum = NULL;
    if (!mem_new_zeroed(sum, h->count))
        return false;
    for (int32_t i = 0; i < h->count; i++) {
        int32_t at = i;
        for (int32_t j = 0; j < h->count; j++)
            sum[i] += hosts_ms(h, i, j);
        for (; at > 0 && sum[p->order[at - 1]] > sum[i]; at--)
            p->order[at] = p->order[at - 1];
        p->order[at] = i;
    }
    mem_free(sum);
    return true;
}

bool spread_offer(const Hosts *hosts, const Sites *sites, const Shape *s, const int32_t *site,
                  const int32_t *host, int32_t root, Best *best)
{
    Place p = {.hosts = hosts, .sites = sites, .shape = s};
    bool good = mem_new(p.room, hosts->count) && mem_new(p.groups, hosts->count) &&
                mem_new(p.host_of, s->fixed + s->rest) && mem_new(p.start, s->groups + 1) &&
                mem_new(p.order, hosts->count) && order_hosts(&p);
    if (good)
        p.start[0] = 0;
    for (int32_t g = 0; g < s->groups && good; g++)
        p.start[g + 1] = p.start[g] + s->size[g];
    for (int32_t order = 0; order < 2 && good; order++) {
        put_all(&p, site, host, root, order == 1);
        best_offer(best, hosts, s, p.host_of);
    }
    mem_free_all(p.room, p.groups, p.host_of, p.start, p.order);
    return good;
}
