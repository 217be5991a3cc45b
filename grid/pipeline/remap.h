/* Remapping: how stages move while the run goes on.
 *
 *   process 0   each process, then
 *   FREEZE      starts nothing more; work and moves that have begun end
 *               QUIET: nothing works here, what was sent from here has moved, and so has what came
 *   SHIP        (when all are quiet) sends the units that leave
 *               SETTLED: the units that come are here
 *   RESUME      (when all are settled) starts with the new mapping, in the next epoch
 *
 * A message on its way keeps its sender from being quiet.  So when all are quiet, only credits are
 * on their way, and these are void in the next epoch.
 *
 * An item that moves during the freeze ends in the input buffer and goes with its unit.  A process
 * that gets a message of the next epoch from another process before process 0's RESUME may resume:
 * the other could not have sent it unless all were settled.  If the stream ends before a process
 * gets FREEZE, the run ends and nothing moves.  A unit may arrive before SHIP does. */
#ifndef GRID_PIPELINE_REMAP_H
#define GRID_PIPELINE_REMAP_H

#include "grid/pipeline/run.h"

/* Process 0: begin to change to a mapping (stage_count processes, checked), decided at that time.
 * -1: failed. */
int remap_begin(Run *run, const int32_t *mapping, double decided);
/* TAG_FREEZE to TAG_RESUME.  -1: failed. */
int remap_handle(Run *run, const Fields *fields, const Message *message);
/* Process 0, TAG_STARTED: the first work in an epoch, which ends a move for the controller. */
void remap_started(Run *run, int32_t from, const Fields *fields);
/* Is a change under way, or its first start of work still to come? */
int remap_busy(const Run *run);
/* Say that this process is quiet if it is.  1: did; 0; -1: failed. */
int remap_step(Run *run);
/* A credit, a start or the end of the stream is here: if it is of the next epoch, that has begun.
 * (An item or a `moved` answers a message of its own epoch, and cannot come early.) */
void remap_catch_up(Run *run, const Fields *fields);
/* The run ends: tell the controller of the last change if it has not been told. */
void remap_end(Run *run);

/* Processes of the units under a mapping: source and sink at the given ends, or beside their
 * neighbours. */
void remap_places(const Run *run, const int32_t *mapping, int32_t *place);

#endif
