/* Rates of populations that vary: means of expressions over counts, and their slopes, when the
 * counts are normally distributed.
 *
 * Every expression is taken as normal, with the covariances that follow from its slopes; so
 * min(a, b) has Clark's mean, which is smooth, and products, quotients and functions have the terms
 * of second order.  The slope of a mean is the mean of the slope, and so (Stein)
 *     Cov(x, f(x)) = Cov(x, x) slope.
 * Where a passive side b may run out, min(a, b) is a while there is some: a P(b > 0).
 *
 * To the first order, expressions have their values at the means, and min the side that it has there:
 * what linear noise is made of.
 *
 * Sources: Clark, The greatest of a finite set of random variables, Operations Research 9, 1961;
 * Guenther, Stefanek, Bradley, Moment closures for performance models with highly non-linear rates,
 * EPEW 2012. */
#ifndef PEPA_FLUID_SMOOTH_H
#define PEPA_FLUID_SMOOTH_H

#include "fluid/field.h"

typedef struct {
    FluidField *field;
    int32_t r;
    bool *constant;       /* per flow: it has no count in it */
    double *mean, *slope; /* per flow; slope: r each, by the means of the coordinates */
    double *first;        /* per kink: how likely its first side is */
    double *row;          /* r, scratch */
    const double *cov;    /* r x r: of the evaluation */
    bool first_order;     /* as above; may be changed at any time */
} Smooth;                 /* starts as {0} */

/* field: borrowed.  8 (flows x r) bytes.  Errors: PEPA_ELIMIT (more than MOST_SLOPES of them),
 * PEPA_ENOMEM. */
enum { MOST_SLOPES = 1 << 27 };
PepaStatus smooth_new(Smooth *out, FluidField *field, PepaError *err);
void smooth_free(Smooth *smooth);

/* mean, slope and first at coordinates of means z and covariances cov, r x r.
 *   count  of flows: those of the moves alone, or all
 * O(flows x r + kinks and products x r^2) */
void smooth_evaluate(Smooth *smooth, const double *z, const double *cov, size_t count);
static inline const double *smooth_slope(const Smooth *s, int32_t flow)
{
    return s->slope + (size_t)flow * (size_t)s->r;
}
/* a' cov b. */
double smooth_covariance(const Smooth *smooth, const double *a, const double *b);

#endif
