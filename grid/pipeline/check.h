/* The arguments of grid_run. */
#ifndef GRID_PIPELINE_CHECK_H
#define GRID_PIPELINE_CHECK_H

#include "grid/pipeline/run.h"

/* Check what this process can check alone; sets the session's error. */
void check_arguments(Run *run);
/* A hash of what must be the same on all processes, >= 0.  After check_arguments without error. */
int64_t check_fingerprint(const Run *run);

#endif
