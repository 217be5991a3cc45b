/* A sweep as a graph of tasks, the input of the scheduler.
 *
 * Tasks are numbered in the order in which one thread does them.  A link joins two tasks one of
 * which reads what the other writes.  The later of the two must wait for the earlier one, whichever
 * of them reads: either it needs the new values of the earlier one, or the earlier one needs its
 * old values.  Every schedule that respects the links gives the same bits as one thread. */
#ifndef PEPA_SOLVERS_SCHEDULE_GRAPH_H
#define PEPA_SOLVERS_SCHEDULE_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int32_t early, weight; /* the other task; entries of the matrix that cross the link */
} TaskLink;

typedef struct {
    int32_t tasks;
    int32_t *first; /* tasks + 1, or NULL: task t is units first[t] .. first[t + 1] - 1 */
    double *cost;   /* tasks: in the unit of costs.h */
    int64_t
        *begin; /* tasks + 2: links of task t with earlier ones are begin[t] .. begin[t + 1] - 1 */
    TaskLink *link; /* there may be two with the same task */
    uint8_t
        *owner; /* tasks: the thread that does it, each its own in order; NULL: whoever is free */
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

#endif
