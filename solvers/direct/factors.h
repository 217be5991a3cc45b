/* Sparse LU factors by KLU.  Private to solvers/. */
#ifndef PEPA_SOLVERS_DIRECT_FACTORS_H
#define PEPA_SOLVERS_DIRECT_FACTORS_H

#include <suitesparse/klu.h>

#include "solvers/internal.h"

/* (1 + shift) I - P', without the row and column of state `fixed` (-1: none), by rows; KLU, which
 * reads it by columns, gets the transposed solve. */
typedef struct {
    int64_t n;
    int32_t fixed;
    SuiteSparse_long *row, *col;
    double *val;
    klu_l_common common;
    klu_l_symbolic *symbolic;
    klu_l_numeric *numeric;
} Factors; /* starts as {0} */

/* Factorise.  factors_free in any case.
 *   flow     whose rows are those of P' (or of P, if P is what its owner put there)
 *   control  for its limits on work and memory
 * PEPA_OK, PEPA_ENOMEM, PEPA_ELIMIT (the factors would be too large), PEPA_ENOCONV (singular). */
PepaStatus factors_make(Factors *factors, const Flow *flow, int32_t fixed, double shift,
                        const Control *control);
void factors_free(Factors *factors);

/* The same in two parts, of which the second can be done again.  The first finds an order of the
 * states, from which factors->symbolic has estimates of the work: lnz, unz and est_flops.  It needs
 * the pattern of `flow` only.
 * PEPA_OK, PEPA_ENOMEM, PEPA_ELIMIT as above. */
PepaStatus factors_analyse(Factors *factors, const Flow *flow, int32_t fixed,
                           const Control *control);
/* Then factorise I - gamma A for an A on the analysed pattern, with `fixed` -1.
 *   rates  row i: the rates a_ij into state i; exit: -a_ii
 * PEPA_OK, PEPA_ENOMEM, PEPA_ELIMIT, PEPA_ENOCONV (singular). */
PepaStatus factors_resolvent(Factors *factors, const Flow *rates, double gamma);

/* x += (...)^-1 r, both without their entry `fixed`.  r is overwritten.  False: out of memory. */
bool factors_correct(Factors *factors, double *r, double *x);

#endif
