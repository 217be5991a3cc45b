/* The ways in which a host of a site can have blocks of a ring. */
#include <string.h>

#include "grid/taag/schedule/ring_blocks_inner.h"

/* ---- pieces --------------------------------------------------------------------------------- */

/* Groups of a visit, of low to high processes. */
static void add_range(const RingBlocks *b, Pieces *p, int32_t visit, int32_t low, int32_t high,
                      uint8_t covers)
{
    if (p->count + 2 > MOST_PIECES)
        return;
    if (high > b->least)
        p->piece[p->count++] =
            (Piece){visit, low > b->least ? low : b->least + 1, high, true, covers};
    if (low == b->least)
        p->piece[p->count++] = (Piece){visit, low, low, false, covers};
    if (high > b->least && low == b->least) {
        p->falls[0] = p->count - 2;
        p->falls[1] = p->count - 1;
    }
}

/* How often the walk visits a site. */
static int32_t count_visits(const RingBlocks *b, int32_t length, int32_t site)
{
    int32_t visits = b->walk[0] == site;
    for (int32_t j = 0; j < length; j++)
        visits += b->walk[j] == site;
    return visits;
}

void ring_pieces_any(const RingBlocks *b, bool closes, Pieces *out)
{
    *out = (Pieces){.covers = 1, .falls = {-1, -1}, .closes = {-1, -1}};
    add_range(b, out, 0, b->least, b->open, 0);
    if (closes && out->count == 2)
        memcpy(out->closes, out->falls, sizeof out->closes);
}

void ring_pieces(const RingBlocks *b, int32_t length, int32_t site, Pieces *out)
{
    const int32_t *t = b->threshold;
    if (length == 1 || count_visits(b, length, site) > MOST_RANGES) {
        ring_pieces_any(b, b->walk[0] == site, out);
        return;
    }
    *out = (Pieces){.covers = 1, .falls = {-1, -1}, .closes = {-1, -1}};
    for (int32_t j = 0; j < length; j++) {
        if (b->walk[j] != site)
            continue;
        const bool counts = out->covers < COVERS;
        add_range(b, out, j, t[j], j == 0 ? b->open : t[j - 1], counts ? (uint8_t)out->covers : 0);
        out->covers *= counts ? 2 : 1;
    }
    if (b->walk[0] != site)
        return;
    if (out->piece[0].larger)
        out->closes[0] = 0;
    add_range(b, out, length, b->least, t[length - 1], 0);
    out->closes[1] = out->count - 1;
}

/* ---- ways ----------------------------------------------------------------------------------- */

static bool is_better(const Way *x, const Way *y)
{
    return x->groups == y->groups && x->blocks <= y->blocks && x->extra >= y->extra &&
           (x->kinds & ~y->kinds) == 0 && (y->covers & ~x->covers) == 0;
}

/* One more, unless another one is as good.  Returns how many there are. */
static int32_t keep(Way *out, int32_t count, Way way)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++)
        if (is_better(&out[i], &way))
            return count;
    for (int32_t i = 0; i < count; i++)
        if (!is_better(&way, &out[i]))
            out[kept++] = out[i];
    out[kept++] = way;
    return kept;
}

static bool has_both(uint32_t pieces, const int32_t *two)
{
    return two[0] >= 0 && two[1] >= 0 && (pieces >> two[0] & 1) && (pieces >> two[1] & 1);
}

/* Does a block close the ring in these pieces?  Its last group is one of the smallest of the ring, if not of the least
 * size. */
static bool can_close(const Pieces *p, uint32_t pieces)
{
    const int32_t least = p->closes[1];
    const int32_t larger[2] = {p->closes[0], least - 1};
    const bool other = least > 1 && p->piece[least - 1].visit == p->piece[least].visit;
    return has_both(pieces, p->closes) ||
           (other && larger[1] != larger[0] && has_both(pieces, larger));
}

/* Blocks of at least one group of each of these pieces.  Returns how many ways there are then. */
static int32_t use_pieces(const RingBlocks *b, const Pieces *p, uint32_t pieces, uint8_t kinds,
                          int32_t places, Way *out, int32_t count)
{
    uint8_t covers = 0;
    int32_t used = 0, least = b->widest, most = b->least, low = 0, high = 0;
    for (int32_t k = 0; k < p->count; k++) {
        const Piece *piece = &p->piece[k];
        if (!(pieces >> k & 1))
            continue;
        used++;
        covers |= piece->covers;
        low += piece->low - b->least;
        high += piece->high - b->least;
        least = piece->low < least ? piece->low : least;
        most = piece->high > most ? piece->high : most;
    }
    if (kinds & CLOSES && b->most > p->piece[p->closes[0]].low) /* one of them is the largest */
        low += b->most - p->piece[p->closes[0]].low;
    const int32_t blocks = used - (kinds & FALLS ? 1 : 0) - (kinds & CLOSES ? 1 : 0);
    for (int32_t n = used; n <= b->groups && blocks > 0; n++) {
        const int32_t beside = places - n * b->least;
        if (beside < low + (n - used) * (least - b->least))
            break;
        const int32_t reach = high + (n - used) * (most - b->least);
        int32_t extra = beside < reach ? beside : reach;
        extra = extra < b->extra ? extra : b->extra;
        const Way way = {n, extra, (int16_t)blocks, kinds, covers, (uint8_t)pieces};
        count = keep(out, count, way);
    }
    return count;
}

int32_t ring_ways(const RingBlocks *b, const Pieces *p, int32_t places, Way *out)
{
    int32_t count = 0;
    for (uint32_t pieces = 1; pieces < 1u << p->count; pieces++)
        for (uint8_t kinds = 0; kinds < b->kinds; kinds++)
            if ((!(kinds & FALLS) || has_both(pieces, p->falls)) &&
                (!(kinds & CLOSES) || (p->closes[0] >= 0 && can_close(p, pieces))))
                count = use_pieces(b, p, pieces, kinds, places, out, count);
    return count;
}
