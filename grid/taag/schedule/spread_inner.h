/* What the files of spread.h share. */
#ifndef TAAG_SCHEDULE_SPREAD_INNER_H
#define TAAG_SCHEDULE_SPREAD_INNER_H

#include "grid/taag/schedule/best.h"
#include "grid/taag/schedule/contents.h"
#include "grid/taag/schedule/packing.h"

typedef enum { EACH_TO_EACH, STAR, RING, OTHER } Pattern;

typedef struct {
    const Hosts *hosts;
    const Sites *sites;
    Shape *shape;
    Best *best;
    Effort *effort;
    Pattern pattern;
    bool hasty;                             /* placements at small cost, no bounds */
    bool spread;                            /* groups may be on several hosts */
    int32_t unit;                           /* places of the smallest part, with its manager */
    int32_t root;                           /* the site of a tree's root; -1 */
    int32_t count[MOST_SITES];              /* parts on each site */
    int32_t most[MOST_SITES];               /* that it can hold */
    int32_t later[MOST_SITES + 1];          /* that all sites from here on can hold */
    double nearest[MOST_SITES][MOST_SITES]; /* [b][a]: of b to sites from a on */
    int64_t *smallest;                      /* parts + 1: places of so many of the smallest parts */
    double *shared;                         /* (sites + 1) x (parts + 1): pairs that can be on one
                                               host, of so many groups; last: on all sites */
    Packing packing;                        /* of given sizes on sites */
    Contents contents;                      /* of given sizes on their hosts */
    int32_t *sorted;                        /* given sizes, largest first */
    int32_t *site, *host;                   /* of each part; host: -1: any of the site */
    Cost least;                             /* of all numbers so far, and of the best placement */
    bool no_memory;
} Spread;

/* Costs are {level, largest latency, sum}; pairs on one host count as others.  What each adds to *cost:
 * the groups of site a, and their pairs with those of sites before it, */
void spread_add_each(const Spread *spread, int32_t a, Cost *cost);
/* less what pairs on one host take off at most, on sites up to a: sites together do not share more hosts than the
 * groups can; */
void spread_take_shared(const Spread *spread, int32_t a, Cost *cost);
/* `left` groups on sites after a, at least; */
void spread_add_rest(const Spread *spread, int32_t a, int32_t left, Cost *cost);
/* managers and leaves of a tree on a site, */
void spread_add_units(const Spread *spread, int32_t a, Cost *cost);
/* `left` of them on sites after a, at least. */
void spread_add_open_units(const Spread *spread, int32_t a, int32_t left, Cost *cost);
/* With its mean in place of the sum; is that more than the least so far? */
Cost spread_mean_of(const Spread *spread, Cost cost);
bool spread_worse(const Spread *spread, Cost cost);

#endif
