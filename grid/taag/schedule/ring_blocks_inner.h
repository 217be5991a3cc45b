/* What the files of ring_blocks.h share. */
#ifndef TAAG_SCHEDULE_RING_BLOCKS_INNER_H
#define TAAG_SCHEDULE_RING_BLOCKS_INNER_H

#include "grid/taag/schedule/ring_walk_inner.h"

enum { MOST_RANGES = 4, MOST_PIECES = 2 * MOST_RANGES, COVERS = 4 };

/* What at most one block of a ring has: sizes come down to the least in it; the ring closes in it. */
enum { FALLS = 1, CLOSES = 2, KINDS = 4 };

/* Groups of a visit: of the least size alone, or of larger ones alone. */
typedef struct {
    int32_t visit;     /* of the walk; its length: the end of the ring */
    int32_t low, high; /* sizes */
    bool larger;
    uint8_t covers; /* which of the visits that must have a group: a bit each */
} Piece;

/* The pieces of a site, and those that a block joins: where sizes come down to the least, and where the ring closes,
 * which the first of these begins.  -1: none. */
typedef struct {
    int32_t count;
    Piece piece[MOST_PIECES];
    int32_t covers; /* sets of visits that must have a group: COVERS at most */
    int32_t falls[2], closes[2];
} Pieces;

/* Blocks of a host. */
typedef struct {
    int32_t groups, extra; /* extra: processes above the least of each group */
    int16_t blocks;
    uint8_t kinds;  /* FALLS, CLOSES */
    uint8_t covers; /* visits that must have a group */
    uint8_t pieces; /* a bit each */
} Way;

typedef struct {
    int32_t count;
    Way *way;
} Ways;

/* Groups of a host that follow each other in the ring. */
typedef struct {
    int32_t visit, host, groups;
    bool larger;        /* than the least; these come first in a visit */
    int32_t rank;       /* -1, 1: it comes first or last among those */
    int32_t size, more; /* of the first `more` groups one more than the size */
} Stretch;

/* What blocks of some hosts cost at least: covers x kinds x cells. */
typedef struct {
    int32_t host;   /* the last of them, as listed; -1: the next site begins */
    int32_t covers; /* of its site */
    double *value;
} Layer;

struct RingBlocks {
    int32_t groups, extra, least; /* wanted; of a group */
    int32_t widest;               /* processes of a group, at most: what a host can hold */
    int32_t open, most;    /* the same now; the largest group, if the ring closes in a block */
    int32_t kinds;         /* KINDS, or half of it: no block may close the ring */
    int32_t *first, *host; /* hosts by site, and by places */
    Ways *ways;            /* of hosts, as listed */
    Way *pool;             /* those of all */
    size_t cells; /* (groups + 1) x (extra + 1): as many groups, and as much extra or more */
    int32_t layers;
    Layer *layer;   /* hosts + sites + 1 at most */
    double *values; /* of layers */
    int32_t held;   /* groups of all layers, at most */
    double *rest;   /* sites + 1 x kinds x cells: of sites from a stop on, whatever the sizes */
    int32_t stops, *stop; /* sites in the order of their last visits; the first one's is the end */
    int32_t *last;        /* of stops: the last visit */
    int32_t *threshold;   /* of visits */
    int32_t *walk;        /* from the visit where the ring begins */
    Pieces pieces[MOST_SITES];
    Stretch *stretch;   /* MOST_PIECES for each host: of a placement */
    int32_t *size, *of; /* groups: their sizes and hosts */
    int32_t *host_of;   /* processes */
    int64_t *room;      /* hosts: places left */
};

/* Of those that cover a set of visits, or more. */
static inline double *ring_values(const RingBlocks *b, const Layer *layer, int32_t covers)
{
    return layer->value + (size_t)covers * (size_t)b->kinds * b->cells;
}

/* What groups of a site may be: of the visits of the walk there. */
void ring_pieces(const RingBlocks *b, int32_t length, int32_t site, Pieces *out);
/* The same, whatever the thresholds; closes: the ring may close in a block there. */
void ring_pieces_any(const RingBlocks *b, bool closes, Pieces *out);
/* The ways in which a host with so many places can be used.  Returns how many. */
int32_t ring_ways(const RingBlocks *b, const Pieces *pieces, int32_t places, Way *out);

/* Offer a placement of blocks of the last layer, whose sum is known.  False: it costs more, or sizes do not fall. */
bool ring_blocks_place(RingWalk *r, double sum);

#endif
