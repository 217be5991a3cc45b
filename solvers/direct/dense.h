/* Elimination without subtractions, dense: a chain watched in fewer and fewer states, the last one left out first.  All numbers
 * are added, none subtracted, so that each is right to a few n roundings, however rare some jumps are.
 * Source: Grassmann, Taksar and Heyman, Operations Research 33 (1985). */
#ifndef PEPA_SOLVERS_DIRECT_DENSE_H
#define PEPA_SOLVERS_DIRECT_DENSE_H

#include "solvers/solver.h"

typedef struct {
    int32_t n, sides;
    long double *rate;  /* n x n, row-major, to other states; of the diagonal no use is made */
    long double *leave; /* n: for good; or NULL: never */
    long double *x;     /* n x sides, >= 0: what is earned per unit of time */
} DenseChain;

/* The rate at which state k is left for those before it, or for good. */
long double dense_way_out(const DenseChain *d, int32_t k);
/* Without state k, whose way out this is: who goes there goes on at once, and what is earned there is where he comes from.
 * States before k are changed; its own row and column stay. */
void dense_censor(const DenseChain *d, int32_t k, long double out);

/* All but the first `first` states.  Errors: PEPA_ENOCONV (one is never left), PEPA_ECANCEL. */
PepaStatus dense_censor_all(const DenseChain *d, int32_t first, const Control *control,
                            PepaError *err);
/* Bound of the relative error of what becomes of sums of products of n of its numbers, one over another, when n states are
 * left out and found again. */
double dense_rounding(double n);

/* Differences of what it is worth to be in a state, h.  Of each state k it is known what h is on average when the chain comes to
 * one before it, and what it has earned by then: h_k = sum_j p_kj h_j + earned_k.  Each difference is a mean of those between
 * states before k, so that it has its digits where h itself would have none: where a chain stays long in each of several ways.
 *   first       states 0 .. first - 1 have their differences already; the others were censored
 *   earned      n
 *   difference  n x n: h_j - h_i in row i
 * Cost: n^3 / 3 multiply-adds if all rates are there. */
void dense_differences(const DenseChain *d, int32_t first, const long double *earned,
                       long double *difference);

#endif
