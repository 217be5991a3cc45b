/* The long run of a chain that processes share. */
#ifndef PEPA_MEASURE_SHARED_H
#define PEPA_MEASURE_SHARED_H

#include "ctmc/chain.h"
#include "ctmc/share/share.h"
#include "measure/enclosure.h"
#include "measure/expression.h"
#include "measure/spread_ends.h"
#include "pepa_shared.h"
#include "solvers/blocks/blocks.h"

/* One process's part.  Borrows the chain and the processes. */
typedef struct {
    const PepaProcesses *processes;
    double *parts; /* per process: of the work; NULL: all the same */
    DiagramShare share;
    Chain part; /* the chain as this process sees it: sums over its states, and vectors, are of own
                 * states */
    ChainShare held; /* of it */
    BlocksShare sharing;
    BlocksStep *step; /* of it */
    double *pi;       /* own states, then copies of sets */
    SpreadEnds ends;  /* count 0: all states are one bottom component */
    int32_t *bottom;  /* of rows, per own state: as in Chain; NULL: all states are one */
    int64_t own, copies;
    Chain view;                 /* of rows, whose bottom components it tells apart; unset until bounds are
                                 * asked for, as is */
    SpreadPotential *potential; /* of it: NULL */
} Shared;                       /* starts as {0} */

/* The part of each process, without a solution; not of a chain that each has by rows.
 *   memory  that this process may use, in bytes; 0: any
 * Errors: PEPA_ENOMEM, PEPA_EARG (PEPA_LIMIT_MATRIX).  To be freed in every case. */
PepaStatus shared_part_new(Shared *out, const Chain *chain, const PepaProcesses *processes,
                           int64_t memory, PepaError *err);
/* Whether processes far from each other leave a chain as sets to one of them, which is ready sooner and has the memory;
 * called by all.  And the error that says so. */
bool shared_is_for_one(const Chain *chain, const PepaProcesses *processes, const PepaSettings *set);
PepaStatus shared_for_one(const PepaProcesses *processes, PepaError *err);
/* Contract of pepa_shared_solve.  To be freed in every case. */
PepaStatus shared_solve(Shared *out, const Chain *chain, const PepaProcesses *processes,
                        const PepaSettings *set, PepaInfo *info, PepaError *err);
void shared_free(Shared *shared);

/* The sum over all processes. */
void shared_sum(const Shared *shared, double *x, int32_t n);
/* As chain_action_flow, measure_mean_counts and expressions_values, the expressions being those of
 * &shared->part. */
void shared_action_flow(const Shared *shared, double *flow);
PepaStatus shared_mean_counts(const Shared *shared, const int32_t *offset, double *mean,
                              PepaError *err);
PepaStatus shared_values(const Shared *shared, const Expressions *e, double *value, PepaError *err);
/* What encloses measures of it, as long as it is there.
 *   set  complete; borrowed
 * Errors: PEPA_EARG (PEPA_LIMIT_MATRIX: sets), PEPA_ELIMIT, PEPA_ENOMEM. */
PepaStatus shared_encloser(Shared *shared, const PepaSettings *set, Encloser *out,
                           PepaError *err);

#endif
