/* Schedules of sweeps over blocks.  A task is a run of whole blocks, or a part of one block. */
#ifndef PEPA_SOLVERS_BLOCKS_BLOCKS_PLAN_H
#define PEPA_SOLVERS_BLOCKS_BLOCKS_PLAN_H

#include "solvers/blocks/blocks.h"
#include "solvers/schedule/schedule.h"

/* Blocks cut into `count` parts each, between leaves, where each block waits for the one before:
 * task block_place(block) * count + (the part's place in the sweep) is a part of a block.
 *   leaf  [diagonal * (count + 1) + p]: the first leaf of part p
 *   off   [off-diagonal block * count + p]: its runs that lead into part p; runs and values */
typedef struct {
    int32_t count, *leaf;
    OffDiagonal *off;
    BlockRun *runs;
    double *value;
} BlocksParts;

struct BlocksPlan {
    Plan *plan;
    BlocksParts parts; /* count 0: tasks are runs of whole blocks, by their places in the sweep */
};

/* The best plan for at most `threads` threads; *out is NULL if one is as good.  O(edges and runs)
 * for each of the few graphs that are tried.  False: out of memory. */
bool blocks_plan_new(BlocksPlan **out, const Blocks *blocks, int32_t threads);
void blocks_plan_free(BlocksPlan *plan); /* NULL is legal */

/* A plan by whole blocks, and one by parts, whatever they gain.  *out is NULL if
 * blocks cannot be cut so. */
bool blocks_plan_whole(BlocksPlan **out, const Blocks *blocks, int32_t threads);
bool blocks_plan_parts(BlocksPlan **out, const Blocks *blocks, int32_t threads, int32_t parts);

/* The place of a block in a sweep, and the block at a place. */
static inline int32_t block_place(const Blocks *blocks, int32_t block)
{
    return blocks->up ? block : blocks->blocks - 1 - block;
}

enum { FOUND = 4 }; /* numbers per block of a BlocksWorkspace */

#endif
