/* A first guess for a chain that is not aggregated: the solution of the aggregated chain. */
#ifndef PEPA_MEASURE_LUMPED_GUESS_H
#define PEPA_MEASURE_LUMPED_GUESS_H

#include "measure/steady.h"

/* job->pi of a chain explored as a diagram without aggregation, from the steady state of the
 * aggregated chain at the same rates: states that are alike but for the order of copies share their
 * class's probability equally, which is exact (Kemeny, Snell, Finite Markov Chains, 1960, sec. 6.3;
 * Hillston 1996, ch. 8: strong equivalence).
 *   memory  bytes that this may take; 0: no limit
 *   *found  whether there is such a chain, much smaller, and it could be solved, which the trail
 *           then says; else pi is as before
 * Errors: PEPA_ECANCEL.  After any other failure *found is false. */
PepaStatus lumped_guess(const SteadyJob *job, int64_t memory, bool *found);

#endif
