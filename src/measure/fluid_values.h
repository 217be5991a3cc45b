/* Measures as expressions, at populations in place of distributions.
 *
 * Throughputs, populations and inflows are functions of the populations, and so are rewards, which
 * is exact where they are linear.  They become expressions beside the rates, so that whatever
 * evaluates these has them too.  What asks for single states (probabilities, comparisons, what is
 * enabled) has no meaning in the fluid limit. */
#ifndef PEPA_MEASURE_FLUID_VALUES_H
#define PEPA_MEASURE_FLUID_VALUES_H

#include "fluid/field.h"
#include "measure/expression.h"

typedef struct {
    const Expressions *e;
    const RateValues *at;
    int32_t *flow;                     /* per functional: its expression */
    double *functional, *each, *slope; /* values of functionals and nodes; slopes of the latter */
} FluidValues;                         /* starts as {0} */

/* Appends to population->rates.  e, at: borrowed; e was joined to a chain of the same system.
 * Errors: PEPA_EARG (a measure that has no fluid limit), PEPA_ENOMEM. */
PepaStatus fluid_values_new(FluidValues *out, const Expressions *e, const RateValues *at,
                            Population *population, PepaError *err);
void fluid_values_free(FluidValues *values);

/* The items' values, from those of the flows; NaN where there is none, as 0 / 0. */
void fluid_values_at(FluidValues *values, const double *flow, double *value);
/* After it: item's derivatives by the flows: by_flow[k] of functional k's flow. */
void fluid_values_slopes(FluidValues *values, size_t item, double *by_functional);

#endif
