/* What steers a pipeline: called on process 0.  No MPI here. */
#ifndef GRID_PIPELINE_CONTROLLER_H
#define GRID_PIPELINE_CONTROLLER_H

#include "grid/machine/samples.h"

/* All functions may be NULL. */
typedef struct {
    double period; /* seconds between calls of decide, > 0 */
    /* Samples of all processes.  In a GRID_SERVICE, a is the stage. */
    void (*observe)(void *user, const GridSample *samples, size_t count);
    /* done: items through the sink; mapping: in, the present one; out, the wanted one.  1: move;
     * 0: stay; < 0: end the run with an error. */
    int (*decide)(void *user, double time, int64_t done, int32_t *mapping);
    /* A move took `seconds` from the decision to the next start of work. */
    void (*moved)(void *user, double time, const int32_t *mapping, double seconds);
    void *user;
} GridController;

#endif
