/* Measures as expressions, at populations in place of distributions.
 *
 * Throughputs, populations and inflows are functions of the populations; a reward is evaluated at
 * them, which is exact where it is linear.  What asks for single states (probabilities,
 * comparisons, what is enabled) has no meaning in the fluid limit. */
#ifndef PEPA_MEASURE_FLUID_VALUES_H
#define PEPA_MEASURE_FLUID_VALUES_H

#include "fluid/field.h"
#include "measure/expression.h"

typedef struct {
    const Expressions *e;
    const RateValues *at;
    FluidField *field;
    double *functional, *each, *slope; /* values of functionals and nodes; slopes of the latter */
    double *weight, *by_z, *sum;       /* per move; per coordinate */
    double *state, *by_state;          /* per node of the functions of states */
} FluidValues;                         /* starts as {0} */

/* All borrowed; e was joined to a chain of the field's system.
 * Errors: PEPA_EARG (a measure that has no fluid limit), PEPA_ENOMEM. */
PepaStatus fluid_values_new(FluidValues *out, const Expressions *e, const RateValues *at,
                            FluidField *field, PepaError *err);
void fluid_values_free(FluidValues *values);

/* The items' values where the field is evaluated; NaN where there is none, as 0 / 0. */
void fluid_values_at(FluidValues *values, double *value);
/* Their derivatives by z there, after fluid_values_at: by_z[item x r + coordinate]. */
void fluid_values_slopes(FluidValues *values, double *by_z);

#endif
