/* The jump chain, transposed, of a chain by rows that processes have explored together: each has the
 * rows of its run (spread_order.h). */
#ifndef PEPA_MEASURE_SPREAD_FLOW_H
#define PEPA_MEASURE_SPREAD_FLOW_H

#include "measure/spread_rows.h"

/* All processes call it, and agree.
 *   form    PEPA_MATRIX_COMPACT, PEPA_MATRIX_EXPLICIT or PEPA_MATRIX_AUTO: own entries are compact in
 *           all processes if they are many, and each has at most MOST_CHANCES different ones
 *   memory  bytes that the matrix may take while it is made; 0: no limit
 * O(transitions log row).  Errors: PEPA_ELIMIT (memory; or compact form is requested, and some process
 * has too many values), PEPA_ENOMEM. */
PepaStatus spread_flow_new(SpreadFlow *out, const SpreadOrder *order, const double *value,
                           PepaMatrixForm form, int64_t memory, PepaError *err);
/* The same without the transitions of some actions, which lead away for ever: exit rates count them,
 * self-loops too, and so does order->exit.
 *   without  per action of the model; NULL: none */
PepaStatus spread_flow_until(SpreadFlow *out, const SpreadOrder *order, const double *value,
                             const uint8_t *without, PepaMatrixForm form, int64_t memory,
                             PepaError *err);
/* The rows of the jump chain itself, not transposed: of each state those that it jumps to. */
PepaStatus spread_flow_onward(SpreadFlow *out, const SpreadOrder *order, const double *value,
                              PepaMatrixForm form, int64_t memory, PepaError *err);
void spread_flow_free(SpreadFlow *flow);
/* Takes out all jumps from marked states; of the jump chain itself, all jumps to these.  marked: per place; 0: it is not.  O(entries). */
void spread_flow_drop(SpreadFlow *flow, const double *marked);
/* Takes out all entries of the rows of marked places.  O(entries). */
void spread_flow_clear(SpreadFlow *flow, const uint8_t *marked);
double spread_flow_bytes(const SpreadFlow *flow);
/* Bytes that the matrices of all processes together take while they are made. */
double spread_flow_building_bytes(const Chain *chain);

#endif
