/* What transitions lead to, in a chain by rows that processes share: a state of any of them. */
#ifndef PEPA_CTMC_TARGETS_H
#define PEPA_CTMC_TARGETS_H

#include "ctmc/operator.h"

/* An own transition, and the number of the state that it leads to. */
typedef void TargetTask(void *user, const Transition *transition, double number);

/* For all own transitions, in no order that means anything.  All processes call it, and agree.
 *   number  per own state
 * O(transitions); some megabytes.  Errors: PEPA_ENOMEM. */
PepaStatus spread_each_target(const Chain *chain, const double *number, TargetTask *task,
                              void *user, PepaError *err);

#endif
