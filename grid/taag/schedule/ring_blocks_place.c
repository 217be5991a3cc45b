/* Placements of rings from blocks: their order, and sizes that fall. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/taag/schedule/ring_blocks_inner.h"

static const double ROUNDING = 1e-9;

static int in_order(const void *x, const void *y)
{
    const Stretch *a = x, *b = y;
    if (a->visit != b->visit)
        return a->visit < b->visit ? -1 : 1;
    if (a->larger != b->larger)
        return a->larger ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return (a->size < b->size) - (a->size > b->size);
}

/* Where a piece of a block comes among those of its visit. */
static int32_t rank_of(const Pieces *p, const Way *way, int32_t k)
{
    if (way->kinds & CLOSES && k == p->closes[0])
        return -1;
    if (way->kinds & CLOSES && p->piece[k].visit == p->piece[p->closes[1]].visit &&
        (k == p->closes[1] || !(way->pieces >> p->closes[1] & 1)))
        return 1;
    if (way->kinds & FALLS && k == p->falls[0])
        return 1;
    return way->kinds & FALLS && k == p->falls[1] ? -1 : 0;
}

/* How many groups of each piece a host has, with sizes: as large as there are places, those of the largest pieces
 * first.  Returns how many stretches they are. */
static int32_t list_stretches(const RingBlocks *b, const Pieces *p, const Way *way, int32_t host,
                              int32_t places, Stretch *out)
{
    int32_t count = 0, left = places - way->groups * b->least, most = 0, least = 0;
    for (int32_t k = 0; k < p->count; k++) {
        const Piece *piece = &p->piece[k];
        if (!(way->pieces >> k & 1))
            continue;
        out[count] = (Stretch){.visit = piece->visit,
                               .host = host,
                               .groups = 1,
                               .larger = piece->larger,
                               .rank = rank_of(p, way, k),
                               .size = piece->low,
                               .more = piece->high};
        most = piece->high > out[most].more ? count : most;
        least = piece->low < out[least].size ? count : least;
        left -= piece->low - b->least;
        count++;
    }
    for (int32_t g = count; g < way->groups; g++) {
        const int32_t later = (way->groups - g - 1) * (out[least].size - b->least);
        const bool fits = left - later >= out[most].size - b->least;
        Stretch *s = &out[fits ? most : least];
        s->groups++;
        left -= s->size - b->least;
    }
    for (int32_t k = 0; k < count; k++) {
        Stretch *s = &out[k];
        const int32_t room = s->groups * (s->more - s->size);
        const int32_t here = left < 0 ? 0 : left < room ? left : room;
        s->size += here / s->groups;
        s->more = here % s->groups;
        left -= here;
    }
    return count;
}

/* A cell of a layer. */
typedef struct {
    int32_t covers, kinds, groups, extra;
} Cell;

static double value_of(const RingBlocks *b, const Layer *layer, Cell at)
{
    const double *values = ring_values(b, layer, at.covers) + (size_t)at.kinds * b->cells;
    return values[(size_t)at.groups * ((size_t)b->extra + 1) + (size_t)at.extra];
}

/* The way in which the host of a layer is used for what is in a cell, which becomes that of the layer before; NULL: it
 * is not used. */
static const Way *way_back(const RingWalk *r, const Layer *layer, Cell *at)
{
    const RingBlocks *b = r->blocks;
    const double sum = value_of(b, layer, *at);
    const int32_t site = r->sites->of[b->host[layer->host]];
    if (value_of(b, layer - 1, *at) == sum)
        return NULL;
    for (int32_t k = 0; k < b->ways[layer->host].count; k++) {
        const Way *way = &b->ways[layer->host].way[k];
        const Cell from = {at->covers & ~way->covers, at->kinds & ~way->kinds,
                           at->groups - way->groups,
                           at->extra > way->extra ? at->extra - way->extra : 0};
        if ((at->kinds & way->kinds) != way->kinds || from.groups < 0 ||
            value_of(b, layer - 1, from) + way->blocks * r->sites->ms[site][site] != sum)
            continue;
        *at = from;
        return way;
    }
    return NULL;
}

/* The groups in the order of the ring, their hosts and sizes.  False: they are not all there. */
static bool list_groups(RingWalk *r)
{
    RingBlocks *b = r->blocks;
    const Layer *layer = &b->layer[b->layers - 1];
    Cell at = {layer->covers - 1, b->kinds - 1, b->groups, b->extra};
    int32_t count = 0, g = 0;
    for (; layer > b->layer; layer--) {
        if (layer->host < 0) {
            at.covers = layer[-1].covers - 1;
            continue;
        }
        const int32_t host = b->host[layer->host];
        const Way *way = way_back(r, layer, &at);
        if (way != NULL)
            count += list_stretches(b, &b->pieces[r->sites->of[host]], way, host,
                                    r->hosts->places[host], &b->stretch[count]);
    }
    qsort(b->stretch, (size_t)count, sizeof *b->stretch, in_order);
    for (int32_t k = 0; k < count; k++)
        for (int32_t i = 0; i < b->stretch[k].groups && g < b->groups; i++, g++) {
            b->of[g] = b->stretch[k].host;
            b->size[g] = b->stretch[k].size + (i < b->stretch[k].more);
        }
    return g == b->groups;
}

/* Sizes are made to fall, and their sum to be what it should.  False: that cannot be. */
static bool set_sizes(RingBlocks *b, const Hosts *h, int32_t wanted)
{
    int32_t sum = 0, before = -1;
    for (int32_t i = 0; i < h->count; i++)
        b->room[i] = h->places[i];
    for (int32_t g = 0; g < b->groups; g++) {
        b->size[g] = g > 0 && b->size[g - 1] < b->size[g] ? b->size[g - 1] : b->size[g];
        b->room[b->of[g]] -= b->size[g];
        sum += b->size[g];
    }
    while (sum < wanted && sum != before) { /* larger, from the first on */
        before = sum;
        for (int32_t g = 0; g < b->groups; g++) {
            int64_t more = g > 0 ? b->size[g - 1] - b->size[g] : 1;
            more = more < b->room[b->of[g]] ? more : b->room[b->of[g]];
            more = more < wanted - sum ? more : wanted - sum;
            b->size[g] += (int32_t)more;
            b->room[b->of[g]] -= more;
            sum += (int32_t)more;
        }
    }
    for (; sum > wanted; sum--) { /* smaller: the last one of the largest */
        int32_t last = 0;
        while (last + 1 < b->groups && b->size[last + 1] == b->size[0])
            last++;
        b->size[last]--;
        b->room[b->of[last]]++;
    }
    bool fits = sum == wanted;
    for (int32_t i = 0; i < h->count; i++)
        fits = fits && b->room[i] >= 0;
    return fits;
}

bool ring_blocks_place(RingWalk *r, double sum)
{
    RingBlocks *b = r->blocks;
    int32_t rank = 0;
    if (!list_groups(r) || !set_sizes(b, r->hosts, r->shape->rest))
        return false;
    for (int32_t g = 0; g < b->groups; g++)
        for (int32_t i = 0; i < b->size[g]; i++)
            b->host_of[rank++] = b->of[g];
    division_set(r->shape, b->size);
    r->effort->work += cost_work(r->hosts, r->shape);
    best_offer(r->best, r->hosts, r->shape, b->host_of);
    return ring_walk_known(r) <= sum * (1 + ROUNDING);
}
