/* On which processors a traced program takes the least time by its timeline: branch and bound over the processors
 * of the processes, one process after another.
 *
 * What is placed only in part is bounded by soonest.h.  Processors that nothing tells apart are tried once.  A
 * greedy placement, and a descent from it, come first. */
#ifndef GRID_BSP_PREDICT_SEARCH_H
#define GRID_BSP_PREDICT_SEARCH_H

#include "grid/bsp/predict/placement.h"

typedef struct {
    double seconds; /* of the timeline */
    double bound;   /* no placement takes less */
    int64_t looked; /* placements and parts of them that were looked at */
    bool optimal;   /* proved */
} Found;

/* where->at becomes the best placement found.
 *   most_work  ends the search: so many supersteps times placements; 0: no limit
 * Errors: PEPA_ENOMEM, PEPA_EMODEL (no latency between two processors). */
PepaStatus placement_search(const Trace *trace, Placement *where, int64_t most_work, Found *found,
                            PepaError *err);

#endif
