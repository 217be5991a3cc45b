/* The long-run distribution of a chain from its initial state. */
#ifndef PEPA_MEASURE_LONGRUN_H
#define PEPA_MEASURE_LONGRUN_H

#include "ctmc/chain.h"

/* Contract of pepa_solve_steady. */
PepaStatus longrun_solve(const Chain *chain, const PepaSettings *set, double *pi, PepaInfo *info,
                         PepaError *err);

/* sum |(pi Q)_i| / sum pi_i q_i, q_i the exit rates, self-loops apart; 0 if nothing flows; +inf if
 * that is not a finite number.  `balance` is scratch of one double per state. */
double longrun_residual(const Chain *chain, const double *pi, double *balance);

#endif
