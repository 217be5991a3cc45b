/* Triangular factors of D - A for a matrix A of rates or chances, by fronts.  Private to solvers/.
 *
 * D_i is the sum of what A has from state i and of what leaves the states there.  Nothing is subtracted on the way to
 * the factors: each of their entries has almost all digits, however rarely states are left. */
#ifndef PEPA_SOLVERS_DIRECT_FACTORS_H
#define PEPA_SOLVERS_DIRECT_FACTORS_H

#include "solvers/direct/elimination.h"

/* What a row of the flow lists: the sources of its state, as in P', or the targets, as in P. */
typedef enum { ROWS_OF_SOURCES, ROWS_OF_TARGETS } FactorRows;

typedef struct {
    FactorRows rows;
    int32_t n;      /* of the flow */
    int32_t fixed;  /* the state that is left out, to which others leave; -1: none */
    int32_t *place; /* n: when a state is eliminated */
    Jumps jumps;    /* in that order; without `fixed`, the first of each row is to leave */
    Elimination elimination;
    double work, entries; /* multiply-adds; numbers of the factors */
    double *visits, *later, *out;
    double *x, *part; /* scratch: per state; per row or column of a front */
} Factors;            /* starts as {0} */

/* Finds an order of the states and the fronts; borrows nothing.  factors_free in any case.
 *   control  for its limits on work and memory
 * PEPA_OK, PEPA_ENOMEM, PEPA_ELIMIT (the factors would be too large). */
PepaStatus factors_analyse(Factors *factors, const Flow *flow, FactorRows rows, int32_t fixed,
                           const Control *control);
void factors_free(Factors *factors);

/* Factorises; also again, with others that leave.
 *   leave    n: what leaves each state, beside A; NULL with a state that is fixed
 *   control  for its progress callback; NULL: nothing cancels it
 * PEPA_OK, PEPA_ENOMEM, PEPA_ECANCEL, PEPA_ENOCONV (some state is left too rarely). */
PepaStatus factors_make(Factors *factors, const double *leave, const Control *control);

/* x += (D - A)^-1 r, with D - A as the flow's rows are; both without their entry `fixed`.  `entries` multiply-adds. */
void factors_correct(Factors *factors, const double *r, double *x);

#endif
