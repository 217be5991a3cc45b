/* Measures from a smaller chain with the same values: exact ordinary lumping.
 *
 *   PepaLumping *lumping = NULL;  double value[2];
 *   if (pepa_lumping_new(&lumping, chain, measures, NULL, &err) == PEPA_OK &&
 *       pepa_lumping_solve(lumping, NULL, NULL, value, NULL, &err) == PEPA_OK)
 *       printf("%g from %d states\n", value[0], (int)pepa_lumping_info(lumping).blocks);
 *   pepa_lumping_free(lumping);
 *
 * States are put together in blocks.  From all states of a block the rates into any other block are
 * the same, and so is all that the measures count: then the chain of blocks has the same
 * measures. */
#ifndef PEPA_LUMP_H
#define PEPA_LUMP_H

#include "pepa_measure.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of one chain, at the rates that it had; it borrows the chain and the measures. */
typedef struct PepaLumping PepaLumping;

/* The coarsest lumping that keeps the measures, by partition refinement.  "The same" is within 64
 * roundings of a double (1.4e-14 of the larger), since sums of equal rates in another order differ
 * by their rounding; rates that differ by more are kept apart.  Then the transitions of all states
 * are checked against the blocks.
 *   set  threads, memory, progress (phase "lump": `count` blocks so far); NULL: defaults
 * O(transitions x log states); about 90 bytes per state and 12 per transition, or later 32 per
 * transition between blocks, and 8 per state for each flow, population or mean that the measures
 * name.
 * Errors: PEPA_EARG (measures of another model), PEPA_ELIMIT (memory; PEPA_LIMIT_COPIES as
 * pepa_measures_values; 2^31 states or more), PEPA_ENOMEM, PEPA_ECANCEL; PEPA_ENOCONV, if the check
 * fails. */
PEPA_API PepaStatus pepa_lumping_new(PepaLumping **out, const PepaChain *chain,
                                     const PepaMeasures *measures, const PepaSettings *set,
                                     PepaError *err);
PEPA_API void pepa_lumping_free(PepaLumping *lumping);

typedef struct {
    int64_t states, blocks; /* before, after */
    int64_t transitions;    /* from block to block, without actions: pairs of blocks */
    double spread;          /* found by the check: the most by which rates from states of one block
                             * into another, or what measures count in them, differ, as a share of
                             * the larger */
    double seconds;
    uint64_t reserved[8];
} PepaLumpingInfo;
PEPA_API PepaLumpingInfo pepa_lumping_info(const PepaLumping *lumping);
/* The block of a state; blocks are numbered from 0 by their smallest states. */
PEPA_API int64_t pepa_lumping_block(const PepaLumping *lumping, int64_t state);

/* Solves the chain of blocks; settings and errors as pepa_solve_steady.  The residual in `info` is
 * that of its own balance.  The lumped chain is kept by rows: PEPA_MATRIX_FREE is PEPA_EARG.
 *   pi     NULL; or an entry per block: its probability; in: a guess, if set->solve.warm_start
 *   value  an entry per measure; NaN where it has none
 * Entries of pi are right to within 2 x blocks x spread beside the exact lumped chain (O'Cinneide,
 * Numer. Math. 65 (1993)), solver apart. */
PEPA_API PepaStatus pepa_lumping_solve(const PepaLumping *lumping, const PepaSettings *set,
                                       double *pi, double *value, PepaInfo *info, PepaError *err);

#ifdef __cplusplus
}
#endif
#endif
