/* The covariance in which fluctuations settle:  J X + X J' + D = 0. */
#ifndef PEPA_FLUID_LYAPUNOV_H
#define PEPA_FLUID_LYAPUNOV_H

#include "base/error.h"

/* x: n x n, out; j, d: n x n, d symmetric.  PEPA_ENOCONV: some eigenvalue of j has a real part >= 0,
 * or so near to 0 that x is not accurate.  O(n^3) for each of some 10 to 40 doublings.
 * Source: Smith, Matrix equation XA + BX = C, SIAM J. Appl. Math. 16, 1968. */
PepaStatus lyapunov(int32_t n, const double *j, const double *d, double *x, PepaError *err);

#endif
