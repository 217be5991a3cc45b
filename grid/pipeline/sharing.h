/* Serial sharing: the stages of a process take turns.
 *
 * A process works for as many units at a time as it has cores (without injected times: one).  A
 * stage gets its items by an activity: a move, or on a buffered link the taking out of the input
 * buffer.  That activity ends only while the process is not fully at work, as in the model the
 * processor takes part in it (generate.h of amoget).  So with injected times its clock is stopped
 * while the process is fully at work.  Moves into input buffers and to the sink need no processor
 * and go on. */
#ifndef GRID_PIPELINE_SHARING_H
#define GRID_PIPELINE_SHARING_H

#include "grid/pipeline/run.h"

/* Must the process be free for this unit to begin with the item in its input buffer? */
int sharing_applies(const Run *run, int32_t unit);
/* Does the process work for as many units as it can? */
int sharing_is_full(const Run *run, double when);
/* The activity that brings in the unit's next item would begin at `when` and takes `seconds`: sets
 * when it is due, HUGE_VAL while its clock is stopped. */
void sharing_start_clock(Run *run, int32_t unit, double when, double seconds);
/* Work for a unit begins, or ends, here. */
void sharing_work_begins(Run *run, double when);
void sharing_work_ends(Run *run, double when);

#endif
