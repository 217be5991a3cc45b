/* The mean of the largest of several durations that are independent of each other: each the sum of k
 * exponential stages (Erlang), with the mean given.  For k to infinity it is the largest mean. */
#ifndef GRID_PREDICT_MAXIMUM_H
#define GRID_PREDICT_MAXIMUM_H

#include <pepa.h>

typedef struct {
    const double *mean; /* >= 0; 0: no duration */
    int32_t count;
    int32_t stages; /* k >= 1 */
} Durations;

/* By quadrature of P(max > t), to 1e-10 of it.  O(count) per point, some hundreds of points.
 * The program has switched GSL's error handler off.
 * Errors: PEPA_ENOCONV (the quadrature), PEPA_ENOMEM. */
PepaStatus maximum_mean(const Durations *d, double *out, PepaError *err);

#endif
