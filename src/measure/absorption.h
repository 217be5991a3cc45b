/* Where a chain with several bottom components ends up. */
#ifndef PEPA_MEASURE_ABSORPTION_H
#define PEPA_MEASURE_ABSORPTION_H

#include "ctmc/chain.h"

/* The probability, from state 0, of ending in each bottom component: weight has
 * chain->bottom_count entries that sum to 1.  With few transient states by censoring (every digit
 * right); with many by expected visits, where a residual r moves no weight by more than r (a visit
 * that the balance misplaces ends in any component with probability <= 1), and rounding of the
 * chances to stay, times the visits, shows in the sum: if that is not 1, by censoring after all.
 *   value  per term: its rate
 * Errors: PEPA_ENOCONV, PEPA_ENOMEM, PEPA_ECANCEL.  Source: Kemeny and Snell 1960, ch. 3. */
PepaStatus absorption(const Chain *chain, const double *value, const PepaSettings *set,
                      double *weight, PepaError *err);

#endif
