/* How long a traced program takes if each process goes on as soon as it has what it waits for, and all
 * durations are constant: process by process, from event to event.
 *
 * Processes of one processor share its cores while they compute (flows.h).
 * At the end of a superstep a process sends each other one message at once, with the data for it, and goes on when it
 * has what all others sent.  Then it answers what was requested of it, and waits for its own answers.  Data that comes
 * at the same time shares the link of its sender evenly, and that of its receiver (flows.h), with what is left of an
 * earlier superstep as well; with separate links each two processes have one.  Data needs its links from when its
 * first byte can be there: so what goes near has left before what goes far comes, as TCP divides a link by the inverse
 * of round trips (Lakshman and Madhow, 1997).
 * MPI has taken over what it sends at once (AT_ONCE_MOST of grid/bsp/tuning.h), so that only more than that keeps
 * the sender.  So a process that is early does not wait for the slowest at once, as in the formula, and latencies
 * and data overlap with work.
 * After pauses connections may send more slowly (connection.h), if the platform says so.
 * Source: the messages of this library (grid/bsp/messages.c); the model of time is that of A. Alexandrov
 * and others, LogGP, 1997, without overheads, with fair links instead of gaps. */
#ifndef GRID_BSP_PREDICT_TIMELINE_H
#define GRID_BSP_PREDICT_TIMELINE_H

#include "grid/bsp/predict/superstep.h"

/* Seconds until the last process has ended the last superstep; each (steps, or NULL): how much later
 * that is for each superstep than for the one before.
 * O(steps x processes^2 + sends x log sends of a superstep).
 * Errors: PEPA_ENOMEM. */
PepaStatus timeline_run(const Trace *trace, const Placement *where, double *each, double *out,
                        PepaError *err);

#endif
