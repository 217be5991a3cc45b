/* In which order to sweep the states. */
#ifndef PEPA_CTMC_ORDER_H
#define PEPA_CTMC_ORDER_H

#include "ctmc/chain.h"

/* A Gauss-Seidel sweep carries probability along every transition that leads from an earlier to a
 * later state, however far; what flows back waits for the next sweep.  Tried are the orders of
 * discovery and of the packed states, with the first and with the last component counting most,
 * each forwards and backwards; the one with the least flow backwards (every state's exits weighing
 * the same) wins.  A few states keep their order.
 *   member  count states, ascending;  order: count entries, out: the same states
 * O(count log count + transitions). */
PepaStatus chain_order(const Chain *chain, const int32_t *member, int32_t count, int32_t *order,
                       PepaError *err);

#endif
