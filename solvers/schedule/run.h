/* Threads that go through the tasks of a sweep by a plan, or one thread that goes through them,
 * whichever is the quicker. */
#ifndef PEPA_SOLVERS_SCHEDULE_RUN_H
#define PEPA_SOLVERS_SCHEDULE_RUN_H

#include <stdatomic.h>

#include "base/workers.h"
#include "solvers/schedule/plan.h"

/* What a sweep does.  task: one task, by thread `worker`; alone: all tasks in order, by the caller.
 * ahead, or NULL: prefetch for the next task of the same thread; near: it is the very next. */
typedef struct {
    void (*task)(void *user, int32_t task, int32_t worker);
    void (*alone)(void *user);
    void (*ahead)(void *user, int32_t task, bool near);
    void *user;
} Sweeping;

/* The clock decides whether several threads are any quicker, for other programs may want the
 * processors.  Only speed depends on it, never a result. */
typedef struct {
    double alone, together; /* seconds of the last sweep of either kind; 0: of none */
    int32_t sweeps, rest;   /* since the other kind was tried, and how long that is put off */
} Pace;

/* How far a thread has come, on a cache line of its own, since all others look at it.
 * Dynamic: 2 k + 1, it is at work on place k of the order; 2 k, it may take place k or a later one.
 * Static: how many of its own tasks are done. */
typedef struct {
    atomic_int at;
    char apart[60];
} Counter;

enum { SWEEP_KINDS = 4 }; /* that have a pace of their own */

typedef struct Runner {
    Workers *workers; /* borrowed; NULL: the caller alone */
    const Plan *plan; /* borrowed; NULL: the caller alone */
    bool eager;       /* for tests: together whenever there is a plan */
    Pace pace[SWEEP_KINDS];
    atomic_int next; /* dynamic: the first place that nobody has taken */
    char apart[60];
    Counter counter[MOST_WORKERS];
} Runner; /* starts as {0} */

/* Follow this plan from now on; NULL: none.  False: fewer threads could be started
 * than a static plan needs, whose threads wait for each other; then none is followed. */
bool runner_follow(Runner *runner, const Plan *plan);

/* One sweep.  backward: from the last task to the first.  Returns whether the plan was followed. */
bool runner_sweep(Runner *runner, int32_t kind, bool backward, const Sweeping *sweeping);

#endif
