/* Distributions and measures at given times, from a start, by uniformisation; on stiff chains, after
 * a while, by Laguerre series. */
#ifndef PEPA_MEASURE_TRANSIENT_H
#define PEPA_MEASURE_TRANSIENT_H

#include "measure/expression.h"
#include "measure/transient_steps.h"

/* value[j x items + i]: measure i at time[j], from the initial state; NaN where it has none.
 *   accumulated  functionals are integrals from time 0, of which measures are made
 * Errors: PEPA_ENOCONV (the error is more than 1e-6 and the tolerance), PEPA_ELIMIT, PEPA_ENOMEM,
 * PEPA_ECANCEL; those of expressions_values.
 *
 * Truncation: Poisson weights whose missing probability is bounded (poisson.h).
 * Stationarity: P does not lengthen any vector in the 1-norm, so that after step n no later
 * iterate is farther away than (steps left) x |x P^n+1 - x P^n|_1.  Once that is within a share of
 * the error, the iterate stands for all that would follow.
 * Three vectors beside the matrix.  Points far apart go from one to the next; of points nearer to
 * each other than steps, one sequence of steps serves all, with the functionals kept after each.
 * Stiff chains by rows: transient_stiff.c.
 * Source: Jensen, Skand. Aktuarietidskr. 36 (1953); Reibman, Trivedi, Comput. Oper. Res. 15
 * (1988). */
PepaStatus transient_measures(const TransientJob *job, const Expressions *measures,
                              bool accumulated, double *value, TransientFound *found,
                              PepaError *err);
/* The distribution at the last of the times.  p: one entry per state, out. */
PepaStatus transient_distribution(const TransientJob *job, double *p, TransientFound *found,
                                  PepaError *err);

#endif
