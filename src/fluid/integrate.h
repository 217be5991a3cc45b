/* Integration of stiff ordinary differential equations whose right-hand side is smooth in pieces.
 *
 * RODAS: a Rosenbrock method of order 4 with an embedded one of order 3.  It is L-stable, takes one
 * LU factorisation and six solutions a step, and needs no iteration, so that a step cannot fail to
 * converge.  Each step has a cubic through it, by which the end of a piece is found.  (The stiff
 * integrators of GSL have no such interpolant, and end the process where their matrix is singular.)
 *
 * Source: Hairer, Wanner, Solving Ordinary Differential Equations II, 1996, section IV.7. */
#ifndef PEPA_FLUID_INTEGRATE_H
#define PEPA_FLUID_INTEGRATE_H

#include <stdbool.h>

#include "fluid/resolvent.h"

/* A system dy/dt = f(y), whose variables have sizes of about 1. */
typedef struct {
    int32_t size;
    void (*change)(void *user, const double *y, double *change);
    void (*jacobian)(void *user, const double *y); /* refills the matrix of `resolvent` by df/dy */
    Resolvent *resolvent; /* of `size` variables; borrowed, and no one else's while this runs */
    /* Whether y is beyond the end of the present piece; turn: y begins the next one, false if that is the same
     * one.  NULL: there is one piece. */
    bool (*beyond)(void *user, const double *y);
    bool (*turn)(void *user, const double *y);
    /* Whether the solution may go on from y, to which a step has led.  NULL: from anywhere. */
    bool (*goes_on)(void *user, const double *y);
    void *user;
} OdeSystem;

typedef struct Ode Ode;

/* From y at time 0; system: copied.  tolerance: of the error of each step, relative to the
 * variables, and for those below a thousandth, to that.  Errors: PEPA_ENOMEM. */
PepaStatus ode_new(Ode **out, const OdeSystem *system, const double *y, double tolerance,
                   PepaError *err);
void ode_free(Ode *ode);
/* Go on to `time`, which is not before that of the call before; y: the state there, out.
 *   steps  most steps that may be taken here
 * Errors: PEPA_ENOCONV (the message says at which time, unless the solution may not go on; y is as it was), PEPA_ECANCEL (progress:
 * phase "fluid").  One factorisation per step. */
PepaStatus ode_run(Ode *ode, double time, int64_t steps, const PepaSettings *set, double *y,
                   PepaError *err);
/* The time that steps have reached, how many there were, and how many pieces have ended. */
double ode_reached(const Ode *ode);
int64_t ode_steps(const Ode *ode);
int64_t ode_turns(const Ode *ode);

#endif
