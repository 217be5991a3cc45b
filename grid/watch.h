/* What is seen of a run, and that its processes are there. */
#ifndef GRID_WATCH_H
#define GRID_WATCH_H

#include "grid/run.h"

/* Memory; then, when all have met, the clocks; then, when the run begins, the timers. */
int watch_prepare(Run *run);
void watch_meet(Run *run);
void watch_begin(Run *run);
void watch_close(Run *run);

/* Samples; dropped when there are many. */
void watch_service(Run *run, int32_t unit, double when, double seconds);
/* Into a unit that is here: with injected times. */
void watch_move(Run *run, int32_t unit, double when, double seconds);
/* The same without: an item has come, with its sender's time on it.  It counts if this process was
 * waiting for something then, and not at work. */
void watch_item(Run *run, const Message *message, double now);
/* Between any two processes; kept in any case. */
void watch_ping(Run *run, int32_t a, int32_t b, double bytes, double when, double seconds);

/* While there is a controller and no times are injected, each process asks another one several
 * times a second: how long small messages take, and what its clock says. */
int watch_answer(Run *run, const Message *message);
void watch_pong(Run *run, const Message *message);
/* What to add to a process's clock's time for this one's, as found by so long a way there and back.
 */
void watch_clock(Run *run, int32_t process, double offset, double round);

/* A process was heard of. */
void watch_heard(Run *run, int32_t from);
int watch_report(Run *run, const Message *message);

/* Reports, probes, decisions and missing processes: what is due by now.  1: something was; 0:
 * nothing; -1 after run_fail or run_give_up. */
int watch_step(Run *run, double now);
double watch_next(const Run *run);

#endif
