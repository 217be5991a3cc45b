/* The certificate of a distribution over the states of a diagram. */
#ifndef PEPA_MEASURE_DIAGRAM_BALANCE_H
#define PEPA_MEASURE_DIAGRAM_BALANCE_H

#include "ctmc/diagram/diagram.h"

typedef struct {
    double residual;   /* sum |(pi Q)_i| / sum pi_i q_i; 0 if nothing is out of balance, +inf if it
                        * is no finite number */
    double by_time;    /* sum |(pi Q)_i| / q_i; the same if it is none */
    double sum, least; /* of the entries of pi, and the least of them, or 0 */
} DiagramBalance;

/* What longrun_residual is for transitions, from the edges of the diagram and the terms of their
 * rates, self-loops apart, and from nothing that a solver has made of these.
 *   pi       one entry per state
 *   threads  at most; the numbers do not depend on them
 * As much work as two sweeps; memory for edges and tiles, not for states, unless there are as many
 * sets as upper states.  Errors: PEPA_ENOMEM. */
PepaStatus diagram_balance(const Diagram *diagram, const RateTable *rates, const double *pi,
                           int32_t threads, DiagramBalance *out, PepaError *err);

#endif
