/* How several threads go through the blocks of a sweep.  Every block, or part of one, finds in x
 * what it would find if one thread went through all blocks in order. */
#ifndef PEPA_SOLVERS_SCHEDULE_BLOCKS_PLAN_H
#define PEPA_SOLVERS_SCHEDULE_BLOCKS_PLAN_H

#include <stdatomic.h>

#include "solvers/blocks/blocks.h"

/* Blocks in an order in which they may be worked on, and in chunks that one thread takes at once:
 * blocks order[chunk[c]] .. order[chunk[c+1]-1], when chunks 0 .. need[c] are done (none if
 * need[c] < 0). */
typedef struct {
    int32_t chunks, *order, *chunk, *need;
} BlocksShared;

/* Blocks cut into parts between leaves, for chains of blocks each of which has to wait for the one
 * before: part p is always the same thread's, parts_owner, which goes through its parts of all
 * blocks in the order of one thread, some way behind the thread before.
 *   leaf  [diagonal * (parts + 1) + p]: the first leaf of part p
 *   wait  [(block * parts + p) * threads + w]: how far thread w must have come before part p of the
 *         block begins, in parts of all blocks in order: see parts_turn
 * off_diagonals [off * parts + p]: of a off, what flows into part p of the block that it leads to. */
typedef struct {
    int32_t parts, *leaf, *wait;
    OffDiagonal *off_diagonals;
    BlockRun *runs;
    double *value;
} BlocksParted;

struct BlocksPlan {
    int32_t threads;
    double gain; /* how many times as fast as one thread, if that is as it seems */
    BlocksShared shared;
    BlocksParted parted; /* in use if parts > 0 */
};

/* At most `threads` threads: as many as are worth their while, and how they share the work, is
 * found out from what they would have to wait.  *out is NULL if one is as good.  O(edges and runs)
 * for each way that is tried, of which there are few.  False: memory is out. */
bool blocks_plan_new(BlocksPlan **out, const Blocks *blocks, int32_t threads);
void blocks_plan_free(BlocksPlan *plan);

/* Such plans, worth it or not; gain is 0 if blocks cannot be cut so. */
bool blocks_share(BlocksPlan **out, const Blocks *blocks, int32_t threads);
bool blocks_part(BlocksPlan **out, const Blocks *blocks, int32_t threads, int32_t parts);

static inline int32_t parts_owner(const BlocksPlan *plan, int32_t part)
{
    return (int32_t)((int64_t)part * plan->threads / plan->parted.parts);
}

/* The place of a part of a block in the order of one thread, counted from 1: whoever has done it,
 * and everything of its own before, has come so far. */
static inline int32_t parts_turn(const Blocks *b, int32_t parts, int32_t block, int32_t part)
{
    return b->up ? block * parts + part + 1 : (b->blocks - block) * parts - part;
}

/* What takes how long, in entries: about half a nanosecond each. */
enum {
    COST_ROW = 2,       /* besides its entries */
    COST_EDGE = 8,      /* the same */
    COST_HANDING = 250, /* to take a chunk, or to be told that another thread has come far enough */
    COST_BEGINNING = 6000 /* of a sweep by several threads */
};

/* ---- while sweeping ------------------------------------------------------------------------- */

/* How far a thread has come.  Shared: it has not taken chunk `at` or any after it, or is at work on
 * chunk `at`. Parted: see parts_turn. */
typedef struct {
    atomic_int at;
    char apart[60]; /* everybody looks at the others' places: a cache line each */
} BlocksPlace;

/* The clock tells whether several threads are any quicker, for others may want the processors. */
struct BlocksPace {
    double alone, together; /* seconds of the last sweep of either kind; 0: of none */
    int32_t sweeps, rest;   /* sweeps since the other way was tried, and how long that is put off */
    atomic_int next;        /* the first chunk that nobody has taken */
    char apart[60];
    BlocksPlace place[MOST_WORKERS];
};

enum { FOUND = 4 }; /* numbers per block of BlocksWorkspace */

#endif
