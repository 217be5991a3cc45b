/* Schedules of a sweep: which thread does which task, and what it waits for.
 *
 * A dynamic plan is an order in which threads that are free take tasks: a task waits for some of
 * those at most WINDOW places before it, and for all that are farther away.  A static plan gives
 * every task to one thread, which does its own in order: a task waits until each other thread has
 * done so many of its own.  Static plans suit graphs where long chains of tasks wait for each
 * other: threads then go through the chains side by side, one some way behind the other, and each
 * finds the data of its last task in its own cache. */
#ifndef PEPA_SOLVERS_SCHEDULE_PLAN_H
#define PEPA_SOLVERS_SCHEDULE_PLAN_H

#include "solvers/schedule/graph.h"

enum { WINDOW = 64 };

typedef struct {
    int32_t threads, tasks;
    double gain;    /* how many times as fast as one thread, as simulated */
    int32_t *first; /* as in TaskGraph */
    int32_t *order; /* tasks as they begin, no task before one that it waits for */
    /* Dynamic.
     *   before  per place in the order: bit k is set if the task waits for that k + 1 places before
     *   after   the same for sweeps that take the order from its end */
    uint64_t *before, *after;
    /* Static.  owner: per task; NULL: this plan is dynamic.
     *   told_before  [task * threads + w]: how many of its tasks thread w must have done
     *   told_after   the same for sweeps from the last task to the first; NULL: there are none */
    uint8_t *owner;
    int32_t *told_before, *told_after;
} Plan;

void plan_free(Plan *plan); /* NULL is legal */

/* The plan for `fine`, whose tasks have about `grain` units.  Static, if they have owners.  Else
 * dynamic: of this graph and ever coarser ones, and at most `threads` threads, what gains most;
 * fewer threads if they are as good.
 * `fine` is consumed.  *out is NULL if the gain is less than `worth`.  False: out of memory. */
bool plan_new(Plan **out, TaskGraph *fine, int32_t grain, int32_t threads, double worth);

#endif
