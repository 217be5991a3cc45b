/* A chain as a matrix of blocks that share their patterns: sweeps then read little more than the
 * vector.
 *
 * The unknowns are the probabilities themselves, pi Q = 0 row by row:
 *
 *     pi_i d_i = sum_j pi_j q_ji        d_i = sum_j q_ij over j != i
 *
 * States are numbered block by block.  The flow into block B from another block A is a rate times
 * an off-diagonal block, a matrix that many pairs (A, B) share.  The flow within a block is a
 * diagonal block, which many blocks share as well.  Source: Buchholz, Ciardo, Donatelli, Kemper,
 * INFORMS J. Comput. 12 (2000); the order of work is that of block Gauss-Seidel, Stewart 1994,
 * sec. 3.4. */
#ifndef PEPA_SOLVERS_BLOCKS_BLOCKS_H
#define PEPA_SOLVERS_BLOCKS_BLOCKS_H

#include "base/workers.h"
#include "pepa_shared.h"
#include "solvers/blocks/iterate.h"
#include "solvers/solver.h"

/* to + k receives from from + k, k < length. */
typedef struct {
    uint16_t to, from, length;
} BlockRun;

/* An off-diagonal block: runs first .. first + count - 1.  They have `entries` in all.  value < 0:
 * every one is 1; else they are value[value ..], run after run. */
typedef struct {
    int64_t first, value;
    int32_t count, entries;
} OffDiagonal;

typedef struct {
    int32_t from, off;
    double rate;
} BlockEdge;

/* A run within a diagonal block, with its rate. */
typedef struct {
    double rate;
    BlockRun run;
} RatedRun;

/* A diagonal block, cut into leaves.  Leaf l has rows leaf[l] .. leaf[l+1]-1: what flows in from
 * other leaves are runs run_row[l] .. run_row[l+1]-1; from the same leaf, row i has entries row[i]
 * .. row[i+1]-1. */
typedef struct {
    int64_t entries; /* in all */
    int32_t rows, leaves;
    int32_t *leaf, *run_row, *row;
    RatedRun *runs;
    uint16_t *col;
    double *val;
} Diagonal;

/* What a process does in a sweep: blocks of its own, one after the other; or it begins to receive
 * those of another. */
typedef struct {
    int32_t first, count; /* count 0: none of ours */
    const int32_t *need;  /* steps whose blocks of others they read */
    int32_t need_count;
    void *exchange; /* NULL: nobody has copies of them */
} BlocksStep;

/* Processes that share a matrix: each has the rows of its own blocks.  Vectors have own states first,
 * then copies of those of others that flow into them, which are only read: first those that are kept,
 * then those that pass.  Sweeps give the latter places of their own, which several have one after
 * the other, at the beginning of those that they have else.  All is borrowed. */
typedef struct {
    const PepaProcesses *processes;
    void *everything, *kept; /* exchanges that bring copies up to date: all; those that are kept */
    const PepaExchange *copies; /* what `everything` was opened for */
    bool passes;             /* some pass, in one of the processes */
    int32_t steps;
    const BlocksStep *step;
    int32_t blocks; /* of all processes; own ones and copies among these: */
    const int32_t *own, *copy;
    int32_t copies_kept; /* of copy, the first ones */
    const int64_t *at;   /* per own block, then copy: where it begins in sweeps */
    int64_t swept;       /* entries of vectors that sweeps use */
} BlocksShare;

typedef struct {
    int32_t blocks, largest;  /* largest: rows of the largest block */
    int32_t copies;           /* blocks that are copies of others' */
    const BlocksShare *share; /* borrowed; NULL: this process has all */
    int64_t *offset;          /* blocks + copies + 1: first state of each */
    int64_t *in_row;          /* per block: its edges in */
    BlockEdge *in;
    int32_t *diagonal, *part; /* per block */
    double *base;             /* per block: d_i = base + parts[part][i within the block] */
    OffDiagonal *off_diagonals;
    BlockRun *runs;
    double *value;
    Diagonal *diagonals;
    double **parts;
    int32_t off_count, diagonal_count, part_count;
    int64_t entries; /* multiply-adds of a sweep */
    bool up;         /* sweeps go from the first state to the last, not the other way */
} Blocks;

