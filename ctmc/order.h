/* The order in which a Gauss-Seidel sweep visits the states. */
#ifndef PEPA_CTMC_ORDER_H
#define PEPA_CTMC_ORDER_H

#include "ctmc/chain.h"

/* A Gauss-Seidel sweep carries probability along all transitions from an earlier to a later state;
 * backward flow waits for the next sweep.  The candidates are the order of discovery and the
 * lexicographic orders of the packed states, with the first or the last component most significant,
 * each forwards and backwards.  The one with the least backward flow (averaged over states) is
 * chosen.  A few states keep their order; states of a diagram have one chosen by the same rule.
 *   member  count states, ascending;  order: count entries, out: the same states
 * O(count log count + transitions). */
PepaStatus chain_order(const Chain *chain, const int32_t *member, int32_t count, int32_t *order,
                       PepaError *err);

#endif
