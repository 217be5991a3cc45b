/* The generator Q of a chain as an operator: products, exit rates, flows by action, transitions and
 * states.  One interface over both forms in which a chain stores its states, by rows (one by one)
 * and as a diagram (sets).  Those who use a chain's numbers need not know which.
 *
 *   value  per term of chain->rates: its rate, such as chain->now.term.  One chain may be used with
 *          many values at the same time, each by an operator of its own. */
#ifndef PEPA_CTMC_OPERATOR_H
#define PEPA_CTMC_OPERATOR_H

#include "ctmc/chain.h"
#include "ctmc/diagram/diagram.h"

/* What products need besides the chain.  Borrows the chain; for one product at a time. */
typedef struct Operator Operator;
/* threads: at most; results do not depend on them.
 *   without  per action of the model: its transitions carry nothing, though they count among exit
 *            rates; NULL: all carry
 *   lent  two entries per state, for products only, borrowed; NULL: they are allocated if needed
 * Errors: PEPA_ENOMEM. */
PepaStatus operator_new(Operator **out, const Chain *chain, const uint8_t *without, int32_t threads,
                        double *lent, PepaError *err);
void operator_free(Operator *op);

/* Of a chain that processes have spread, all of them make the operator and call its products, and
 * agree themselves on whether it was made. */
/* x Q out of place: the flow into all states and their exit rates, self-loops apart, handed to
 * `task` piece by piece (see ProductTask).  x: one entry per state. */
void operator_product(Operator *op, const double *value, const double *x, ProductTask *task,
                      void *user);
/* The same without exit rates: on sets half the work.  The task must not look at them. */
void operator_inflow(Operator *op, const double *value, const double *x, ProductTask *task,
                     void *user);

/* flow[a] = sum over the transitions of chain->actions[a] of x at the source times the rate.
 * Allocates nothing. */
void chain_action_flow(const Chain *chain, const double *value, const double *x, double *flow);
/* The same for one action: an index into chain->actions. */
double chain_flow_of(const Chain *chain, const double *value, const double *x, int32_t action);
/* Transition k of a chain by rows, which is one of `state`. */
static inline Transition chain_transition(const Chain *chain, int32_t state, int64_t k)
{
    const int32_t kind = chain_kind(chain, k);
    return (Transition){state, chain->target[k], chain->actions[chain->kind_action[kind]],
                        chain->kind_term[kind]};
}
/* All transitions, sources ascending; actions are ids in the model.  Errors: PEPA_ENOMEM. */
PepaStatus chain_each_transition(const Chain *chain, TransitionTask *task, void *user,
                                 PepaError *err);
/* The mean number of components in each local state of each position: mean[offset[p] + l], zeroed
 * by the caller.  O(states x slots) by rows, far less on sets.  Errors: PEPA_ENOMEM. */
PepaStatus chain_mean_counts(const Chain *chain, const int32_t *offset, const double *pi,
                             double *mean, PepaError *err);

#endif
