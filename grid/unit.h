/* What the user's functions are called for, and a unit as a parcel. */
#ifndef GRID_UNIT_H
#define GRID_UNIT_H

#include "grid/run.h"

/* Errors of these: -1 after run_fail. */
int unit_create(Run *run, int32_t unit);
/* The stage's state and all items. */
void unit_destroy(Run *run, int32_t unit);

/* The source's next item, or the end, into `out`. */
int unit_source(Run *run);
/* A stage's function, from `in` to `out`; seconds that it took. */
int unit_process(Run *run, int32_t unit, double *seconds);
/* The item in `in` goes to the sink. */
int unit_sink(Run *run);

/* Everything that makes up a unit; destroys it.  Its counters of samples stay. */
int unit_pack(Run *run, int32_t unit, GridBuffer *out);
int unit_unpack(Run *run, int32_t unit, const GridBuffer *from);

#endif
