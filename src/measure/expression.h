/* Measures as expressions, joined to a chain: their values under a distribution over its states.
 *
 * Every measure is an expression over linear functionals of the distribution: the flow of an
 * action, the mean of a function of states, the flow of components into local states.  Equal
 * functionals of several measures are computed once. */
#ifndef PEPA_MEASURE_EXPRESSION_H
#define PEPA_MEASURE_EXPRESSION_H

#include "ctmc/inflow.h"
#include "ctmc/state_function.h"
#include "parser/query/query.h"

typedef struct Expressions Expressions;

/* The measures of a query on a chain of the same model; both are borrowed.
 * Errors: PEPA_ENOMEM. */
PepaStatus expressions_new(Expressions **out, const Query *query, const Chain *chain,
                           PepaError *err);
void expressions_free(Expressions *expressions);

/* value: one entry per item of the query; NaN where a measure has no value, as 0 / 0.
 *   at  values of the chain's rates
 *   pi  one entry per state
 * Errors: PEPA_ELIMIT (see chain_inflow), PEPA_ENOMEM. */
PepaStatus expressions_values(const Expressions *e, const RateValues *at, const double *pi,
                              double *value, PepaError *err);

/* The same in two steps: values of the functionals, expressions_functionals of them, which are
 * linear in pi, and of the measures from these. */
int32_t expressions_functionals(const Expressions *e);
/* Is it a throughput, a number of components or a probability? */
bool expressions_never_negative(const Expressions *e, int32_t functional);
int32_t expressions_items(const Expressions *e);
PepaStatus expressions_means(const Expressions *e, const RateValues *at, const double *pi,
                             double *mean, PepaError *err);
/* Errors: PEPA_ENOMEM. */
PepaStatus expressions_combine(const Expressions *e, const RateValues *at, const double *mean,
                               double *value, PepaError *err);
/* The functionals as vectors: vector[s x functionals + f] is what state s contributes to functional
 * f, so that it is the sum of pi_s vector_s,f.  Errors: as expressions_values. */
PepaStatus expressions_vectors(const Expressions *e, const RateValues *at, double *vector,
                               PepaError *err);

/* The measures as rewards of states, of which they are the means: reward[s x items + i] in state
 * s.  16 bytes per state of scratch.
 * Errors: PEPA_EARG (a measure that is not linear in pi, such as a ratio); those of
 * expressions_reward. */
PepaStatus expressions_rewards(const Expressions *e, const RateValues *at, double *reward,
                               PepaError *err);

/* A measure to the first order in pi and in the rates, as sensitivity.h has rewards: what adds to it
 * less what takes from it, both at least 0.  In one sum they would cancel: the mean of a quotient's is 0. */
typedef struct {
    double *by_state, *by_action;
    bool any; /* not all are 0 */
} LinearPart;
typedef struct {
    LinearPart more, less;
    double *by_term, *by_rate;
} Linearised;
/* Of the query's item, whose *value is under pi.  The caller frees it.
 * Errors: PEPA_EARG (no value, or no derivative), PEPA_ENOMEM; those of expressions_values. */
PepaStatus expressions_linearise(const Expressions *e, const RateValues *at, const double *pi,
                                 int32_t item, double *value, Linearised *out, PepaError *err);
void linearised_free(Linearised *linearised);

/* The query's item, which query_check_formula found linear, as a reward: what each state earns per
 * unit of time, so that its value under any distribution is the mean of reward.
 *   reward, off  per state, out; off: bound of its rounding errors, 0 where it is exact
 * Errors: PEPA_EARG (not finite), PEPA_ENOMEM. */
PepaStatus expressions_reward(const Expressions *e, const RateValues *at, int32_t item,
                              double *reward, double *off, PepaError *err);

/* Per state, whether the predicates that are the query's items item[0 .. count - 1] are true there:
 * true_in[i] has one byte per state.  One pass over the states.  Errors: PEPA_ENOMEM. */
PepaStatus expressions_states(const Expressions *e, const RateValues *at, const int32_t *item,
                              size_t count, uint8_t *const *true_in, PepaError *err);

/* The same one state at a time, of any state of the chain's system, which need not be derived: the
 * probe is made once.
 *   rate              of the model's rates; borrowed
 *   enabled, deadlock see state_probe_value */
PepaStatus expressions_probe(StateProbe **out, const Expressions *e, const Value *rate,
                             PepaError *err);
bool expressions_hold(const Expressions *e, StateProbe *probe, int32_t item, const uint64_t *packed,
                      const uint8_t *enabled, bool deadlock);

#endif
