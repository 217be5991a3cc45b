/* Where a transient chain ends. */
#include "solvers/internal.h"

#include <math.h>

#include "base/mem.h"
#include "solvers/direct/dense.h"

PepaStatus absorb_gth(const Flow *flow, const double *absorb, int32_t classes, int32_t start,
                      const Control *control, double *weight, PepaError *err)
{
    double work = 0, sum = 0;
    Jumps jumps = {0};
    Monitor monitor = monitor_start(control);
    int32_t *place = mem_alloc((size_t)flow->n, sizeof *place);
    double *found = mem_alloc((size_t)classes, sizeof *found);
    PepaStatus status =
        place && found ? gth_order(flow, start, gth_entries(control), place, &work) : PEPA_ENOMEM;
    if (status == PEPA_OK && !(work <= most_work(control)))
        status = PEPA_ELIMIT;
    if (status == PEPA_OK)
        status = jumps_new(&jumps, flow, place, classes, absorb, NULL);
    if (status == PEPA_OK)
        status = gth_sparse(&jumps, &monitor, NULL, found);
    for (int32_t c = 0; status == PEPA_OK && c < classes; c++)
        sum += found[c];
    if (status == PEPA_OK && !(sum > 0 && isfinite(sum)))
        status = PEPA_ENOCONV;
    for (int32_t c = 0; status == PEPA_OK && c < classes; c++)
        weight[c] = found[c] / sum;
    jumps_free(&jumps);
    mem_free_all(place, found);
    if (status == PEPA_OK)
        return PEPA_OK;
    if (status == PEPA_ENOMEM)
        return error_memory(err);
    if (status == PEPA_ECANCEL)
        return error_set(err, status, "cancelled");
    if (status == PEPA_ELIMIT)
        return error_set(err, status, "too many transient states for absorption probabilities");
    return error_set(err, status, "some transient state has no way into an absorbing class");
}

/* ---- numbers of all states ------------------------------------------------------------------- */

/* From the values of the states before it. */
static void put_value(const DenseChain *d, int32_t k)
{
    const long double *rate = d->rate + (size_t)k * (size_t)d->n, out = dense_way_out(d, k);
    long double *x = d->x + (size_t)k * (size_t)d->sides;
    for (int32_t side = 0; side < d->sides; side++) {
        for (int32_t j = 0; j < k; j++)
            x[side] += rate[j] * d->x[j * d->sides + side];
        x[side] /= out;
    }
}

PepaStatus absorb_values(int32_t n, int32_t sides, long double *rate, long double *leave,
                         long double *x, const Control *control, double *off, PepaError *err)
{
    const DenseChain d = {.n = n, .sides = sides, .rate = rate, .leave = leave, .x = x};
    PepaStatus status = dense_censor_all(&d, 0, control, err);
    bool finite = true;
    for (int32_t k = 0; k < n && status == PEPA_OK; k++) {
        put_value(&d, k);
        for (int32_t side = 0; side < sides; side++)
            finite = finite && isfinite(x[k * sides + side]);
    }
    *off = dense_rounding(n);
    return finite ? status : error_set(err, PEPA_ENOCONV, "values overflow");
}

PepaStatus absorb_differences(int32_t n, int32_t ends, long double *rate, long double *difference,
                              const Control *control, PepaError *err)
{
    const DenseChain d = {.n = n, .rate = rate};
    long double *nothing = NULL;
    if (!mem_new_zeroed(nothing, n))
        return error_memory(err);
    const PepaStatus status = dense_censor_all(&d, ends, control, err);
    if (status == PEPA_OK)
        dense_differences(&d, ends, nothing, difference);
    mem_free(nothing);
    return status;
}
