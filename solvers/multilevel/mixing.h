/* Anderson acceleration of cycles, on the logarithms of flows.
 *
 * A cycle takes u = log y to g(u).  The next u is that combination of the last few g's for which the same combination
 * of the changes g(u) - u is least, by the sum of squares: where the cycles are nearly linear, what GMRES would find
 * from these changes.  Logarithms keep flows positive and the rarest state in sight; a small power of its flow is its weight.
 * Sources: Anderson, J. ACM 12 (1965); Walker, Ni, SIAM J. Numer. Anal. 49 (2011). */
#ifndef PEPA_SOLVERS_MULTILEVEL_MIXING_H
#define PEPA_SOLVERS_MULTILEVEL_MIXING_H

#include "solvers/internal.h"

/* Cycles that are combined. */
enum { MIXED = 8, MIXING_VECTORS = 2 * MIXED + 4 };

typedef struct {
    const Flow *flow;
    double *vectors;     /* flow->n x MIXING_VECTORS, borrowed */
    int32_t count, next; /* directions that there are; the one that is replaced */
    bool begun;          /* the last g and change are known */
    double change;       /* the length of that change */
} Mixing;

Mixing mixing_start(const Flow *flow, double *vectors);
void mixing_forget(Mixing *mixing); /* the cycle has become another */

/* A cycle has made y of `old`, both > 0: the flows to go on with, not scaled.  Returns the length of the change. */
double mixing_step(Mixing *mixing, const double *old, double *y);

#endif
