/* Confidence intervals of measures, from observations of the functionals that they are made of.
 *
 * A measure is a function f of means m.  The estimate is f of the sample means.  Its interval is
 * that of Student's t for the sample of f linearised at them (the delta method):
 *     f(m) +- t sqrt(sum of f_i f_j C_ij / n),   C the sample covariances, f_i = df / dm_i,
 * which for measures that are linear is the usual interval of a mean.  A probability of which each
 * observation says only yes or no, or a population or throughput of which only two values are seen, has the interval
 * of Wilson, which holds where one of them is rare and, of a probability, where the sample shows no variance.
 * Sources: Law, Simulation modeling and analysis, 5th ed. 2015, ch. 9; Wilson, JASA 22 (1927). */
#ifndef PEPA_MEASURE_ESTIMATE_H
#define PEPA_MEASURE_ESTIMATE_H

#include "measure/expression.h"

typedef struct {
    int32_t a, b; /* a <= b */
} FunctionalPair;

/* Which covariances the measures need. */
typedef struct {
    const Expressions *e;
    const RateValues *at;
    int32_t *row, *functional; /* per item: its functionals are functional[row[i] .. row[i + 1]) */
    int32_t *node_row, *node;  /* per item: the nodes of the expressions that it needs, ascending */
    FunctionalPair *pair;      /* those that some item has, by a, then b */
    size_t pairs;
    int32_t *pair_of; /* per functional: where its pairs begin */
} EstimatePlan;       /* starts as {0} */

/* All borrowed.  Errors: PEPA_ENOMEM. */
PepaStatus estimate_plan_new(EstimatePlan *out, const Expressions *e, const RateValues *at,
                             PepaError *err);
void estimate_plan_free(EstimatePlan *plan);

/* Means and covariances of observations so far, by Welford's updates. */
typedef struct {
    int64_t count;
    double *mean, *least, *most; /* per functional */
    double *product; /* per pair: the sum of products of deviations */
} Moments;           /* starts as {0} */

bool moments_new(Moments *out, const EstimatePlan *plan);
void moments_free(Moments *moments);
void moments_clear(Moments *moments, const EstimatePlan *plan);
/* One more observation of all functionals. */
void moments_add(Moments *moments, const EstimatePlan *plan, const double *observed);

typedef struct {
    double value, low, high; /* NaN where the measure has no value, as 0 / 0 */
} Estimate;

/* By what the mean of a functional may be less and more than it was at least, whatever the spread of
 * the observations says; 0: nothing is known. */
typedef struct {
    double less, more;
} EstimateSlack;

/* Whether a functional is the probability of a predicate. */
bool estimate_is_probability(const EstimatePlan *plan, int32_t functional);

/* The first item that is made of a functional. */
int32_t estimate_item_of(const EstimatePlan *plan, int32_t functional);

/* The first item whose interval is a point because a functional of it that cannot be negative was 0 in all
 * observations; -1: none. */
int32_t estimate_unseen(const Moments *moments, const EstimatePlan *plan, const Estimate *estimates);

/* The estimates of all items.
 *   yes_or_no  each observation is of one state: see above
 *   slack      per functional, or NULL: intervals are as wide as these make them, taken as independent
 * Of one observation there is no interval: it is infinite.  Errors: PEPA_ENOMEM. */
PepaStatus moments_estimate(const Moments *moments, const EstimatePlan *plan, double confidence,
                            bool yes_or_no, const EstimateSlack *slack, Estimate *out,
                            PepaError *err);

/* Half of the width of the interval as a share of the value: it is value +- that share, or about so;
 * 0: no value, or the value is exact. */
double estimate_width(const Estimate *estimate);

#endif
