/* Finds where a series has settled. */
#include "measure/warm_up.h"

#include <math.h>

#define SLACK 1.05 /* of the least error */

int32_t warm_up_bins(const double *y, int32_t count, double *error)
{
    double mean = 0, square = 0, best = HUGE_VAL;
    int32_t out = 3 * count / 4;
    for (int32_t k = 1; k <= count; k++) {
        const double next = y[count - k], off = next - mean;
        mean += off / k;
        square += off * (next - mean);
        error[count - k] = square / k / k;
        if (count - k <= out)
            best = fmin(best, error[count - k]);
    }
    for (int32_t d = out; d >= 0; d--)
        out = error[d] <= best * SLACK ? d : out;
    return out;
}
