/* Thresholds of sizes, and the knapsack. */
#include "grid/taag/schedule/ring_blocks.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "grid/taag/schedule/ring_blocks_inner.h"

static const double ROUNDING = 1e-12;
enum { MOST_CELLS = 10000000 };

/* ---- the knapsack --------------------------------------------------------------------------- */

/* The lesser of what is there and what a way makes of `from`, for each number of processes. */
static void use_way(const RingBlocks *b, const Way *way, double cost, const double *from,
                    double *to)
{
    const double any = from[0] + cost;
    for (int32_t x = 0; x < way->extra; x++)
        to[x] = any < to[x] ? any : to[x];
    for (int32_t x = way->extra; x <= b->extra; x++) {
        const double with = from[x - way->extra] + cost;
        to[x] = with < to[x] ? with : to[x];
    }
}

/* What a host's ways make of values for so many sets of visits, which have so many groups at most, into `next`, which
 * may be the same. */
static void add_host(RingWalk *r, const Ways *ways, double w, int32_t covers, int32_t groups,
                     const double *value, double *next)
{
    const RingBlocks *b = r->blocks;
    const size_t row = (size_t)b->extra + 1;
    int64_t rows = 0;
    for (int32_t n = b->groups; n > 0; n--) /* down: fewer groups are without this host still */
        for (int32_t k = 0; k < ways->count; k++) {
            const Way *way = &ways->way[k];
            for (int32_t i = 0; i < covers * b->kinds; i++) {
                const int32_t kinds = i % b->kinds, cover = i / b->kinds;
                if ((kinds & way->kinds) != way->kinds || n < way->groups ||
                    n - way->groups > groups)
                    continue;
                const int32_t from = (cover & ~way->covers) * b->kinds + (kinds & ~way->kinds);
                use_way(b, way, way->blocks * w,
                        value + (size_t)from * b->cells + (size_t)(n - way->groups) * row,
                        next + (size_t)i * b->cells + (size_t)n * row);
                rows++;
            }
        }
    r->effort->work += rows * (int64_t)row / 2;
}

/* Groups that a host can have. */
static int32_t most_groups(const RingWalk *r, int32_t i)
{
    return r->hosts->places[r->blocks->host[i]] / r->blocks->least;
}

/* The hosts of a site, in place; before them there are so many groups at most. */
static int32_t add_site(RingWalk *r, int32_t a, int32_t groups, double *value)
{
    RingBlocks *b = r->blocks;
    for (int32_t i = b->first[a]; i < b->first[a + 1]; i++) {
        add_host(r, &b->ways[i], r->sites->ms[a][a], 1, groups, value, value);
        groups += most_groups(r, i);
    }
    return groups;
}

/* The next layer. */
static Layer *push(RingBlocks *b, int32_t host, int32_t covers)
{
    Layer *layer = &b->layer[b->layers++];
    layer->host = host;
    layer->covers = covers;
    return layer;
}

/* The same, a layer for each. */
static void add_layers(RingWalk *r, int32_t a)
{
    RingBlocks *b = r->blocks;
    const int32_t covers = b->pieces[a].covers;
    const size_t block = (size_t)b->kinds * b->cells, all = (size_t)covers * block;
    const Layer *before = &b->layer[b->layers - 1];
    Layer *next = push(b, -1, covers);
    next->value = before->value + (size_t)before->covers * block;
    memcpy(next->value, ring_values(b, before, before->covers - 1), block * sizeof *next->value);
    for (size_t i = block; i < all; i++)
        next->value[i] = INFINITY;
    for (int32_t i = b->first[a]; i < b->first[a + 1]; i++) {
        before = next;
        next = push(b, i, covers);
        next->value = before->value + all;
        memcpy(next->value, before->value, all * sizeof *next->value);
        add_host(r, &b->ways[i], r->sites->ms[a][a], covers, b->held, before->value, next->value);
        b->held += most_groups(r, i);
    }
}

/* No groups yet. */
static void clear(const RingBlocks *b, double *value)
{
    for (size_t i = 0; i < (size_t)b->kinds * b->cells; i++)
        value[i] = i % b->cells == 0 ? 0 : INFINITY;
}

/* Hosts of a site with as many places have the same ways. */
static void find_ways(RingWalk *r, int32_t a, const Pieces *pieces)
{
    RingBlocks *b = r->blocks;
    for (int32_t i = b->first[a]; i < b->first[a + 1]; i++) {
        if (i > b->first[a] && b->ways[i].way == b->ways[i - 1].way)
            b->ways[i].count = b->ways[i - 1].count;
        else
            b->ways[i].count = ring_ways(b, pieces, r->hosts->places[b->host[i]], b->ways[i].way);
    }
    r->effort->work += (int64_t)b->groups << pieces->count;
}

