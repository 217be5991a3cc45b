/* Probabilities of absorption in the bottom components of a chain. */
#ifndef PEPA_MEASURE_ABSORPTION_H
#define PEPA_MEASURE_ABSORPTION_H

#include "ctmc/chain.h"

/* The probability, from the initial state, of ending in each bottom component: weight has
 * chain->bottom_count entries that sum to 1.  With few transient states by censoring (every digit
 * right).  With many by expected visits: a residual r changes no weight by more than r, since a
 * visit ends in any component with probability <= 1; rounding errors show in the sum of the
 * weights: if it is not 1, censoring is used after all.
 *   value  per term: its rate
 * Errors: PEPA_ENOCONV, PEPA_ENOMEM, PEPA_ECANCEL.  Source: Kemeny and Snell 1960, ch. 3. */
PepaStatus absorption(const Chain *chain, const double *value, const PepaSettings *set,
                      double *weight, PepaError *err);

#endif
