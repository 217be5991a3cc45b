/* Rings of groups that are on one host each: bounds, and placements.
 *
 * A block is a run of neighbours in the ring on one host; each has two links to other blocks.
 * Sizes fall along the ring from the largest group to the smallest.  So a block whose smallest
 * group has the least size and whose largest has more is where sizes come down to the least, or
 * where the ring closes: there are at most two of these.
 *
 * Bound: half of the two shortest links of each block, with a Lagrange multiplier for each host so
 * that links fit together, and a knapsack that chooses the blocks that hold all groups and
 * processes.  All hosts of a solution without links above a limit are in one component of the
 * other links; with costs of 0 and 1 the same bound tells that a longer link is needed.
 * Source: Held, Karp, The traveling-salesman problem and minimum spanning trees, for multipliers;
 * Fisher, The Lagrangian relaxation method, for steps.
 *
 * Placements: the knapsack's blocks, in an order found by simulated annealing. */
#ifndef TAAG_SCHEDULE_CYCLE_H
#define TAAG_SCHEDULE_CYCLE_H

#include "grid/taag/schedule/best.h"
#include "grid/taag/schedule/effort.h"

/* Is the shape a ring of at least three groups whose sizes are open? */
bool cycle_suits(const Shape *shape);
/* Raise *lower, which holds for all sizes of this number of groups, and offer what is found.  The
 * shape's sizes are lost.  False: out of memory. */
bool cycle_solve(const Hosts *hosts, Shape *shape, Cost *lower, Best *best, Effort *effort);

/* ---- its parts ------------------------------------------------------------------------------ */

/* Groups on one host: in one block, but for `split`: in two.  Extra: processes above the least of
 * each group. */
typedef struct {
    int32_t host, groups, extra;
    bool mixed; /* a block with groups of the least size and others */
    bool split;
} Block;

typedef struct {
    int32_t groups, extra, least; /* wanted; of a group */
    int32_t more;                 /* above the least, of a group at most */
    int32_t mixed;                /* blocks of mixed sizes, at most */
    size_t cells;
    double *value, *before;
    uint16_t *option; /* nodes x cells */
} BlockChoice;

/* Room for so many nodes.  False: out of memory. */
bool block_choice_make(BlockChoice *out, const Shape *shape, int32_t nodes);
void block_choice_free(BlockChoice *choice);
/* The i-th way in which a host with so many places can be used; false: there is none. */
bool block_option(const BlockChoice *choice, int32_t places, int32_t i, Block *out);
/* What a block costs, w for each of its visits. */
double block_cost(const Block *block, double w);
/* The least sum of costs of blocks on nodes that hold all: w[i] for each on the i-th, INFINITY: not
 * to be used.  INFINITY: there is no room.  Nodes x cells x ways. */
double block_choose(BlockChoice *choice, const int32_t *places, const double *w, int32_t nodes,
                    Effort *effort);
/* The blocks of the last solution; host: the node's number.  Returns how many. */
int32_t block_chosen(const BlockChoice *choice, const int32_t *places, int32_t nodes, Block *out);

/* The best of: one block of mixed sizes at most; two, of which one closes the ring: it has the largest group and one of
 * the least size, so that no group is larger than what the widest node has beside that. */
typedef struct {
    BlockChoice one, two;
    bool closed; /* the last solution is of the second kind */
} RingChoice;
/* The same for these, with the places of the widest node. */
bool ring_choice_make(RingChoice *out, const Shape *shape, int32_t nodes, int32_t widest);
void ring_choice_free(RingChoice *choice);
double ring_choose(RingChoice *choice, const int32_t *places, const double *w, int32_t nodes,
                   Effort *effort);
int32_t ring_chosen(const RingChoice *choice, const int32_t *places, int32_t nodes, Block *out);

typedef struct {
    const Hosts *hosts;
    const int32_t *within; /* hosts that blocks may be moved to */
    int32_t within_count;
    double limit; /* of links, if possible */
    int32_t steps;
} CycleOrder;

/* Order blocks that hold all groups and processes, exchange their hosts, and offer the placement.
 * The blocks and the shape's sizes are lost.  False: out of memory. */
bool cycle_order(const CycleOrder *task, Shape *shape, Block *blocks, int32_t count, Best *best,
                 Effort *effort);

#endif