void blocks_free(Blocks *blocks);

static inline const PepaProcesses *blocks_processes(const Blocks *blocks)
{
    return blocks->share ? blocks->share->processes : NULL;
}
static inline void blocks_exchange(const BlocksShare *s, void *exchange, double *x)
{
    s->processes->start(s->processes->user, exchange, x);
    s->processes->finish(s->processes->user, exchange);
}
/* Among all processes: copies in x that are kept become what they are copies of; all copies do;
 * sums; is it true in all?  Called by all of them. */
static inline void blocks_renew(const Blocks *blocks, double *x)
{
    if (blocks->share)
        blocks_exchange(blocks->share, blocks->share->kept, x);
}
static inline void blocks_renew_all(const Blocks *blocks, double *x)
{
    if (blocks->share)
        blocks_exchange(blocks->share, blocks->share->everything, x);
}
static inline void blocks_sum(const Blocks *blocks, double *x, int32_t n)
{
    const BlocksShare *s = blocks->share;
    if (s)
        s->processes->sum(s->processes->user, x, n);
}
static inline bool blocks_agree(const Blocks *blocks, bool ok)
{
    const BlocksShare *s = blocks->share;
    double fails = !ok;
    if (s)
        s->processes->largest(s->processes->user, &fails, 1);
    return fails == 0;
}

/* Bytes of copies that pass, which take memory when not only sweeps read them. */
static inline double blocks_passing_bytes(const Blocks *blocks)
{
    const BlocksShare *s = blocks->share;
    return s ? (double)(blocks->offset[blocks->blocks + blocks->copies] - s->swept) * sizeof(double)
             : 0;
}

typedef struct BlocksPlan BlocksPlan; /* blocks_plan.h */
typedef struct Runner Runner;         /* schedule/run.h */

/* The chain of all blocks, of all processes, as single states: each process has all of it. */
typedef struct {
    int32_t blocks;               /* 0: there is none yet */
    int64_t *row;                 /* blocks + 1: edges into block k are row[k] .. row[k+1]-1 */
    int32_t *from;                /* per edge */
    double *mass, *before, *exit; /* per block */
    double *rate;                 /* per edge; follows mass in memory */
    bool lasts;                   /* it is known to pay, and there is memory for all copies */
} BlocksCoarse;

/* Working memory, and the threads that share sweeps, which stay as long as it does. */
typedef struct {
    int32_t threads;
    double *scratch; /* per thread: 2 * blocks->largest */
    double *found;   /* per block: what a sweep or a residual adds up */
    Workers *workers;
    BlocksPlan *plan; /* NULL: one thread goes through the blocks */
    Runner *runner;   /* NULL: the same */
} BlocksWorkspace;    /* starts as {0} */

/* For at most `threads` threads; as many as are worth it take part in sweeps.  Sweeps and residuals
 * give the same bits whatever that number.  False: out of memory. */
bool blocks_workspace_init(BlocksWorkspace *work, const Blocks *blocks, int32_t threads);
void blocks_workspace_free(BlocksWorkspace *work);

/* What a sweep takes, in the unit of schedule/costs.h. */
double blocks_cost(const Blocks *blocks);

/* Bytes that sweeps, plans and aggregation take besides the Blocks, about. */
double blocks_sweep_bytes(int64_t blocks, int64_t edges);

/* task(user, k, worker) for every block k, in no particular order. */
void blocks_each(const BlocksWorkspace *work, const Blocks *blocks, WorkTask *task, void *user);

/* Of several processes: task(user, k, 0) for each own block k, in the order of sweeps.  A task then finds
 * the copies that block k reads where sweeps have them (BlocksShare.at), and what it makes of block k
 * in x goes to others.  Copies in x that are kept are up to date, as in blocks_sweep. */
void blocks_walk(const Blocks *blocks, double *x, WorkTask *task, void *user);

