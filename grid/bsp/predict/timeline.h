/* How long a traced program takes if each process goes on as soon as it has what it waits for, and all
 * durations are constant: process by process, superstep by superstep.
 *
 * At the end of a superstep a process sends each other one message at once, with the data for it, and
 * goes on when its own data has left and it has what all others sent.  Data of one process goes one
 * after another, at the sender and at the receiver; with separate links, data from one process to
 * one.  So a process that is early does not wait for the slowest at once, as in the formula, and
 * latencies overlap with work.
 * After pauses connections may send more slowly (connection.h), if the platform says so.
 * Source: the messages of this library (grid/bsp/messages.c); the model of time is that of A. Alexandrov
 * and others, LogGP, 1997, without overheads. */
#ifndef GRID_BSP_PREDICT_TIMELINE_H
#define GRID_BSP_PREDICT_TIMELINE_H

#include "grid/bsp/predict/superstep.h"

/* Seconds until the last process has ended the last superstep; each (steps, or NULL): how much later
 * that is for each superstep than for the one before.  O(steps x processes^2).
 * Errors: PEPA_ENOMEM. */
PepaStatus timeline_run(const Trace *trace, const Placement *where, double *each, double *out,
                        PepaError *err);

#endif
