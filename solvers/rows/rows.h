/* The rows of a flow, shared by several threads. */
#ifndef PEPA_SOLVERS_ROWS_ROWS_H
#define PEPA_SOLVERS_ROWS_ROWS_H

#include "solvers/schedule/schedule.h"
#include "solvers/solver.h"

/* Several threads at work on the rows of a flow.
 *
 * Results do not depend on the number of threads.  Passes take rows in any order, and add up chunk
 * by chunk, in the same way for one thread.  Sweeps follow a schedule (schedule/plan.h) in which
 * every row finds the values that one thread would find there. */

enum { SUMS = 6 }; /* most sums of a pass */

/* Rows first .. end - 1; their contributions are put in sum (SUMS numbers, 0 at first). */
typedef void RowsTask(void *user, int32_t first, int32_t end, double *sum);

/* task for all rows, in chunks of some thousands, and the sums of all chunks, in order; of all
 * processes, if they share the flow.
 *   matrix  whether the task reads the entries of the rows, or vectors only
 *   sum     SUMS, out, or NULL */
void rows_each(const Flow *flow, bool matrix, RowsTask *task, void *user, double *sum);

enum { SUM_ROWS = 64 }; /* rows of a group whose changes a sweep adds up before all others */

/* A plan whose units are rows, and memory for sums of sweeps.  One thread adds up the changes of a
 * sweep group by group; where a cut between tasks divides a group, its changes are kept one by one,
 * in a slot.
 *   slot    per cut: the number of the divided group's slot, or -1
 *   group   per slot: its group
 *   found   per group: its sum
 *   change  slots x SUM_ROWS */
typedef struct {
    Plan *plan;
    int32_t slots, *slot, *group;
    double *found, *change;
} RowsPlan;

/* What sweeps through the rows; each has a pace of its own. */
typedef enum { ROWS_SWEEP, ROWS_RELAX, ROWS_LOWER, ROWS_UPPER } RowsKind;

/* A task's rows; or all rows by one thread: task < 0. */
typedef void RowsPiece(void *user, int32_t task, int32_t first, int32_t end);

/* A sweep that leaves the values of one thread that goes from the first row to the last, or, for
 * ROWS_UPPER, from the last to the first.
 *   read  the vector that entries are multiplied by
 * Returns the plan that was followed; NULL: `piece` was called once, for all rows. */
const RowsPlan *rows_in_order(const Flow *flow, RowsKind kind, const double *read, RowsPiece *piece,
                              void *user);

/* For tests: a team that shares everything, however little it gains, and follows this plan (or
 * NULL), which it owns.  False: out of memory; the plan is then freed. */
bool rows_team_eager(FlowTeam **out, const Flow *flow, int32_t threads, RowsPlan *plan);

/* Tell the team of a flow, if there is one, how many bytes a plan may take. */
void rows_spare(const Flow *flow, double bytes);

struct FlowTeam {
    Workers *workers;
    int32_t threads;
    int64_t least;       /* multiply-adds of a pass that is worth sharing */
    bool eager;          /* everything is shared, however little it gains */
    double spare;        /* bytes that a plan may take; HUGE_VAL: any */
    const int64_t *rows; /* of the flow that sweeps go through */
    int32_t sweeps;      /* until the plan was made */
    bool planned;
    RowsPlan *plan; /* NULL: not yet, or one thread is as good */
    double *sums;   /* per chunk: SUMS */
    int32_t chunks;
    Runner runner;
};

/* Schedules of sweeps over the rows of a matrix. */

/* Rows as tasks of about `grain` rows.  An entry in row i and column j links the tasks of rows i
 * and j.
 *   lines    0; or a number of threads, for rows that come in lines, each of which waits for the
 *            one before, such as the states that are so many steps away from the first: tasks are
 *            then parts of lines, those at about the same place of all lines with the same owner
 *   workers  help to find links; the result does not depend on them
 * Two or three passes over the columns.  False: out of memory. */
bool rows_graph_new(TaskGraph *out, const Flow *flow, int32_t lines, int32_t grain,
                    Workers *workers);

/* The best plan for at most `threads` threads; *out is NULL if one is as good.  Takes about as long
 * as some sweeps.  False: out of memory. */
bool rows_plan_new(RowsPlan **out, const Flow *flow, int32_t threads);
void rows_plan_free(RowsPlan *plan);      /* NULL is legal */
double rows_plan_bytes(const Flow *flow); /* the most seen while it is made, about */

/* A plan whose smallest tasks have about `grain` rows, of rows that come in lines or not, if it
 * gains at least `worth`. */
bool rows_plan_by(RowsPlan **out, const Flow *flow, bool lines, int32_t threads, int32_t grain,
                  double worth);

#endif
