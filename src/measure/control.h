/* Control variates: what of an observation's noise is explained by things whose mean is known to be 0.
 *
 * Each observation of functionals comes with controls, of which each has the mean 0.  Subtracted is
 * what a regression of the functionals on the controls foretells.  The coefficients for an observation
 * are those of all the others, each of which is cut into parts that the regression sees: so they do
 * not depend on what they are applied to, the mean is as it was, and observations that are adjusted show
 * the variance that they have.
 * Source: Avramidis, Wilson, "A splitting scheme for control variates", Operations Research Letters 14
 * (1993). */
#ifndef PEPA_MEASURE_CONTROL_H
#define PEPA_MEASURE_CONTROL_H

#include "base/mem.h"

typedef struct {
    int32_t functionals, controls;
    double *product; /* per observation, controls x (controls + functionals): with each control, the
                      * sum over the parts of the products of deviations; their sums at the end */
    double
        *largest;   /* per observation, of each control: the largest square of a part's deviation */
    int64_t *parts; /* per observation, and of all */
    int32_t most;   /* observations */
    double *mean;   /* scratch: controls + functionals */
    double *factor, *scale, *foretold; /* controls x controls, controls, controls */
    uint8_t *seldom;                   /* per control */
    double least;                      /* sum of squares of a control that has a say */
} Control;                             /* starts as {0} */

bool control_new(Control *out, int32_t most, int32_t functionals, int32_t controls);
void control_free(Control *control);

/* Observation k is parts parts, each a row of `stride` numbers: functionals, then controls.  Zero parts:
 * it tells nothing. */
void control_see(Control *control, int32_t k, const double *part, int32_t parts, int32_t stride);
/* After that of all of the first `count`: adjusts each observation, a row as those of parts.
 *   unit  > 0: what one event adds to a control of a part, at least, where it adds anything
 * A control of which hardly any event has been seen has no say: what is left of it is what was expected of
 * events, and that may be any functional, times a number. */
void control_adjust(Control *control, double *observed, int32_t count, int32_t stride, double unit);

#endif
