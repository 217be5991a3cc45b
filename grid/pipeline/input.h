/* The second place of a unit's input buffer, on pushed links (flow.h): an item that was sent before
 * the one in front of it was taken. */
#ifndef GRID_PIPELINE_INPUT_H
#define GRID_PIPELINE_INPUT_H

#include "grid/pipeline/run.h"

/* The item after that of the input has come: takes the body. */
void input_queue(Unit *unit, int64_t item, int32_t end, GridBuffer *body, double now);
/* The input's item has been taken: the queued one, if there is one, takes its place. */
void input_advance(Unit *unit, double when);

#endif
