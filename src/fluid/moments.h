/* Means and covariances of the populations.
 *
 *     dm/dt = E f,    dC/dt = E J C + C E J' + E D,    D = sum over moves of change change' rate,
 * where f is the right-hand side of the differential equations of the populations, J its
 * derivative, and expectations are those of normally distributed populations (smooth.h).  Where f is
 * linear this is exact; where it is smooth and populations are large, it is the linear noise
 * approximation with the mean of second order.
 *
 * In time: a Rosenbrock-W method of order 3.  It takes the Jacobian of means and that of covariances
 * each by itself, J and Lyapunov's operator, which keeps its order and costs O(r^3) for each
 * doubling of lyapunov.h rather than O(r^6).  In the long run: Newton's method for the means and
 * Lyapunov's equation for the covariances, by turns.
 *
 * Where that has no solution, linear noise is left (fluid_moments_linearise).
 *
 * Sources: van Kampen, Stochastic Processes in Physics and Chemistry, 2007, ch. X; Rang, Angermann,
 * New Rosenbrock W-methods of order 3 for PDAEs of index 1, BIT 45, 2005 (ROS34PW2). */
#ifndef PEPA_FLUID_MOMENTS_H
#define PEPA_FLUID_MOMENTS_H

#include "fluid/smooth.h"

typedef struct FluidMoments FluidMoments;

/* At time 0: the initial populations, which vary only where components begin by chance.
 *  field: borrowed, and used by this alone.
 * tolerance: of a step, in shares of each slot's components.
 * Errors: those of smooth_new. */
PepaStatus fluid_moments_new(FluidMoments **out, FluidField *field, double tolerance,
                             PepaError *err);
void fluid_moments_free(FluidMoments *moments);

/* Go on to `time`.  Errors say in a clause what fails.
 *  Errors: PEPA_ENOCONV (no step succeeds), PEPA_ECANCEL (progress: phase
 * "fluid"), PEPA_ENOMEM. */
PepaStatus fluid_moments_run(FluidMoments *moments, double time, const PepaSettings *set,
                             PepaError *err);
/* Where they settle, which is sought first near z, at which the populations settle without
 * fluctuations after about `time`; linear noise is around z.
 * Errors: PEPA_ENOCONV, PEPA_ECANCEL, PEPA_ENOMEM. */
PepaStatus fluid_moments_settle(FluidMoments *moments, const double *z, double time,
                                const PepaSettings *set, PepaError *err);

/* Back to time 0, and from now on linear noise around the fluid limit: expectations become values at
 * the means, min has the side that it has there, and no population is taken for what it would be with
 * fluctuations.  For populations that come near 0, of which normal distributions know too little.
 * Moments in time follow what the terms of second order would shift the means by, to their first
 * order (van Kampen, X.5); in the long run these are where nothing shifts any more. */
void fluid_moments_linearise(FluidMoments *moments);

/* At the present means and covariances, all flows. */
const Smooth *fluid_moments_look(FluidMoments *moments);
/* The same with terms of second order, also of linear noise: at means that are shifted by these. */
const Smooth *fluid_moments_shifted(FluidMoments *moments);
int64_t fluid_moments_steps(const FluidMoments *moments);

#endif
