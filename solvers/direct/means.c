/* Means in the long run by elimination. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "solvers/direct/dense.h"

/* What is earned in the chain that is watched in state 0 alone, over the time that it takes. */
PepaStatus means_gth(int32_t n, int32_t sides, long double *rate, const long double *x,
                     const Control *control, long double *mean, double *off, PepaError *err)
{
    DenseChain d = {.n = n, .sides = sides + 1, .rate = rate};
    if (!mem_new(d.x, (size_t)n * (size_t)d.sides))
        return error_memory(err);
    for (int32_t i = 0; i < n; i++) {
        long double *own = d.x + (size_t)i * (size_t)d.sides;
        memcpy(own, x + (size_t)i * (size_t)sides, (size_t)sides * sizeof *own);
        own[sides] = 1;
    }
    PepaStatus status = dense_censor_all(&d, 1, control, err);
    for (int32_t side = 0; side < sides && status == PEPA_OK; side++) {
        mean[side] = d.x[side] / d.x[sides];
        if (!isfinite(mean[side]))
            status = error_set(err, PEPA_ENOCONV, "means overflow");
    }
    *off = dense_rounding(n);
    mem_free(d.x);
    return status;
}
