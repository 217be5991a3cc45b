/* The state in which the populations settle in the long run. */
#ifndef PEPA_FLUID_SETTLE_H
#define PEPA_FLUID_SETTLE_H

#include "fluid/mean.h"

typedef struct {
    double residual; /* the largest net change of a coordinate, relative to what goes in and out */
    double time;     /* so long the populations were followed before */
    int64_t steps;   /* of integration */
    int64_t newton;  /* iterations of Newton's method */
} Settled;

/* z: r, out.  Leaves the field evaluated there, with the sides of the values.
 *   tolerance  on the residual
 * PEPA_OK only if the residual is <= tolerance, the populations approach z in time, and after a
 * small disturbance come back to it.
 * Errors: PEPA_ENOCONV (they do not settle, such as on a limit cycle; the message says what to
 * do), PEPA_ENOMEM, PEPA_ECANCEL.  One factorisation per step. */
PepaStatus settle(FluidField *field, double tolerance, const PepaSettings *set, double *z,
                  Settled *out, PepaError *err);

#endif
