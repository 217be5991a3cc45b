/* The best placement found so far. */
#ifndef TAAG_SCHEDULE_BEST_H
#define TAAG_SCHEDULE_BEST_H

#include "grid/taag/schedule/cost.h"

typedef struct {
    bool found;
    Cost cost;
    int32_t parts;
    int32_t *sizes;        /* parts of the shape */
    int32_t *host_of;      /* processes */
    int32_t *used, *start; /* scratch */
} Best;

bool best_make(Best *best, int32_t processes);
void best_free(Best *best);
/* Is the cost, of a shape whose first part has that size, better than the best one?  Costs being
 * equal, fewer parts are, then a larger first one. */
bool best_beaten(const Best *best, Cost cost, int32_t parts, int32_t first);
/* Keep a placement if it is better. */
void best_offer(Best *best, const Hosts *hosts, const Shape *shape, const int32_t *host_of);

#endif
