/* Several threads at work on one flow.  What comes out does not depend on how many there are: rows
 * that do not wait for each other are shared as they come, sums are taken chunk by chunk in the
 * same way by one thread, and sweeps find in every row what one thread would find there. */
#ifndef PEPA_SOLVERS_SCHEDULE_ROWS_H
#define PEPA_SOLVERS_SCHEDULE_ROWS_H

#include <stdatomic.h>

#include "base/workers.h"
#include "solvers/solver.h"

/* ---- passes: rows in any order --------------------------------------------------------------- */

enum { SUMS = 6 }; /* that a pass may take */

/* Rows first .. end - 1, whose contributions are put in sum (SUMS numbers, 0 at first). */
typedef void RowsTask(void *user, int32_t first, int32_t end, double *sum);

/* task for all rows, in chunks of some thousands, and the sums of all (NULL: none are asked for),
 * chunk by chunk.
 *   matrix  the task goes through the entries of the rows, not only through vectors */
void rows_each(const Flow *flow, bool matrix, RowsTask *task, void *user, double *sum);

/* ---- in the order of the rows ---------------------------------------------------------------- */

/* An entry in row i and column j makes the later of the two rows wait for the earlier one, in
 * whichever direction rows are gone through: it needs what that has become, or that needs what it
 * has been.  Pieces are runs of consecutive rows, first[p] .. first[p + 1] - 1, which threads take
 * as they are free in this order, one of those in which none waits for a later one.
 *   before  per place in it: bit k says whether the piece must wait for the one k + 1 places before
 *   after   the same for those who go through the order from its end
 * Pieces more than WINDOW places away count as waited for. */
enum { WINDOW = 64, SUM_ROWS = 64 }; /* rows of a block, see slot */
typedef struct {
    int32_t threads, pieces;
    double gain; /* how many times as fast as one thread, if that is as it seems */
    int32_t *first, *order;
    uint64_t *before, *after;
    /* Or each piece is always the same thread's, which takes its own in their order:
     *   turn          per piece: its place among those of its owner, from 1
     *   told_before   [piece * threads + w]: how many pieces of thread w must be done
     *   told_after    the same where all go from the last to the first */
    uint8_t *owner; /* NULL: they are taken by whoever is free */
    int32_t *turn, *told_before, *told_after;
    /* Sums of sweeps are taken by blocks of rows, some of which are cut: per cut, the number of the
     * block's slot, or -1; per slot, its block. */
    int32_t *slot, *cut_block;
    int32_t slots;
    double *found;  /* per block: its sum */
    double *change; /* slots x SUM_ROWS: what the rows of cut blocks contribute */
} RowsPlan;

/* For at most `threads` threads; *out is NULL if one is as good.  Two passes over the columns, and
 * some more over what is found there.  False: memory is out. */
bool rows_plan_new(RowsPlan **out, const Flow *flow, int32_t threads);
void rows_plan_free(RowsPlan *plan);
double rows_plan_bytes(const Flow *flow); /* that this takes, on the way and after, about */
/* A plan whose smallest pieces have about `grain` rows, if its gain is `worth` as much. */
bool rows_plan_by(RowsPlan **out, const Flow *flow, int32_t threads, int32_t grain, double worth);

/* The same where rows come in lines, in parts of about `grain` rows that have owners. */
bool rows_plan_lines(RowsPlan **out, const Flow *flow, int32_t threads, int32_t grain,
                     double worth);
/* For making plans: where cuts go through blocks of rows whose contributions are added up, a slot
 * for each of these blocks.  False: memory is out. */
bool rows_plan_sums(RowsPlan *plan, int32_t n);

/* What goes through the rows in order; each takes its own time. */
typedef enum { ROWS_SWEEP, ROWS_RELAX, ROWS_LOWER, ROWS_UPPER, ROWS_KINDS } RowsKind;

/* A piece, or all rows: piece < 0. */
typedef void RowsPiece(void *user, int32_t piece, int32_t first, int32_t end);

/* All rows, as if one thread went through them from the first to the last, or (ROWS_UPPER) from the
 * last to the first.
 *   read  the vector that entries are multiplied by
 * Returns the plan that was followed; NULL: `piece` was called once. */
const RowsPlan *rows_in_order(const Flow *flow, RowsKind kind, const double *read, RowsPiece *piece,
                              void *user);

/* ---- the team ------------------------------------------------------------------------------- */

/* The clock tells whether several threads are any quicker, for others may want the processors. */
typedef struct {
    double alone, together; /* seconds of the last time of either kind; 0: of none */
    int32_t times, rest;    /* since the other way was tried, and how long that is put off */
} RowsPace;

/* How far a thread has come: 2 k + 1, it is at work on place k; 2 k, it may take k or one after.
 * Where pieces have owners: how many of its own are done. */
typedef struct {
    atomic_int at;
    char apart[60]; /* everybody looks at the others' places: a cache line each */
} RowsPlace;

/* For tests: a team that shares everything, worth it or not, and goes by this plan (taken), if it
 * is not NULL, where there is an order.  False: memory is out; the plan is then freed. */
bool rows_team_eager(FlowTeam **out, const Flow *flow, int32_t threads, RowsPlan *plan);
/* So many bytes are free for a plan. */
void rows_spare(const Flow *flow, double bytes);

struct FlowTeam {
    Workers *workers;
    int32_t threads;
    int64_t least;       /* multiply-adds of a pass that is worth sharing */
    bool eager;          /* everything is shared, worth it or not */
    double spare;        /* bytes that a plan may take; HUGE_VAL: any */
    const int64_t *rows; /* of the flow that has been gone through in order */
    int32_t times;       /* how often it has, until the plan was made */
    bool planned;
    RowsPlan *plan; /* NULL: not yet, or one thread is as good */
    RowsPace pace[ROWS_KINDS];
    double *sums;    /* per chunk: SUMS */
    int32_t chunks;  /* that there is room for */
    atomic_int next; /* the first place that nobody has taken */
    char apart[60];
    RowsPlace place[MOST_WORKERS];
};

#endif
