/* Continuous-time Markov chains as dense matrices of rates, for the oracle: slow and accurate.
 * rate is n x n, rate[i*n + j] from i to j per unit of time; the diagonal is not looked at. */
#ifndef PEPA_TESTS_DENSE_H
#define PEPA_TESTS_DENSE_H

#include <stdbool.h>
#include <stddef.h>

/* reach[i*n + j]: j can be reached from i in any number of steps, none included.  n (n + edges). */
void dense_reach(const long double *rate, size_t n, bool *reach);

/* bottom[i]: number of the bottom component (closed communicating class) of state i, -1 if it is
 * in none.  Returns how many there are. */
int dense_bottoms(const long double *rate, size_t n, int *bottom);

/* The long-run distribution from state `start`: each bottom component's steady state times the
 * probability of ending there.  Both by elimination without subtraction (Grassmann, Taksar and
 * Heyman, Operations Research 33, 1985): every entry is accurate to a few n roundings. */
void dense_long_run(const long double *rate, size_t n, size_t start, long double *pi);

/* x, n x m: becomes the solution of a x = what it was, for an invertible n x n matrix a, which is
 * changed.  Gauss-Jordan elimination with row pivoting. */
void dense_eliminate(long double *a, size_t n, long double *x, size_t m);

/* max_i sum_j |((Q - e pi)^-1)_ij| for the generator Q of the rates and its only steady state pi:
 * a distribution x with x Q = r is no further than |r|_1 times this from pi in the 1-norm, since
 * (x - pi)(Q - e pi) = r.  By dense_eliminate. */
long double dense_condition(const long double *rate, size_t n, const long double *pi);

/* p: the distribution after time t from state `start`; spent: the time spent in each state until
 * then.  Uniformised over a short time and squared, in long double: all numbers added are >= 0, so
 * that each squaring doubles a relative error of some n x 1e-19.  n^3 log2(t x largest rate).
 * Source: Moler, Van Loan, SIAM Review 45 (2003), method 3. */
void dense_transient(const long double *rate, size_t n, size_t start, double t, long double *p,
                     long double *spent);

#endif
