/* Serial sharing: the stages of a process take turns.
 *
 * A process works for as many units at a time as it has cores (without injected times: one).  What
 * its stages get their items by, a move or, from a buffered link's place, the taking, ends only
 * while it is not fully at work; in the model a processor takes part in these activities
 * (generate.h of amoget), so with injected times their clocks stand still while it is.  Moves into
 * places and to the sink need no processor and go on. */
#ifndef GRID_TURNS_H
#define GRID_TURNS_H

#include "grid/run.h"

/* Does beginning with the item of this unit's inlet need the process? */
int turns_needed(const Run *run, int32_t unit);
/* Does the process work as much as it can? */
int turns_full(const Run *run, double when);
/* The activity by which unit's next item comes in would begin at `when` and takes `seconds`: when
 * it is due, HUGE_VAL while the clock stands still. */
void turns_clock(Run *run, int32_t unit, double when, double seconds);
/* Work for a unit begins, or ends, here. */
void turns_work_begins(Run *run, double when);
void turns_work_ends(Run *run, double when);

#endif
