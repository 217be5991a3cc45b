/* Branch and bound over the placements of one partition. */
#ifndef TAAG_SCHEDULE_DIVE_H
#define TAAG_SCHEDULE_DIVE_H

#include "grid/taag/schedule/best.h"
#include "grid/taag/schedule/effort.h"
#include "grid/taag/schedule/tree.h"

typedef struct {
    const Hosts *hosts;
    const LatencyTree *tree;
    Best *best;
    Effort effort;     /* in hosts looked at */
    int64_t tie_limit; /* of its work once the best cost is the proved one */
    Cost proved;       /* no partition has a lower cost */
    int64_t nodes;
    bool no_memory;

    const Shape *shape;
    Cost bound;       /* of the partition */
    int32_t *free;    /* places left of hosts */
    int32_t *host_of; /* by rank */
    int32_t *first;   /* rank of the first process of each group */
    int32_t *place;   /* of each group, its place in the order */
    int32_t *near;    /* groups of smaller place that a group talks to: near[near_at[g]] .. */
    int32_t *near_at;
    size_t near_cap;
} Dive;

bool dive_make(Dive *dive, const Hosts *hosts, const LatencyTree *tree, int32_t processes,
               Best *best);
void dive_free(Dive *dive);
/* Offer to `best` what is better than it.  bound: of the partition. */
void dive_into(Dive *dive, const Shape *shape, Cost bound);
bool dive_ended(Dive *dive);

#endif
