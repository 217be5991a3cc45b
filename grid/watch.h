/* What is seen of a run, and that its processes are there. */
#ifndef GRID_WATCH_H
#define GRID_WATCH_H

#include "grid/run.h"

/* Memory; then, when the run begins, the timers. */
int watch_prepare(Run *run);
void watch_begin(Run *run);
void watch_close(Run *run);

/* Samples; dropped when there are many. */
void watch_service(Run *run, int32_t unit, double when, double seconds);
/* Into a unit that is here. */
void watch_move(Run *run, int32_t unit, double when, double seconds);
/* Out of a unit that is here, to a process with another clock: there and back, without the time
 * that the item lay there. */
void watch_round_trip(Run *run, const Message *moved, double seconds);
/* Between any two processes; kept in any case. */
void watch_ping(Run *run, int32_t a, int32_t b, double bytes, double seconds);

/* A process was heard of. */
void watch_heard(Run *run, int32_t from);
int watch_report(Run *run, const Message *message);

/* Reports, probes, decisions and missing processes: what is due by now.  1: something was; 0:
 * nothing; -1 after run_fail or run_give_up. */
int watch_step(Run *run, double now);
double watch_next(const Run *run);

#endif
