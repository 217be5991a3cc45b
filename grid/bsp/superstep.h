/* The end of a superstep: what has been sent takes effect. */
#ifndef GRID_BSP_SUPERSTEP_H
#define GRID_BSP_SUPERSTEP_H

#include "grid/bsp/context.h"

/* End the superstep of a group by this call, whose name is in messages.  After it, until the next
 * one, transport_got says what the other processes gave as colour.  Mistakes end the program. */
void superstep_end(Bsp *bsp, const char *name, Call call, const Group *group, int colour);

#endif
