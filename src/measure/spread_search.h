/* Searches along the jumps of a chain by rows that processes have explored together: which states lead to
 * one, and in which the chain ends up. */
#ifndef PEPA_MEASURE_SPREAD_SEARCH_H
#define PEPA_MEASURE_SPREAD_SEARCH_H

#include "measure/spread_flow.h"

/* All processes call these, and agree. */

/* Which states reach the one at `at` by jumps with chances of at least `least`?
 *   marked  per place of this process's run, out
 *   all     out: whether those of all processes do
 * O(entries x some), 5 bytes per state.  Errors: PEPA_ENOMEM. */
PepaStatus spread_search_back(const SpreadFlow *flow, const SpreadOrder *order, Berth at,
                              double least, uint8_t *marked, bool *all, PepaError *err);

/* A state of a bottom component, found by going from one that cannot be returned to from what it leads to
 * on to one of these.
 *   at      out: the state
 *   inside  per place, out: 1 in its component, 0 elsewhere
 *   one     out: it is the only bottom component; false as well where the search takes too long
 * O(entries x some).  Errors: PEPA_ENOMEM. */
PepaStatus spread_search_bottom(const SpreadFlow *flow, const SpreadOrder *order, Berth *at,
                                double *inside, bool *one, PepaError *err);

#endif