/* A site whose groups may have any sizes, in place. */
static int32_t add_any(RingWalk *r, int32_t a, bool closes, int32_t groups, double *value)
{
    RingBlocks *b = r->blocks;
    Pieces any;
    ring_pieces_any(b, closes, &any);
    find_ways(r, a, &any);
    return add_site(r, a, groups, value);
}

/* On a set of sites, if any sizes will do. */
static double least_blocks(RingWalk *r, int32_t set)
{
    RingBlocks *b = r->blocks;
    int32_t groups = 0;
    b->kinds = KINDS;
    b->most = b->least; /* all that a block where the ring closes has to have */
    b->open = b->widest;
    clear(b, b->values);
    for (int32_t a = 0; a < r->sites->count; a++)
        if (set >> a & 1)
            groups = add_any(r, a, true, groups, b->values);
    return b->values[(size_t)b->kinds * b->cells - 1];
}

/* ---- thresholds ----------------------------------------------------------------------------- */

/* Of the last layer: all visits have their groups. */
static const double *reached(const RingBlocks *b)
{
    const Layer *last = &b->layer[b->layers - 1];
    return ring_values(b, last, last->covers - 1);
}

static double *rest_from(const RingBlocks *b, int32_t stop)
{
    return b->rest + (size_t)stop * (size_t)b->kinds * b->cells;
}

/* What sites from each stop on cost, whatever their sizes. */
static void find_rest(RingWalk *r)
{
    RingBlocks *b = r->blocks;
    int32_t groups = 0;
    clear(b, rest_from(b, b->stops));
    for (int32_t k = b->stops - 1; k >= 0; k--) {
        memcpy(rest_from(b, k), rest_from(b, k + 1), (size_t)b->kinds * b->cells * sizeof *b->rest);
        groups = add_any(r, b->stop[k], k == b->stops - 1, groups, rest_from(b, k));
    }
}

/* The least sum of the last layer and the sites from a stop on. */
static double least_with_rest(RingWalk *r, int32_t stop)
{
    const RingBlocks *b = r->blocks;
    double least = INFINITY;
    for (size_t kinds = 0; kinds < (size_t)b->kinds; kinds++) {
        const double *here = reached(b) + kinds * b->cells;
        const double *rest = rest_from(b, stop) + ((size_t)b->kinds - kinds) * b->cells - 1;
        for (size_t i = 0; i < b->cells; i++)
            least = fmin(least, here[i] + rest[-(ptrdiff_t)i]);
    }
    r->effort->work += b->kinds * (int64_t)b->cells;
    return least;
}

/* All sites have their thresholds. */
static void arrive(RingWalk *r, double links)
{
    const RingBlocks *b = r->blocks;
    const double sum = links + reached(b)[(size_t)b->kinds * b->cells - 1];
    if (sum > r->goal)
        return;
    if (ring_blocks_place(r, sum))
        r->found = fmin(r->found, sum);
    else
        r->unplaced = fmin(r->unplaced, sum);
    r->goal = fmin(r->goal, sum * (1 - ROUNDING));
}

/* Thresholds from visit j on; sites before `stop` have theirs.  As deep as there are visits. */
static void descend(RingWalk *r, int32_t j, int32_t stop, double links)
{
    RingBlocks *b = r->blocks;
    const bool end = j == r->length;
    const int32_t layers = b->layers, held = b->held, most = j == 0 ? b->open : b->threshold[j - 1];
    const bool stops = stop < b->stops && b->last[stop] == j;
    for (int32_t t = end || r->length == 1 ? b->least : most; t >= b->least; t--) {
        if (effort_ended(r->effort) || r->no_memory)
            return;
        if (!end)
            b->threshold[j] = t;
        if (stops) {
            const int32_t a = b->stop[stop];
            ring_pieces(b, r->length, a, &b->pieces[a]);
            find_ways(r, a, &b->pieces[a]);
            add_layers(r, a);
        }
        if (end)
            arrive(r, links);
        else if (!stops || links + least_with_rest(r, stop + 1) <= r->goal)
            descend(r, j + 1, stop + stops, links);
        b->layers = layers;
        b->held = held;
    }
}

/* The sites of the walk in the order of their last visits. */
static void list_stops(RingWalk *r)
{
    RingBlocks *b = r->blocks;
    b->stops = 0;
    for (int32_t j = 1; j <= r->length; j++) {
        const int32_t a = b->walk[j % r->length];
        bool again = j < r->length && a == b->walk[0];
        for (int32_t i = j + 1; i < r->length; i++)
            again = again || b->walk[i] == a;
        if (again)
            continue;
        b->stop[b->stops] = a;
        b->last[b->stops++] = j;
    }
}

/* Groups of `most` processes at most; one of these, where the ring closes in a block. */
static void try_most(RingWalk *r, int32_t most, bool closes, double links)
{
    RingBlocks *b = r->blocks;
    b->most = b->open = most;
    b->kinds = closes ? KINDS : KINDS / 2;
    b->layers = b->held = 0;
    find_rest(r);
    push(b, -1, 1)->value = b->values;
    clear(b, b->values);
    if (links + least_with_rest(r, 0) <= r->goal)
        descend(r, 0, 0, links);
}

