/* The samples of a pipeline: services of stages, and moves of items. */
#ifndef GRID_PIPELINE_SAMPLING_H
#define GRID_PIPELINE_SAMPLING_H

#include "grid/pipeline/run.h"

/* Streams of samples for the sampler. */
int32_t sampling_streams(const Run *run);
/* A stage's work ended at `when`; alone it takes so many seconds, and waited for so many of them. */
void sampling_service(Run *run, int32_t unit, double when, double seconds, double waited);
/* Injected times: a move into a unit that is here began at `when`. */
void sampling_move(Run *run, int32_t unit, double when, double seconds);
/* Else: an item has come from a process, with the time at which it was sent. */
void sampling_item(Run *run, int32_t from, const Fields *fields, size_t bytes, double now);

#endif
