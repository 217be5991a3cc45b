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

typedef struct {
    const Hosts *hosts;
    const Sites *sites;
    Shape *shape;
    Best *best;
    Effort *effort;
    SiteWalks *walks;
    double limit;          /* of latencies */
    double goal;           /* sums above it do not matter */
    double found;          /* the least sum of a placement so far */
    int32_t set;           /* of sites: a bit each */
    double within;         /* what groups cost on it at least */
    int32_t length, *walk; /* sites in the order of visits */
    int32_t visits;        /* of the walk from one visit on, and the end of that */
    Visit *visit;
    double cheapest;           /* latency within its sites */
    int32_t again[MOST_SITES]; /* visits that are to come */
    int64_t least[MOST_SITES]; /* processes on each: at least, */
    int64_t reach[MOST_SITES]; /* and at most, if there were places */
    int32_t *site;             /* of groups */
    bool no_memory;
} RingWalk;

/* Numbers of groups for the visits of the walk, whose links cost so much, and sizes: offers placements of less than
 * the goal, which is lowered. */
void ring_walk_fill(RingWalk *r, double links);

#endif
