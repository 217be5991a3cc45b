/* Groups of states between which little flows: each around one that holds more than those from which most flows into it,
 * with all that more flows between than some times what the residual leaves open. */
#ifndef PEPA_SOLVERS_BLOCKS_HILLS_H
#define PEPA_SOLVERS_BLOCKS_HILLS_H

#include "solvers/blocks/blocks.h"

/* Flows of so many states, one after the other, into as many: rate times value[k], or times 1 where it is NULL. */
typedef void RunTask(void *user, int64_t to, int64_t from, int32_t length, double rate,
                     const double *value);
/* All flows into the states of a block, from copies too. */
void blocks_each_run(const Blocks *blocks, int32_t block, RunTask *task, void *user);

/* The groups of x, in which all copies are up to date: how many; 0: memory is out, or processes have very many parts of groups.
 * At most INT32_MAX states and copies.  Of all processes, which call it together.
 *   group  per state, then per copy, out: the number of its group, the same in all processes */
int32_t blocks_groups(const Blocks *blocks, const double *x, double residual, int32_t *group);

#endif
