/* What the files of ring_walk.h share. */
#ifndef TAAG_SCHEDULE_RING_WALK_INNER_H
#define TAAG_SCHEDULE_RING_WALK_INNER_H

#include "grid/taag/schedule/best.h"
#include "grid/taag/schedule/effort.h"
#include "grid/taag/schedule/sites.h"

/* Groups of a visit; the first visit may have a second part at the end of the ring. */
typedef struct {
    int32_t site, groups;
    int32_t last; /* processes of its last group, at least */
} Visit;

typedef struct RingBlocks RingBlocks;
typedef struct RingWalk RingWalk;

/* How groups are put into visits. */
typedef struct {
    /* What groups cost on a set of sites at least; NULL: what is known without it is all. */
    double (*within)(RingWalk *r, int32_t set);
    /* Groups for the visits of the walk, whose links cost so much, and sizes: offers placements of at most the goal,
     * which is lowered. */
    void (*fill)(RingWalk *r, double links);
} RingFilling;

struct RingWalk {
    const RingFilling *filling;
    const Hosts *hosts;
    const Sites *sites;
    Shape *shape;
    Best *best;
    Effort *effort;
    SiteWalks *walks;
    RingBlocks *blocks;    /* of groups on one host each (ring_blocks.h) */
    int32_t level;         /* of the bound */
    double limit;          /* of latencies */
    double goal;           /* sums above it do not matter */
    double found;          /* the least sum of a placement so far */
    double unplaced;       /* the least sum for which no placement was found */
    int32_t set;           /* of sites: a bit each */
    double *within;        /* sets: what groups cost there at least */
    bool *sure;            /* sets: it cannot be made larger */
    int32_t length, *walk; /* sites in the order of visits */
    int32_t visits;        /* of the walk from one visit on, and the end of that */
    Visit *visit;
    double cheapest;           /* latency within its sites */
    int32_t again[MOST_SITES]; /* visits that are to come */
    int64_t least[MOST_SITES]; /* processes on each: at least, */
    int64_t reach[MOST_SITES]; /* and at most, if there were places */
    int32_t *site;             /* of groups */
    bool no_memory;
};

/* The sum of the best known placement, if it is within the limit; else INFINITY. */
double ring_walk_known(const RingWalk *r);

/* ring_walk_solve, with groups put into visits so. */
bool ring_walk_with(const RingFilling *filling, RingBlocks *blocks, const Hosts *hosts,
                    const Sites *sites, Shape *shape, Cost *bound, Best *best, Effort *effort);

/* Fills visits with groups that are spread over the hosts of sites. */
void ring_walk_fill(RingWalk *r, double links);

#endif
