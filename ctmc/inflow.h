/* The flow of components into a set of local states. */
#ifndef PEPA_CTMC_INFLOW_H
#define PEPA_CTMC_INFLOW_H

#include "ctmc/operator.h"
#include "ctmc/state_function.h"

/* flow = sum over the transitions of x at the source times the rate times the number of components
 * that are in none of the places before and in one of them after.
 *   value  per term: its rate
 *   place  count of them, each once
 * Copies that are not told apart show their numbers only.  So if one transition can move one of
 * them in and another one out, the answer is PEPA_ELIMIT (PEPA_LIMIT_COPIES).
 * O(transitions) for each kind of slots that move in, 4 bytes per state.
 * Other errors: PEPA_ENOMEM. */
PepaStatus chain_inflow(const Chain *chain, const double *value, const double *x,
                        const StatePlace *place, int32_t count, double *flow, PepaError *err);

#endif
