/* Sizes and hosts of groups whose sites are known. */
#include "grid/taag/schedule/spread_place.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"

/* ---- rings ---------------------------------------------------------------------------------- */

typedef struct {
    const Sites *sites;
    double way[MOST_SITES][MOST_SITES];   /* as sites.h measures walks */
    int32_t next[MOST_SITES][MOST_SITES]; /* on it */
    int32_t used, order[MOST_SITES], shortest[MOST_SITES];
    double least;
} Tour;

/* Shortest ways by links of at most `allowed`. */
static void find_ways(Tour *t, double allowed)
{
    const int32_t n = t->sites->count;
    for (int32_t a = 0; a < n; a++)
        for (int32_t b = 0; b < n; b++) {
            const double ms = t->sites->ms[a][b];
            const double within = 0.5 * (t->sites->ms[a][a] + t->sites->ms[b][b]);
            t->way[a][b] = a == b ? 0 : ms <= allowed ? fmax(0, ms - within) : INFINITY;
            t->next[a][b] = b;
        }
    for (int32_t c = 0; c < n; c++)
        for (int32_t a = 0; a < n; a++)
            for (int32_t b = 0; b < n; b++)
                if (t->way[a][c] + t->way[c][b] < t->way[a][b]) {
                    t->way[a][b] = t->way[a][c] + t->way[c][b];
                    t->next[a][b] = t->next[a][c];
                }
}

/* All orders of the sites from `at` on. */
static void find_tour(Tour *t, int32_t at, double sum)
{
    const int32_t last = t->order[at - 1];
    if (at == t->used) {
        sum += t->way[last][t->order[0]];
        if (sum < t->least) {
            t->least = sum;
            memcpy(t->shortest, t->order, sizeof t->order);
        }
        return;
    }
    for (int32_t i = at; i < t->used; i++) {
        const int32_t next = t->order[i];
        t->order[i] = t->order[at];
        t->order[at] = next;
        find_tour(t, at + 1, sum + t->way[last][next]);
        t->order[at] = t->order[i];
        t->order[i] = next;
    }
}

/* The parts of sites in the order of the tour: one where a site is passed again, the rest where it is
 * met first.  False: a site on the way has too few. */
static bool ring_of(const Tour *t, int32_t parts, const int32_t *count, int32_t *ring)
{
    int32_t passed[MOST_SITES] = {0}, at = 0;
    for (int32_t u = 0; u < t->used; u++) {
        const int32_t to = t->shortest[(u + 1) % t->used];
        for (int32_t a = t->next[t->shortest[u]][to]; a != to; a = t->next[a][to])
            passed[a]++;
    }
    for (int32_t a = 0; a < t->sites->count; a++)
        if (passed[a] > 0 && count[a] <= passed[a])
            return false;
    for (int32_t u = 0; u < t->used; u++) {
        const int32_t from = t->shortest[u], to = t->shortest[(u + 1) % t->used];
        for (int32_t i = 0; i < count[from] - passed[from]; i++)
            ring[at++] = from;
        for (int32_t a = t->next[from][to]; a != to; a = t->next[a][to])
            ring[at++] = a;
    }
    assert(at == parts);
    return true;
}

/* Sizes that fall along the sites of parts: all are enlarged by as much as can be, then all but the
 * last, and so on to the first; or the first alone.  False: `extra` is more than that. */
static bool enlarge(const Sites *sites, const Shape *s, const int32_t *site, const int64_t *slack,
                    bool first_alone, int32_t *size)
{
    int64_t left[MOST_SITES], extra = s->rest - (int64_t)s->parts * s->least;
    int32_t count[MOST_SITES] = {0};
    memcpy(left, slack, sizeof left);
    for (int32_t i = 0; i < s->parts; i++) {
        size[i] = s->least;
        count[site[i]]++;
    }
    for (int32_t n = s->parts; n > 0; count[site[--n]]--) {
        int64_t more = extra / n;
        if (first_alone && n > 1)
            continue;
        for (int32_t a = 0; a < sites->count; a++)
            if (count[a] > 0 && left[a] / count[a] < more)
                more = left[a] / count[a];
        for (int32_t a = 0; a < sites->count; a++)
            left[a] -= more * count[a];
        for (int32_t i = 0; i < n; i++)
            size[i] += (int32_t)more;
        extra -= more * n;
    }
    return extra == 0;
}

/* The ways round: from each part on, in both directions. */
static bool ring_sizes(const Sites *sites, Shape *s, const int32_t *count, int32_t *site,
                       bool *no_memory)
{
    Tour tour = {.sites = sites, .least = INFINITY};
    int64_t slack[MOST_SITES] = {0};
    int32_t *size = s->size + s->fixed, *ring = NULL, set = 0;
    bool found = false;
    for (int32_t a = 0; a < sites->count; a++) {
        slack[a] = sites->places[a] - (int64_t)count[a] * s->least;
        set |= (count[a] > 0) << a;
        if (count[a] > 0)
            tour.order[tour.used++] = a;
    }
    find_ways(&tour, sites->longest[set]);
    find_tour(&tour, 1, 0);
    *no_memory = !mem_new(ring, s->parts);
    const bool whole = !*no_memory && ring_of(&tour, s->parts, count, ring);
    for (int32_t way = 0; way < 2 * s->parts && whole && !found; way++) {
        const int32_t step = way % 2 == 0 ? 1 : s->parts - 1;
        for (int32_t i = 0, at = way / 2; i < s->parts; i++, at = (at + step) % s->parts)
            site[at] = ring[i];
        found = enlarge(sites, s, site, slack, true, size) ||
                enlarge(sites, s, site, slack, false, size);
    }
    mem_free(ring);
    return found;
}

/* ---- sizes ---------------------------------------------------------------------------------- */

/* Parts of one site after those of another with more room. */
static void free_sizes(const Sites *sites, Shape *s, const int32_t *count, int32_t root,
                       int32_t *site)
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

bool spread_sizes(const Sites *sites, Shape *s, const int32_t *count, int32_t root, int32_t *site,
                  bool *no_memory)
{
    if (s->program->kind == AMOGET_RING && s->groups > 2)
        return ring_sizes(sites, s, count, site, no_memory);
    free_sizes(sites, s, count, root, site);
    return true;
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
