/* How much of the beginning of a series of means over time is left out of it.
 * Source: White, Simulation 69 (1997), MSER. */
#ifndef PEPA_MEASURE_WARM_UP_H
#define PEPA_MEASURE_WARM_UP_H

#include <stdint.h>

/* How many of the first bins to leave out: the fewest d, at most three quarters, so that
 *     error(d) = sum over the k others of (y - their mean)^2 / k^2
 * is within SLACK of the least.  The d of the least itself is noise where there is no beginning to
 * leave out, and favours what has a small variance by chance.
 *   error  scratch, count entries */
int32_t warm_up_bins(const double *y, int32_t count, double *error);

#endif
