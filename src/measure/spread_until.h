/* Where passages begin and end in a chain by rows that processes have explored together. */
#ifndef PEPA_MEASURE_SPREAD_UNTIL_H
#define PEPA_MEASURE_SPREAD_UNTIL_H

#include "measure/passage_end.h"
#include "measure/spread_order.h"

/* All processes call these, and agree.  Numbers are of own states, unless they are per place of the order.
 *   value  per term: its rate */

/* The rates at which a passage ends, by an action or in the state that it leads to.
 *   ends        per place, out
 *   ended       per place, out: it ends there; NULL if end->state is
 *   order->exit  in, out: self-loops that end it lead away
 * O(transitions), 20 bytes per state.  Errors: PEPA_ENOMEM. */
PepaStatus spread_until_rates(SpreadOrder *order, const double *value, const PassageEnd *end,
                              double *ends, uint8_t *ended, PepaError *err);

/* As passage_start, of the sum *sum, alike in all.  Errors: PEPA_ENOMEM. */
PepaStatus spread_until_start(const Chain *chain, const double *value, const double *pi,
                              const PassageEnd *from, double *start, double *sum, PepaError *err);
/* start: the probability that the chain begins there; as chain_begin. */
void spread_until_begin(const Chain *chain, const double *value, double *start);

/* Marks all states that a passage may come to from those that are marked, before it ends: not on from where it
 * has ended.
 *   marked  in, out
 * O(transitions + rounds), 4 bytes per state.  Errors: PEPA_ENOMEM. */
PepaStatus spread_until_search(const Chain *chain, const PassageEnd *end, uint8_t *marked,
                               PepaError *err);

#endif
