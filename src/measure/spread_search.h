/* Searches along the jumps of a chain by rows that processes have explored together: which states lead to
 * some. */
#ifndef PEPA_MEASURE_SPREAD_SEARCH_H
#define PEPA_MEASURE_SPREAD_SEARCH_H

#include "measure/spread_flow.h"

/* All processes call these, and agree. */

/* Marks all states that reach a marked one by jumps with chances of at least `least`.
 *   marked  per place of this process's run, in and out
 *   told    per copy, in: 1 where its state is marked, which its process need not know; out: where that
 *           has been told; NULL: nowhere
 *   count   out: how many states of all processes are marked
 * O(entries + rounds), 9 bytes per state.  Errors: PEPA_ENOMEM. */
PepaStatus spread_search_back(const SpreadFlow *flow, double least, uint8_t *marked, uint8_t *told,
                              int64_t *count, PepaError *err);
/* Per place of n: its row of entries from others, or -1. */
void spread_list_outer(const FlowShare *share, int32_t n, int32_t *outer);

#endif
