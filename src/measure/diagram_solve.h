/* The steady state of a chain explored as a diagram. */
#ifndef PEPA_MEASURE_DIAGRAM_SOLVE_H
#define PEPA_MEASURE_DIAGRAM_SOLVE_H

#include "ctmc/chain.h"

/* pi, whose sum is 1, by the method of the settings or, for those that only know rows, on a matrix
 * written out by rows; PEPA_AUTO sweeps over blocks as long as that promises to be quicker.
 *   pi    in: a guess if set->solve.warm_start; else sweeps begin from the solution of the aggregated
 *         chain, if copies are kept apart here, or from the initial state; out
 *   info  method, iterations, caution, trail; residual, as the method says: see diagram_balance
 * Errors: PEPA_ENOCONV, PEPA_ENOMEM, PEPA_ECANCEL. */
PepaStatus diagram_solve(const Chain *chain, const PepaSettings *set, double *pi, PepaInfo *info,
                         PepaError *err);

#endif
