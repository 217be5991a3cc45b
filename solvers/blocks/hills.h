/* Groups of states between which little flows: each around one that holds more than those from which most flows into it,
 * with all that more flows between than some times what the residual leaves open. */
#ifndef PEPA_SOLVERS_BLOCKS_HILLS_H
#define PEPA_SOLVERS_BLOCKS_HILLS_H

#include "solvers/blocks/blocks.h"

/* Flows of so many states, one after the other, into as many: rate times value[k], or times 1 where it is NULL. */
typedef void RunTask(void *user, int64_t to, int64_t from, int32_t length, double rate,
                     const double *value);
/* All flows into the states of a block, from copies too. */
static INLINE void blocks_each_run(const Blocks *b, int32_t block, RunTask *task, void *user)
{
    const Diagonal *diagonal = &b->diagonals[b->diagonal[block]];
    const int64_t first = b->offset[block];
    for (int64_t e = b->in_row[block]; e < b->in_row[block + 1]; e++) {
        const BlockEdge *edge = &b->in[e];
        const OffDiagonal *off = &b->off_diagonals[edge->off];
        const double *value = off->value < 0 ? NULL : b->value + off->value;
        for (const BlockRun *run = b->runs + off->first, *end = run + off->count; run < end;
             run++) {
            task(user, first + run->to, b->offset[edge->from] + run->from, run->length, edge->rate,
                 value);
            value = value ? value + run->length : NULL;
        }
    }
    for (int32_t r = 0; r < diagonal->run_row[diagonal->leaves]; r++) {
        const RatedRun *rated = &diagonal->runs[r];
        task(user, first + rated->run.to, first + rated->run.from, rated->run.length, rated->rate,
             NULL);
    }
    for (int32_t i = 0; i < diagonal->rows; i++)
        for (int32_t k = diagonal->row[i]; k < diagonal->row[i + 1]; k++)
            task(user, first + i, first + diagonal->col[k], 1, diagonal->val[k], NULL);
}

/* The groups of x, in which all copies are up to date: how many; 0: memory is out, or processes have very many parts of groups.
 * At most INT32_MAX states and copies.  Of all processes, which call it together.
 *   group  per state, then per copy, out: the number of its group, the same in all processes */
int32_t blocks_groups(const Blocks *blocks, const double *x, double residual, int32_t *group);

#endif
