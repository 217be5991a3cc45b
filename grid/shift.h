/* How the mapping changes while the run goes on.
 *
 *   process 0   each process, then
 *   FREEZE      nothing begins any more; what has begun, work or a move, ends
 *               QUIET: nothing works here, what left here has moved, what came here has as well
 *   SHIP        (when all are quiet) units that leave are sent
 *               SETTLED: those that come are here
 *   RESUME      (when all are settled) the new mapping and epoch hold
 *
 * What is on its way to somebody keeps its sender from being quiet: so when all are, nothing is on
 * its way but credits, and those are void in the next epoch.  An item that moves while the run is
 * frozen ends in its inlet and goes with the unit.  A process that hears of the new epoch from
 * another process before it hears from process 0 may resume: the other one would not have if not
 * all were settled.  If the stream has come to its end before a process hears of FREEZE, the run
 * ends and nothing changes.  A unit may arrive before SHIP does; it is for the epoch to come. */
#ifndef GRID_SHIFT_H
#define GRID_SHIFT_H

#include "grid/run.h"

/* Process 0: begin to change to a mapping (stage_count processes, checked), as decided at that
 * time.  Errors: -1 after run_fail. */
int shift_begin(Run *run, const int32_t *mapping, double decided);
int shift_handle(Run *run, const Message *message);
/* Is a change under way, or its first start of work still to come? */
int shift_busy(const Run *run);
/* Say that this process is quiet if it is. */
int shift_step(Run *run);
/* Work begins: the first time in an epoch, process 0 is told. */
int shift_started(Run *run);
/* A message of the epoch to come is here: so it has come.  For credits, starts and the end of the
 * stream; an item or a `moved` answers something that was said in its epoch. */
int shift_catch_up(Run *run, const Message *message);
/* The run is over: if `moved` has not been called for the last change, call it. */
void shift_end(Run *run);

/* Unit places of a mapping: stages, and source and sink at the ends or with their neighbours. */
void shift_places(const Run *run, const int32_t *mapping, int32_t *place);

#endif
