/* Measures as expressions, joined to a chain: their values under a distribution over its states.
 *
 * Every measure is an expression over linear functionals of the distribution: the flow of an
 * action, the mean of a function of states, the flow of components into local states.  Equal
 * functionals of several measures are computed once. */
#ifndef PEPA_MEASURE_EXPRESSION_H
#define PEPA_MEASURE_EXPRESSION_H

#include "ctmc/inflow.h"
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

/* Per state, whether the predicate that is the query's item `item` is true there: true_in has one
 * byte per state.  Errors: PEPA_ENOMEM. */
PepaStatus expressions_states(const Expressions *e, const RateValues *at, int32_t item,
                              uint8_t *true_in, PepaError *err);

#endif
