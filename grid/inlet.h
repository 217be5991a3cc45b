/* The place behind a unit's inlet, on pushed links (flow.h): an item that was sent before the one
 * in front of it had been taken. */
#ifndef GRID_INLET_H
#define GRID_INLET_H

#include "grid/run.h"

/* An item, the next but one for this unit, has come; takes the body.  0. */
int inlet_wait(Unit *unit, Message *message, double now);
/* The inlet's item has been taken: the one behind it, if there is one, is there now. */
void inlet_follow(Unit *unit, double when);

#endif
