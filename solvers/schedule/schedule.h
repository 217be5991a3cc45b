/* Threads that share a sweep: its tasks as a graph, plans for them, and their run. */
#ifndef PEPA_SOLVERS_SCHEDULE_SCHEDULE_H
#define PEPA_SOLVERS_SCHEDULE_SCHEDULE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/workers.h"

/* A sweep as a graph of tasks, the input of the scheduler.
 *
 * Tasks are numbered in the order in which one thread does them.  A link joins two tasks one of
 * which reads what the other writes.  The later of the two must wait for the earlier one, whichever
 * of them reads: either it needs the new values of the earlier one, or the earlier one needs its
 * old values.  Every schedule that respects the links gives the same bits as one thread. */

typedef struct {
    int32_t early, weight; /* the other task; entries of the matrix that cross the link */
} TaskLink;

typedef struct {
    int32_t tasks;
    int32_t *first; /* tasks + 1, or NULL: task t is units first[t] .. first[t + 1] - 1 */
    double *cost;   /* tasks: in the unit of costs.h */
    /* tasks + 2: links of task t with earlier ones are begin[t] .. begin[t + 1] - 1. */
    int64_t *begin;
    TaskLink *link; /* there may be two with the same task */
    /* Tasks: the thread that does it, each its own in order; NULL: whoever is free. */
    uint8_t *owner;
    /* Costs of several threads: per task; per link; per entry that crosses one between threads. */
    double ahead, jump, fetch;
    bool both_ways; /* sweeps from the last task to the first are needed as well */
} TaskGraph;        /* starts as {0} */

void graph_free(TaskGraph *graph);

/* Links as they are found, in any order. */
typedef struct {
    int32_t early, late, weight;
} TaskPair;

typedef struct {
    TaskPair *item;
    size_t count, cap;
    bool failed; /* out of memory */
} TaskPairs;     /* starts as {0} */

void pairs_add(TaskPairs *pairs, int32_t one, int32_t other, int32_t weight);

/* Fill in begin and link from `lists` lists of pairs, which are freed.  False: out of memory. */
bool graph_link(TaskGraph *graph, TaskPairs *pairs, int32_t lists);

/* Where a sequence of units may be cut into tasks.
 *   at    units + 1, or NULL (unit u is at u): position of each unit
 *   ties  units + 1: entries that a cut before each unit separates, as far as is known */
typedef struct {
    int32_t units;
    const int32_t *at, *ties;
} Cuts;

/* first[t]: the unit that task t begins with; units + 1 entries are enough.  Tasks extend over
 * grain / 2 to 2 grain positions; among the cuts that allows, those with the fewest ties are
 * preferred: where states are numbered like an odometer, tasks then end where one of its wheels
 * turns, and the next task waits for few of those before.
 * Returns the number of tasks.  O(units). */
int32_t graph_cut(const Cuts *cuts, int32_t grain, int32_t *first);

/* Tasks of about `grain` units, each made of consecutive tasks of `fine`.  O(links).
 * False: out of memory. */
bool graph_coarsen(TaskGraph *out, const TaskGraph *fine, int32_t grain);

/* A sweep by `threads` threads as it is likely to go.  Where tasks have no owners, a thread that is
 * free takes the first task in order that need not wait.
 *   order  tasks, out: tasks as they begin
 *   gain   out: how many times as fast as one thread
 * O(links + tasks (threads + log tasks)).  False: out of memory. */
bool graph_simulate(const TaskGraph *graph, int32_t threads, int32_t *order, double *gain);

/* Schedules of a sweep: which thread does which task, and what it waits for.
 *
 * A dynamic plan is an order in which threads that are free take tasks: a task waits for some of
 * those at most WINDOW places before it, and for all that are farther away.  A static plan gives
 * every task to one thread, which does its own in order: a task waits until each other thread has
 * done so many of its own.  Static plans suit graphs where long chains of tasks wait for each
 * other: threads then go through the chains side by side, one some way behind the other, and each
 * finds the data of its last task in its own cache. */

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

/* Threads that go through the tasks of a sweep by a plan, or one thread that goes through them,
 * whichever is the quicker. */

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
