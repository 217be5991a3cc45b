/* What is earned until some states are left: linear equations x = A x + c over these states, with a
 * bound of the error that is proved whatever the solver did. */
#ifndef PEPA_MEASURE_LEAVE_H
#define PEPA_MEASURE_LEAVE_H

#include "measure/leave_job.h"

/* within x_i = (sum_j q_ij x_j + earn_i) / q_i, elsewhere x = boundary.  From each state within
 * there is a way out.
 *   boundary        n; off by at most boundary_error
 *   earn            n, per unit of time; or NULL: 0
 *   earn_error      n, what they may be off; or NULL: 0
 *   value, error    n, out: within only
 * Errors: PEPA_ENOCONV (not solved), PEPA_ELIMIT, PEPA_ENOMEM, PEPA_ECANCEL. */
PepaStatus leave(const LeaveJob *job, const uint8_t *within, const double *boundary,
                 double boundary_error, const double *earn, const double *earn_error, double *value,
                 double *error, PepaError *err);

/* The same for what is found at the boundary, in favour of the state `from`, which is within: its
 * number, however small, is to be right to within job->tolerance of itself, and so are larger ones.
 *   boundary  n, >= 0, exact
 *   value     n, out: within only
 *   low       n, out: digits that value + low has more, within only, which differences of neighbours
 *             may need; or NULL, and numbers may be less near than they could be
 *   *error    out: of value of `from`; however large it is, it is no failure
 * Errors: PEPA_ENOCONV (no bound), PEPA_ELIMIT, PEPA_ENOMEM, PEPA_ECANCEL. */
PepaStatus leave_from(const LeaveJob *job, const uint8_t *within, const double *boundary,
                      int64_t from, double *value, double *low, double *error, PepaError *err);

#endif
