/* Products of the generator of a diagram with vectors, and sums over its states and transitions:
 * the part of ctmc/operator.h for states that are stored as sets.
 *   value  per term: its rate
 *   x, pi  one entry per state */
#ifndef PEPA_CTMC_DIAGRAM_DIAGRAM_OPERATOR_H
#define PEPA_CTMC_DIAGRAM_DIAGRAM_OPERATOR_H

#include "base/workers.h"
#include "ctmc/diagram/diagram.h"

/* Some consecutive entries of x Q, as operator_product hands them out:
 *   in    sum over j != i of x_j q_ji, for the `count` states i from `first` on
 *   exit  sum over j != i of q_ij
 *   part  0 .. PRODUCT_PARTS - 1: calls with the same part are in the order of states, one at a
 *         time; calls with different parts may run in parallel */
typedef void ProductTask(void *user, int32_t part, int64_t first, int32_t count, const double *in,
                         const double *exit);
/* Independent of the number of threads, so that sums by part are too. */
enum { PRODUCT_PARTS = 256 };

/* What products need besides the diagram: memory for edges and off-diagonal blocks, not for states.
 * Workers are borrowed.  Errors: PEPA_ENOMEM. */
typedef struct DiagramProduct DiagramProduct;
PepaStatus diagram_product_new(DiagramProduct **out, const Diagram *diagram, Workers *workers,
                               int32_t threads, PepaError *err);
void diagram_product_free(DiagramProduct *product);
/* About the work of two sweeps. */
void diagram_product(DiagramProduct *product, const double *value, const double *x,
                     ProductTask *task, void *user);

/* flow[i] += sum over the transitions of actions[i] of x at the source times the rate, self-loops
 * included.  actions: `count` ids of the model, ascending; transitions of others do not count. */
void diagram_action_flow(const Diagram *diagram, const double *value, const double *x,
                         const int32_t *actions, int32_t count, double *flow);

/* mean[offset[position] + local state] += the mean number of components there.
 * Errors: PEPA_ENOMEM. */
PepaStatus diagram_mean_counts(const Diagram *diagram, const int32_t *offset, const double *pi,
                               double *mean, PepaError *err);

/* A contribution to the transition from `from` to `to` by `action` (id in the model) at the rate of
 * `term`: transitions that several events make come as several of these. */
typedef struct {
    int64_t from, to;
    int32_t action, term;
} Transition;
typedef void TransitionTask(void *user, const Transition *transition);
/* All of them, sources ascending.  Errors: PEPA_ENOMEM. */
PepaStatus diagram_each_transition(const Diagram *diagram, TransitionTask *task, void *user,
                                   PepaError *err);

/* All states, in order, as cells. */
typedef void StateTask(void *user, int64_t state, const int32_t *cells);
PepaStatus diagram_each_state(const Diagram *diagram, StateTask *task, void *user, PepaError *err);

#endif
