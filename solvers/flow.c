/* Residuals and normalisation: what every method is judged by. */
#include "solvers/internal.h"

#include <math.h>
#include <string.h>

/* A single state without a way out has no flow that could be out of balance. */
double flow_gauge(const Flow *flow, const double *y, double *residual)
{
    double off = 0, sum = 0, time_off = 0, time = 0;
    if (flow->n == 1 && !flow->b)
        return *residual = isfinite(y[0]) ? 0 : HUGE_VAL;
    for (int32_t i = 0; i < flow->n; i++) {
        double defect = fabs(y[i] - flow_into(flow, y, i)), stay = flow->b ? 0 : 1 / flow->exit[i];
        off += defect;
        sum += fabs(y[i]);
        time_off += stay * defect;
        time += stay * fabs(y[i]);
    }
    double share = off / sum, gauge = flow->b && sum > 1 ? off : share;
    if (!flow->b && !(time_off <= gauge * time))
        gauge = time_off / time;
    *residual = isfinite(share) ? share : HUGE_VAL;
    return isfinite(gauge) && isfinite(sum) ? gauge : HUGE_VAL;
}

double flow_residual(const Flow *flow, const double *y)
{
    double residual;
    (void)flow_gauge(flow, y, &residual);
    return residual;
}

/* Scale so that sums stay within the range of doubles; false if an entry is not finite or all are
 * 0. */
static bool tame(int32_t n, double *y)
{
    double most = 0;
    for (int32_t i = 0; i < n; i++) {
        if (!isfinite(y[i]))
            return false;
        if (fabs(y[i]) > most)
            most = fabs(y[i]);
    }
    for (int32_t i = 0; i < n && most > 0; i++)
        y[i] /= most;
    return most > 0;
}

static void sum_signs(int32_t n, const double *y, double *above, double *below)
{
    *above = *below = 0;
    for (int32_t i = 0; i < n; i++)
        if (y[i] >= 0)
            *above += y[i];
        else
            *below -= y[i];
}

bool flow_settle(const Flow *flow, double *y)
{
    const double large = 1e200, small = 1e-200;
    double above, below;
    sum_signs(flow->n, y, &above, &below);
    if (!(above + below < large) || (!flow->b && !(above + below > small))) {
        if (!tame(flow->n, y))
            return false;
        sum_signs(flow->n, y, &above, &below);
    }
    double scale = flow->b ? 1 : below > above ? -1 / below : 1 / above;
    for (int32_t i = 0; i < flow->n; i++) {
        double scaled = scale * y[i];
        y[i] = scaled > 0 ? scaled : 0;
    }
    return flow->b ? above > 0 : true;
}

double flow_unrest(const Flow *flow, const double *y, double *scratch)
{
    double change = 0, time = 0;
    memcpy(scratch, y, (size_t)flow->n * sizeof *y);
    (void)gauss_seidel_sweep(flow, scratch);
    for (int32_t i = 0; i < flow->n; i++) {
        change += fabs(scratch[i] - y[i]) / flow->exit[i];
        time += y[i] / flow->exit[i];
    }
    return isfinite(change / time) ? change / time : HUGE_VAL;
}

double flow_defect(const Flow *flow, const double *y, double *r)
{
    double sum = 0;
    for (int32_t i = 0; i < flow->n; i++) {
        r[i] = flow_into(flow, y, i) - y[i];
        sum += fabs(r[i]);
    }
    return sum;
}

void flow_apply(const Flow *flow, const double *v, double *w)
{
    for (int32_t i = 0; i < flow->n; i++)
        w[i] = v[i] - flow_more(flow, v, flow->row[i], flow->row[i + 1], 0);
}
