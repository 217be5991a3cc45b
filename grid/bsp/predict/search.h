/* On which processors a traced program takes the least time by the unequal formula: branch and bound
 * over the processors of the processes, one process after another.
 *
 * Bound of what is placed only in part: each superstep takes at least the longest computation of
 * the processes placed, and of the others on the processor that is best for one alone; the longest
 * communication among the processes placed; and their barrier.  Processors that nothing tells apart
 * are tried once.  A descent from each of several starts gives the first placement. */
#ifndef GRID_BSP_PREDICT_SEARCH_H
#define GRID_BSP_PREDICT_SEARCH_H

#include "grid/bsp/predict/predict.h"

typedef struct {
    double seconds; /* the formula's */
    double bound;   /* no placement takes less */
    int64_t looked; /* placements and parts of them that were looked at */
    bool optimal;   /* proved */
} Found;

/* where->at becomes the best placement found.
 *   most_work  ends the search: so many supersteps times placements in part; 0: no limit
 * Errors: PEPA_ENOMEM, PEPA_EMODEL (no latency between two processors). */
PepaStatus placement_search(const Trace *trace, Placement *where, int64_t most_work, Found *found,
                            PepaError *err);

#endif
