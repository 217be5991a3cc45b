/* Another order for the rows of a matrix that was made from sets of states. */
#ifndef PEPA_MEASURE_FLOW_ORDER_H
#define PEPA_MEASURE_FLOW_ORDER_H

#include "measure/flow_build.h"

/* Puts the rows in the order in which a search from row `first`, breadth first, finds them, or in
 * the reverse, if less of the flow goes backwards than in the order that they have; or as much, if
 * likely jumps are short in that order and rare ones long, which incomplete factors do badly on.
 *   memory  bytes that this may take, 0: any number; if it takes more, the order stays
 *   *order  out, flow->n entries, the caller's: the row that each was; NULL: the order stays
 *   *chosen out, if the order changes
 * PEPA_OK or PEPA_ENOMEM.  O(entries), in random places. */
PepaStatus flow_order_by_search(FlowOwner *flow, int32_t first, int64_t memory, int32_t **order,
                                ChosenOrder *chosen);

#endif
