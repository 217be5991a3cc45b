/* Small dense systems of linear equations: Gaussian elimination with partial pivoting.
 * Source: Golub, Van Loan, Matrix Computations, 2013, section 3.4. */
#ifndef PEPA_FLUID_DENSE_H
#define PEPA_FLUID_DENSE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Factors in place of a, n x n, rows first; pivot: n.  False: singular, or not finite.  O(n^3). */
bool lu_factor(int32_t n, double *a, int32_t *pivot);
/* The solution in place of b: n.  O(n^2). */
void lu_solve(int32_t n, const double *lu, const int32_t *pivot, double *b);

#endif
