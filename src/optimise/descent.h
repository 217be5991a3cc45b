/* One local search over the variables that are not whole.  Private to this room. */
#ifndef PEPA_OPTIMISE_DESCENT_H
#define PEPA_OPTIMISE_DESCENT_H

#include "optimise/program.h"

typedef struct {
    Optimiser *search;
    int32_t *free; /* variables that are not whole and have a range */
    int32_t count;
    double *t;          /* count: angles or shares, see descent.c */
    double *multiplier; /* per constraint, >= 0 */
    double penalty;     /* > 0, of the augmented Lagrangian */
    double objective;   /* how much it counts: 1, or 0 where constraints alone matter */
    double worst;       /* the largest value yet: points without one are said to be higher */
} Descent;

/* Errors: PEPA_ENOMEM. */
PepaStatus descent_new(Descent *l, Optimiser *search, PepaError *err);
void descent_free(Descent *l);

#define STATIONARY 3e-5 /* derivatives that leave nothing to polish, of the objective's size */

/* From shares of the ranges, count entries; what is found goes to the search.  False: memory is out.
 * Descend: to a stationary point of the program, by derivatives.  Restore: to a point that satisfies
 * the constraints, by derivatives.  Kinked: downhill by derivatives that jump.  Polish: downhill without derivatives, `step` being a share. */
bool descent_run(Descent *l, const double *share);
bool descent_restore(Descent *l, const double *share);
bool descent_kinked(Descent *l, const double *share, double step);
bool descent_polish(Descent *l, const double *share, double step);

#endif
