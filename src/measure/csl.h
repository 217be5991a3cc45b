/* Model checking of CSL (continuous stochastic logic) with rewards.
 *
 * Every operator is computed for all states at once, operands first.  Its number comes with a
 * bound of its error in each state; a comparison with a threshold is then true, false, or not
 * known, where the threshold is within the error.  What is not known goes on: an operator is
 * computed for the case that it is false and for the case that it is true, which bounds its number
 * since all operators are monotone.  So a verdict is proved, or there is none.  Whether a
 * probability is 0 or 1 is found by reachability alone, exactly.
 * Source: Baier, Haverkort, Hermanns, Katoen, Model-checking algorithms for continuous-time Markov
 * chains, IEEE Trans. Softw. Eng. 29 (2003); rewards: Kwiatkowska, Norman, Parker, Stochastic model
 * checking, LNCS 4486 (2007). */
#ifndef PEPA_MEASURE_CSL_H
#define PEPA_MEASURE_CSL_H

#include "ctmc/chain.h"
#include "parser/query/query.h"

typedef struct {
    const Chain *chain;
    const RateValues *at;
    const PepaSettings *set; /* complete; set->solve.tolerance: most that truncation adds to the
                              * error, less where a verdict needs it */
    const Query *query;      /* a QUERY_FORMULA */
} CslJob;

typedef enum { CSL_FALSE, CSL_TRUE, CSL_UNKNOWN } CslTruth;

typedef struct {
    double value;    /* of the outermost operator in the initial state; NaN: it computes no number;
                   * +inf: a reward that is never all earned */
    double error;    /* bound of its error; 0: it is exact */
    CslTruth truth;  /* in the initial state, never UNKNOWN; of `=?`: FALSE */
    bool asks;       /* the formula is `=?`: there is a value and no truth */
    int64_t steps;   /* products of the uniformised chain with a vector */
    int64_t refined; /* times that all was computed again, with less truncation */
} CslFound;

/* Chains explored as sets get rows.  value, error, truth: per state, out; or NULL.
 * 28 bytes per transition and some 100 per state.  The C stack does not grow with the formula.
 * Errors: PEPA_ENOCONV (not decided, or a linear system not solved), PEPA_ELIMIT, PEPA_ENOMEM,
 * PEPA_ECANCEL. */
PepaStatus csl_check(const CslJob *job, double *value, double *error, uint8_t *truth,
                     CslFound *found, PepaError *err);

#endif
