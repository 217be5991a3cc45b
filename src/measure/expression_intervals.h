/* Intervals that contain the exact values of measures as expressions. */
#ifndef PEPA_MEASURE_EXPRESSION_INTERVALS_H
#define PEPA_MEASURE_EXPRESSION_INTERVALS_H

#include "measure/enclosure.h"
#include "measure/expression.h"

/* What enclose takes. */
typedef struct {
    Encloser by;
    const Expressions *expressions;
    const RateValues *at;
    const PepaSettings *set;
    const double *pi;
    PepaInfo *info;
    PepaError *err;
} Bounding;

/* item: one entry per item of the query; -inf .. +inf where a divisor's interval contains 0.  A
 * linear solution for each functional (see expression.h); 8 bytes per state for each of them.  Processes that
 * share the chain all call it, and agree.
 * Errors: as enclose and expressions_vectors. */
PepaStatus expressions_intervals(const Bounding *bounding, Interval *item);

#endif
