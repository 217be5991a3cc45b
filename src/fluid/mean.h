/* The mean of the populations by the differential equations of the fluid limit, in time.
 *
 * Where a min turns from one operand to the other, the right-hand side has a kink.  Between such
 * times the sides are kept, so that it is smooth; a step ends where some side becomes wrong. */
#ifndef PEPA_FLUID_MEAN_H
#define PEPA_FLUID_MEAN_H

#include "fluid/field.h"
#include "fluid/integrate.h"

typedef struct {
    FluidField *field;
    uint8_t *side; /* per kink: which operand is the smaller one */
    double *z, *y; /* in components; in shares of each slot's components */
    double tolerance;
    Ode *ode;
    int32_t jump; /* the kink of a condition that has changed first; -1: none has */
    double jump_time;
    int32_t negative; /* the move whose rate was first seen below 0; -1: none */
    double negative_time;
    ScarceChoice choice; /* the first of a scarce population that is not known */
    double choice_time;
    int32_t missing; /* the population that fell below 0; -1: none has */
} Mean;              /* starts as {0} */

/* At time 0, from z.  field: borrowed, and used by this alone.  tolerance: of a step, in shares of
 * each slot's components.  *out must stay where it is.  Errors: PEPA_ENOMEM. */
PepaStatus mean_new(Mean *out, FluidField *field, const double *z, double tolerance,
                    PepaError *err);
void mean_free(Mean *mean);
/* Go on to `time`; mean->z is then the state there, and the field is evaluated at it with the sides
 * of the values.  Errors: those of ode_run; PEPA_ENOCONV, where a population falls below 0: a rate that counts
 * local states takes components that are not there. */
PepaStatus mean_run(Mean *mean, double time, int64_t steps, const PepaSettings *set,
                    PepaError *err);

#endif
