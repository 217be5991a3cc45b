/* Injected times of a pipeline: how long the described machines take for a stage's work and for the
 * moves of items (grid/machine/platform.h).
 *
 * Durations are drawn by activity and item alone: the same whatever the mapping, the timing and the
 * number of processes. */
#ifndef GRID_PIPELINE_INJECTED_H
#define GRID_PIPELINE_INJECTED_H

#include <amoget.h>

#include "grid/machine/platform.h"
#include "grid/pipeline/reader.h"

/* What the platform's description says of the pipeline; NULL: the platform was not made with
 * grid_pipeline_reader. */
const AmogetDescription *injected_pipeline(const GridPlatform *platform, double time);

/* Seconds that stage `stage` takes for item `item` on process `process`, on which `there` stages
 * are. */
double injected_service(const GridPlatform *platform, double time, int32_t stage, int64_t item,
                        int32_t process, int32_t there);
/* Seconds that move 0 .. stages takes with item `item` from process a to b.  One of the ends of the
 * first and the last move may be AMOGET_NOWHERE: then the move is within the other. */
double injected_move(const GridPlatform *platform, double time, int32_t move, int64_t item,
                     int32_t a, int32_t b);
/* Seconds that it takes to get item `item` out of the input buffer that move `move` brought it to:
 * the latency within the process. */
double injected_take(const GridPlatform *platform, double time, int32_t move, int64_t item,
                     int32_t process);
/* How many stages a process can work for at the same time, 1 .. stages. */
int32_t injected_cores(const GridPlatform *platform, double time, int32_t process);
/* Bytes of an item on move 0 .. stages. */
double injected_bytes(const GridPlatform *platform, double time, int32_t move);

#endif
