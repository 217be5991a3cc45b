/* A first guess for a chain whose copies are kept apart: the solution of the same chain with copies
 * counted. */
#ifndef PEPA_MEASURE_LUMPED_GUESS_H
#define PEPA_MEASURE_LUMPED_GUESS_H

#include "ctmc/chain.h"

/* pi of a chain explored as a diagram without aggregation, at its rates of now, from the steady
 * state of the aggregated chain: states that are alike but for the order of copies share their
 * class's probability equally, which is exact (Kemeny, Snell, Finite Markov Chains, 1960, sec.
 * 6.3; Hillston 1996, ch. 8: strong equivalence).
 *   *found  whether there is such a chain, much smaller, and it could be solved: else pi is as
 * before Errors: PEPA_ECANCEL; what else goes wrong only means that there is no guess. */
PepaStatus lumped_guess(const Chain *chain, const PepaSettings *set, double *pi, bool *found,
                        PepaError *err);

#endif
