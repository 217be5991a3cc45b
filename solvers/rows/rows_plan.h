/* Schedules of sweeps over the rows of a matrix. */
#ifndef PEPA_SOLVERS_ROWS_ROWS_PLAN_H
#define PEPA_SOLVERS_ROWS_ROWS_PLAN_H

#include "solvers/rows/team.h"

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
