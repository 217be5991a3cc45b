/* A unit as bytes, for a change of mapping. */
#ifndef GRID_PIPELINE_PARCEL_H
#define GRID_PIPELINE_PARCEL_H

#include "grid/pipeline/run.h"

/* Everything that makes up a unit; destroys the unit here.  -1: failed. */
int parcel_pack(Run *run, int32_t unit, GridBuffer *out);
/* Creates the unit here.  -1: failed. */
int parcel_unpack(Run *run, int32_t unit, const GridBuffer *from);

#endif
