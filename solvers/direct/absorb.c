/* Where a transient chain ends. */
#include "solvers/internal.h"

#include <math.h>

#include "base/mem.h"

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