static void fill(RingWalk *r, double links)
{
    RingBlocks *b = r->blocks;
    for (int32_t i = 0; i < r->length; i++) {
        for (int32_t j = 0; j < r->length; j++)
            b->walk[j] = r->walk[(i + j) % r->length];
        list_stops(r);
        try_most(r, b->widest, false, links);
        const int32_t beside = r->sites->widest[b->walk[0]] - b->least;
        const int32_t most = beside < b->widest ? beside : b->widest;
        for (int32_t m = most; m > b->least && !effort_ended(r->effort); m--)
            try_most(r, m, true, links);
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

/* Hosts by site, those with as many places after each other. */
static void list_hosts(RingBlocks *b, const Hosts *h, const Sites *sites)
{
    int32_t at = 0;
    for (int32_t a = 0; a < sites->count; a++) {
        b->first[a] = at;
        for (int32_t i = 0; i < h->count; i++) {
            int32_t k = at;
            if (sites->of[i] != a)
                continue;
            for (; k > b->first[a] && h->places[b->host[k - 1]] > h->places[i]; k--)
                b->host[k] = b->host[k - 1];
            b->host[k] = i;
            at++;
        }
    }
    b->first[sites->count] = at;
}

/* Room for the ways of hosts of a site with as many places.  False: out of memory. */
static bool make_ways(RingBlocks *b, const Hosts *h, int32_t sites)
{
    const size_t most = (size_t)MOST_PIECES * KINDS * COVERS * ((size_t)b->groups + 1);
    size_t classes = 0;
    for (int32_t pass = 0; pass < 2; pass++) {
        if (pass == 1 && !mem_new(b->pool, classes * most))
            return false;
        classes = 0;
        for (int32_t a = 0; a < sites; a++)
            for (int32_t i = b->first[a]; i < b->first[a + 1]; i++) {
                classes += i == b->first[a] || h->places[b->host[i]] != h->places[b->host[i - 1]];
                b->ways[i].way = pass == 1 ? &b->pool[(classes - 1) * most] : NULL;
            }
    }
    return true;
}

static bool make(RingBlocks *b, const Hosts *h, const Sites *sites, const Shape *s)
{
    const size_t n = (size_t)h->count, groups = (size_t)s->parts, count = (size_t)sites->count;
    b->groups = s->parts;
    b->least = s->least;
    b->extra = s->rest - s->parts * s->least;
    b->cells = (groups + 1) * ((size_t)b->extra + 1);
    b->widest = sites_widest(sites);
    if (b->widest > b->least + b->extra)
        b->widest = b->least + b->extra;
    if (!mem_new(b->first, count + 1) || !mem_new(b->host, n) || !mem_new(b->ways, n) ||
        !mem_new(b->layer, n + count + 1) ||
        !mem_new(b->values, (n + count + 1) * COVERS * KINDS * b->cells) ||
        !mem_new(b->rest, (count + 1) * KINDS * b->cells) || !mem_new(b->stop, count) ||
        !mem_new(b->last, count) || !mem_new(b->threshold, groups) || !mem_new(b->walk, groups) ||
        !mem_new(b->stretch, MOST_PIECES * n) || !mem_new(b->size, groups) ||
        !mem_new(b->of, groups) || !mem_new(b->host_of, s->rest) || !mem_new(b->room, n))
        return false;
    list_hosts(b, h, sites);
    return make_ways(b, h, sites->count);
}

static void release(RingBlocks *b)
{
    mem_free_all(b->first, b->host, b->ways, b->pool, b->layer, b->values, b->rest, b->stop,
                 b->last, b->threshold, b->walk, b->stretch, b->size, b->of, b->host_of, b->room);
}

/* Can one host hold all?  Then there may be no links. */
static bool one_holds_all(const Hosts *h, const Shape *s)
{
    bool holds = false;
    for (int32_t i = 0; i < h->count; i++)
        holds = holds || h->places[i] >= s->rest;
    return holds;
}

bool ring_blocks_solve(const Hosts *h, const Sites *sites, Shape *s, Cost *bound, Best *best,
                       Effort *effort)
{
    static const RingFilling filling = {least_blocks, fill};
    RingBlocks b = {0};
    const double cells =
        (double)(COVERS * KINDS) * (s->parts + 1.0) * (s->rest - s->parts * s->least + 1.0);
    if (bound->level > 0 || sites->count == 0 || sites->count > MOST_WALK_SITES ||
        cells * h->count > MOST_CELLS || one_holds_all(h, s))
        return true;
    const bool good =
        make(&b, h, sites, s) && ring_walk_with(&filling, &b, h, sites, s, bound, best, effort);
    release(&b);
    return good;
}