/* Wait until all that sweeps have begun to send and receive is there: copies that are kept are then up
 * to date, and those that pass have to be renewed. */
void blocks_finish(const Blocks *blocks);

/* Of own states: sum |change of x_i| d_i, and sum x_i d_i afterwards. */
typedef struct {
    double change, flow;
} BlocksTally;

/* One sweep in place, x_i += omega (sum_j x_j q_ji / d_i - x_i).  Copies in x that are kept are up to
 * date, or have been begun to be received by sweeps that have not been finished.
 *   was    out: x as it was, without copies; NULL: nobody asks
 *   tally  out; NULL, which saves time */
void blocks_sweep(const Blocks *blocks, double *x, double omega, const BlocksWorkspace *work,
                  const Iterate *was, BlocksTally *tally);

/* Copies in x are up to date: sum |(x Q)_i| / sum x_i d_i, and the same with each |(x Q)_i| weighted by 1 / d_i, over sum x_i;
 * +inf if that is no finite number. */
double blocks_residual(const Blocks *blocks, const double *x, const BlocksWorkspace *work,
                       double *by_time);

/* The chain of blocks, without rates.  False, in all processes: memory is out in one of them, or they have more than 2^31
 * blocks and edges. */
bool blocks_coarse_new(BlocksCoarse *out, const Blocks *blocks);
void blocks_coarse_free(BlocksCoarse *coarse);
/* Aggregation: some sweeps solve the chain of blocks, at the rates of x; blocks of x are scaled to
 * agree, and so are copies that are kept; none need be up to date.  Processes get the bits of one.  Source:
 * Koury, McAllister, Stewart, SIAM J. Algebraic Discrete Methods 5 (1984). */
void blocks_aggregate(const Blocks *blocks, double *x, const BlocksCoarse *coarse);

/* most  per block, out: its largest exit rate.  False: memory is out. */
bool blocks_exits(const Blocks *blocks, double *most);
/* *out: whether there may be rare jumps (RARE_JUMP), judged by the largest exit rate of each block.
 *   most  as blocks_exits.  For a process alone.
 * False: memory is out. */
bool blocks_rare(const Blocks *blocks, double *most, bool *out);

/* How far groups of states are from balance: as flow_imbalance, without groups of groups.  States between which more flows
 * than some times the residual are one group.  0 as well where memory is out, or states are more than INT32_MAX, or groups of
 * several processes very many.  Some ten sweeps.  Of all processes, which call it together; afterwards all copies in x are up to date.
 *   grown  NULL, or per own state: becomes true where the group of the state would have to grow */
Drift blocks_imbalance(const Blocks *blocks, double *x, double residual, uint8_t *grown);
double blocks_imbalance_bytes(const Blocks *blocks); /* that it takes, about */
/* As flow_may_fill, of probabilities with the sum 1, of all processes, which call it together with the same growth.
 *   grown  per own state: whether it grows, by itself or with its group; NULL: not known */
bool blocks_may_fill(const Blocks *blocks, const double *x, double growth, const uint8_t *grown,
                     int64_t memory);

/* Clip what is negative, of x or, where that leaves more, of -x, which is as good; scale to sum 1.
 * False: nothing that is finite is left. */
bool blocks_normalise(const Blocks *blocks, double *x, const BlocksWorkspace *work);

/* The steady state of an irreducible chain, by sweeps: as they are (PEPA_GAUSS_SEIDEL), with a
 * factor of relaxation found on the way (PEPA_SOR), or extrapolated, with aggregation in between if
 * that is quicker (any other method).  Contract of solve_flow otherwise, with y = pi.
 *   patience  PEPA_ENOCONV as soon as the sweeps that seem to be left take more than this, in the
 *             unit of schedule/costs.h, of all processes together, which have the same; HUGE_VAL: never
 * Vectors besides pi: none; one; up to four (see extrapolate.h), fewer if memory is short. */
PepaStatus solve_blocks(const Blocks *blocks, PepaMethod method, int32_t threads, double patience,
                        const Control *control, double *pi, Outcome *out, PepaError *err);

#endif
