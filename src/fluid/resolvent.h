/* Systems (shift - J) x = b of a sparse Jacobian J, by sparse LU factors.
 *
 * J may have intermediate quantities q = F y + G q of the variables y, so that sums that many rows share
 * are in it once: of
 *     f = A y + B q,   the Jacobian is   A + B (1 - G)^-1 F.
 * Rows and columns of the matrix are y, and behind them q.  Factorising the whole, in an order that
 * keeps the fill-in low, eliminates q where that costs least.
 *
 * KLU finds the order once, pivots when they are needed first, and refills the same factors after that
 * as long as they stay small: Davis, Palamadai Natarajan, Algorithm 907: KLU, ACM TOMS 37, 2010. */
#ifndef PEPA_FLUID_RESOLVENT_H
#define PEPA_FLUID_RESOLVENT_H

#include "base/error.h"
#include "fluid/sparse.h"

typedef struct Resolvent Resolvent;

/* j: of at least one row; its arrays are borrowed.  Its values may change, its pattern not, which has
 * the diagonal and columns that ascend.  variables: how many rows are those of y.  Errors: PEPA_ENOMEM. */
PepaStatus resolvent_new(Resolvent **out, const Sparse *j, int32_t variables, PepaError *err);
void resolvent_free(Resolvent *resolvent);

/* Factorise for the present values of j.
 * PEPA_OK, PEPA_ENOCONV (singular, or not finite), PEPA_ENOMEM; without a message. */
PepaStatus resolvent_factor(Resolvent *resolvent, double shift);
/* The solution in place of b: variables. */
void resolvent_solve(Resolvent *resolvent, double *b);

#endif
