/* The jump chain, transposed, of a chain by rows that processes have explored together: each has the
 * rows of its run (spread_order.h). */
#ifndef PEPA_MEASURE_SPREAD_FLOW_H
#define PEPA_MEASURE_SPREAD_FLOW_H

#include "measure/spread_rows.h"

/* All processes call these, and agree.
 *   memory  bytes that the matrix may take while it is made; 0: no limit
 * O(transitions log row).  Errors: PEPA_ELIMIT (memory), PEPA_ENOMEM. */
PepaStatus spread_flow_new(SpreadFlow *out, const SpreadOrder *order, const double *value,
                           int64_t memory, PepaError *err);
/* The same without the transitions of some actions, which lead away for ever: exit rates count them, self-loops
 * too, and so does order->exit.
 *   without  per action of the model; NULL: none */
PepaStatus spread_flow_until(SpreadFlow *out, const SpreadOrder *order, const double *value,
                             const uint8_t *without, int64_t memory, PepaError *err);
void spread_flow_free(SpreadFlow *flow);
/* Own entries in compact form, in all processes or in none: if that is requested, or if they are many
 * and nothing is requested, and each has at most MOST_CHANCES different ones.  O(entries).
 * Errors: PEPA_ENOMEM; PEPA_ELIMIT where they are requested and some have too many. */
PepaStatus spread_flow_compact(SpreadFlow *flow, const Chain *chain, PepaMatrixForm form,
                               PepaError *err);
/* Takes out all jumps from marked states.  marked: per place; 0: it is not.  O(entries). */
void spread_flow_drop(SpreadFlow *flow, const double *marked);
double spread_flow_bytes(const SpreadFlow *flow);
/* Bytes that the matrices of all processes together take while they are made. */
double spread_flow_building_bytes(const Chain *chain);

#endif
