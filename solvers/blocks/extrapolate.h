/* A history of iterates, and the extrapolation of their limit. */
#ifndef PEPA_SOLVERS_BLOCKS_EXTRAPOLATE_H
#define PEPA_SOLVERS_BLOCKS_EXTRAPOLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/workers.h"
#include "pepa_shared.h"
#include "solvers/blocks/iterate.h"
#include "solvers/blocks/tuning.h"

/* Up to `most` iterates.  Until all are there, the place of the last can keep one to go back to. */
typedef struct {
    int64_t n;
    int32_t most, count;
    /* Whole.  If lean, most > 2 and at[0] has the first until the second comes, which takes its place;
     * `moved`, as in Iterate, then has their difference. */
    double *at[MOST_HISTORY];
    float *moved;
    bool lean;
    Workers *workers; /* borrowed; NULL: the caller alone.  Results do not depend on them. */
    const PepaProcesses *processes; /* that have parts of the same vectors; borrowed; or NULL */
} History;                          /* starts as {0} */

/* Memory for `most` iterates of n entries, or as many as `memory` (as in Control) allows in all
 * processes: 8 most bytes for each entry, 4 less if lean.  Several processes are lean, each of which
 * has to do with little more than its part of what one takes; one is if all would not fit else. */
void history_init(History *history, int64_t n, int32_t most, int64_t memory, Workers *workers,
                  const PepaProcesses *processes);
void history_free(History *history);
double history_bytes(const History *history);

void history_clear(History *history); /* of iterates */
/* One more iterate, count < most: x, or what the caller keeps at the place that is returned. */
void history_add(History *history, const double *x);
Iterate history_next(History *history);
/* Whether the first is wanted again, count = 0: one that is lean then has it in place of one more. */
void history_hold(History *history, bool first);
/* x becomes the first, which is held: count > 0. */
void history_first(const History *history, double *x);

/* To keep x, and to have it back, both for count < most. */
void history_keep(History *history, const double *x);
void history_restore(const History *history, double *x);

/* Reduced rank extrapolation.  The iterates x_0 .. x_m-1 of the history and x = x_m differ by
 * d_k = x_k+1 - x_k.  Of the combinations sum g_k x_k, sum g_k = 1, the one is found whose
 * difference, sum g_k d_k for a linear iteration, is least in the norm sum d_i^2 / x_i; x becomes
 * what the iteration makes of it, sum g_k x_k+1: so do m steps of GMRES.  Entries that would not be
 * positive stay as they are.
 * The history is then empty and keeps the old x.  False: no combination is better; x is unchanged.
 * Reads the vectors twice; allocates nothing.
 * Sources: Eddy, in Information Linkage between Applied Mathematics and Industry, 1979; Sidi,
 * Vector Extrapolation Methods with Applications, SIAM, 2017, ch. 2; for Markov chains De Sterck,
 * Miller, Treister, Yavneh, Numer. Linear Algebra Appl. 18 (2011). */
bool history_extrapolate(History *history, double *x);

#endif
