/* Calls of the user's functions: states of stages, source, stages, sink.  Errors: -1, and the
 * session's error names the unit and the item. */
#ifndef GRID_PIPELINE_UNIT_H
#define GRID_PIPELINE_UNIT_H

#include "grid/pipeline/run.h"

const GridStage *unit_stage(const Run *run, int32_t unit);
/* The unit's state exists here. */
int unit_create(Run *run, int32_t unit);
/* Free the stage's state and all items. */
void unit_destroy(Run *run, int32_t unit);
/* A function for states failed with `code`; `what`: "create". */
int unit_cannot(Run *run, int32_t unit, const char *what, int code);

/* The source's next item, or the end, into `out`. */
int unit_source(Run *run);
/* A stage's function, from `in` to `out`; the seconds that it took, and those of them in which it
 * waited for a processor (sampler_waited). */
int unit_process(Run *run, int32_t unit, double *seconds, double *waited);
/* Give the item in `in` to the sink. */
int unit_sink(Run *run);

#endif
