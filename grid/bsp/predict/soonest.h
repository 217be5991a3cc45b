/* The soonest that a traced program can end where only some of its processes are placed: no placement that agrees
 * with what is placed has a shorter timeline.
 *
 * By recurrence over supersteps, with all that the timeline has (timeline.h) but that data shares links with other
 * data of the same superstep at its receiver alone, that what is not placed is as near and as fast as can be, and that
 * of the processes of a processor only the last one waits for a core: by then their cores have done the work of all. */
#ifndef GRID_BSP_PREDICT_SOONEST_H
#define GRID_BSP_PREDICT_SOONEST_H

#include "grid/bsp/predict/superstep.h"

/* Scratch memory. */
typedef struct {
    double *latency; /* processes x processes, seconds */
    double *now, *met,
        *passed; /* by process: when it begins, has what all sent, and ends a superstep */
    double *first,
        *received; /* by process: when data for it first comes, and how long it takes for all */
    double *sent;  /* by process: bytes */
    double *begun,
        *done; /* by processor: when its first process begins, and the last one has computed at the soonest */
    int32_t *one; /* by processor: a process there; -1: none */
    int32_t processors;
} Soonest;

/* False: out of memory (free is legal). */
bool soonest_new(Soonest *s, int32_t processes, int32_t processors);
void soonest_free(Soonest *s);
/* Seconds.  where->at is negative for processes that are not placed; where->second is that of all.
 * O(steps x processes^2 + sends). */
double soonest_end(Soonest *s, const Trace *trace, const Placement *where);

#endif
