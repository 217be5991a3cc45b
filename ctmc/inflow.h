/* The flow of components into a set of local states. */
#ifndef PEPA_CTMC_INFLOW_H
#define PEPA_CTMC_INFLOW_H

#include "ctmc/operator.h"
#include "ctmc/state_function.h"

/* A transition by which `count` components enter: they are in none of the places before and in one
 * of them after. */
typedef void InflowTask(void *user, const Transition *transition, int32_t count);

/* For all transitions that let components in.
 *   place  count of them, each once
 * Copies that are not told apart show their numbers only.  So if one transition can move one of
 * them in and another one out, the answer is PEPA_ELIMIT (PEPA_LIMIT_COPIES).  So it is where a
 * component can enter and leave without time passing (PEPA_LIMIT_NONE).  Of a
 * chain that processes have spread all of them call it, and agree; each has its own transitions.
 * O(transitions) for each kind of slots that move in, 4 bytes per state.
 * Other errors: PEPA_ENOMEM. */
PepaStatus chain_each_inflow(const Chain *chain, const StatePlace *place, int32_t count,
                             InflowTask *task, void *user, PepaError *err);

#endif
