/* Lyapunov's equation,  J X + X J' + D = 0,  for one J and many D. */
#ifndef PEPA_FLUID_LYAPUNOV_H
#define PEPA_FLUID_LYAPUNOV_H

#include <stdbool.h>

#include "base/error.h"

typedef struct Lyapunov Lyapunov;

/* For matrices of n x n.  Errors: PEPA_ENOMEM. */
PepaStatus lyapunov_new(Lyapunov **out, int32_t n, PepaError *err);
void lyapunov_free(Lyapunov *lyapunov);

/* Prepare for j, which is copied.  *stable is false where some eigenvalue has a real part >= 0, or so
 * near to 0 that nothing accurate would come of it.  Errors: PEPA_ENOMEM.  O(n^3) for each of
 * log2(sqrt(c)) + 5 or so doublings, c being how many times the largest eigenvalue is as large as
 * the smallest.
 * Source: Smith, Matrix equation XA + BX = C, SIAM J. Appl. Math. 16, 1968. */
PepaStatus lyapunov_factor(Lyapunov *lyapunov, const double *j, bool *stable, PepaError *err);
/* Then x of d, both n x n and symmetric; they may be the same.  Two products for each doubling. */
void lyapunov_solve(Lyapunov *lyapunov, const double *d, double *x);

#endif
