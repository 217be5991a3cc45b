/* Solving with the factors of D - A, front by front. */
#ifndef PEPA_SOLVERS_DIRECT_FACTORS_SOLVE_H
#define PEPA_SOLVERS_DIRECT_FACTORS_SOLVE_H

#include "solvers/direct/elimination.h"

typedef struct {
    const Elimination *elimination; /* done, its numbers kept */
    double *x;                      /* per state: in the right side, out the solution */
    double *part;                   /* scratch: per row or column of a front */
} FactorsSolve;

/* The rows of A list targets: (D - A) x. */
void factors_solve_targets(const FactorsSolve *s);
/* They list sources: (D - A') x. */
void factors_solve_sources(const FactorsSolve *s);

#endif
