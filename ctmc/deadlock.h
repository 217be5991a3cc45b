/* Explains a deadlock: a path to it, and what each component waits for. */
#ifndef PEPA_CTMC_DEADLOCK_H
#define PEPA_CTMC_DEADLOCK_H

#include "ctmc/chain.h"

/* Append lines about deadlocked state `state` of a chain explored one by one: a shortest sequence
 * of actions from the initial state to it, and for each component which actions it waits for and
 * which components cannot take part in them.  Equal lines are counted; long lists are cut.
 *   cells  scratch, cell_count of the system
 * O(transitions of the states before it + components x programs).  Errors: PEPA_ENOMEM. */
PepaStatus deadlock_explain(const Chain *chain, int32_t state, int32_t *cells, Text *out,
                            PepaError *err);

#endif
