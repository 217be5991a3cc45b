/* A chain lumped exactly: a smaller chain, whose states are blocks of states of the first, with the
 * same measures.  Ordinary lumpability: from all states of a block the rates into any other block
 * are the same; then the process that sees blocks only is a Markov chain, wherever it starts
 * (Kemeny, Snell, Finite Markov Chains, 1960, sec. 6.3). */
#ifndef PEPA_MEASURE_LUMPING_H
#define PEPA_MEASURE_LUMPING_H

#include "measure/expression.h"
#include "measure/longrun.h"

/* Borrows the chain, the rates' values and the expressions. */
typedef struct Lumping Lumping;

/* The coarsest lumping on whose blocks each functional of the measures is constant.
 *   set  complete: threads, memory, progress (phase "lump": blocks so far)
 * O(transitions x log states + states x functionals); see lump_private.h for memory, and 8 bytes
 * per state and functional.
 * Errors: PEPA_ELIMIT (memory; or the measures' own, as expressions_vectors), PEPA_ENOMEM,
 * PEPA_ECANCEL; PEPA_ENOCONV: its check failed. */
PepaStatus lumping_new(Lumping **out, const Chain *chain, const RateValues *at,
                       const Expressions *measures, const PepaSettings *set, PepaError *err);
void lumping_free(Lumping *lumping);

int32_t lumping_blocks(const Lumping *lumping);
int32_t lumping_block(const Lumping *lumping, int64_t state);
int64_t lumping_transitions(const Lumping *lumping); /* between blocks */
/* By how much, as a share of the larger, rates or functionals of states of one block differ. */
double lumping_spread(const Lumping *lumping);

/* The long-run distribution of the blocks, certified against the balance of the blocks, and the
 * values of the measures; as longrun_solve otherwise, for the chain of blocks.
 *   pi     one entry per block; in: a guess if set->solve.warm_start
 *   value  one entry per item of the query; NaN where it has none */
PepaStatus lumping_solve(const Lumping *lumping, const PepaSettings *set, double *pi, double *value,
                         PepaInfo *info, PepaError *err);

#endif
