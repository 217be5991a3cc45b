/* Means after a time by starting state: by uniformisation, and by series where that is long. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "measure/csl_interval.h"
#include "measure/csl_series.h"
#include "measure/series.h"

static bool open_run(CslRun *r, Csl *c, const uint8_t *frozen, const double *x)
{
    const size_t n = (size_t)c->rows.n;
    *r = (CslRun){.c = c};
    if (!(mem_new(r->active, n) && mem_new(r->x, n) && mem_new(r->next, n) && mem_new(r->sum, n)))
        return false;
    memcpy(r->x, x, n * sizeof *x);
    for (int32_t i = 0; i < c->rows.n; i++) {
        r->size = fmax(r->size, fabs(x[i]));
        if ((frozen && frozen[i]) || c->rows.exit[i] == 0)
            continue;
        r->active[r->count++] = i;
        r->rate = fmax(r->rate, c->rows.exit[i]);
    }
    r->rate *= 1.02; /* so that P has no period */
    return true;
}

PepaStatus csl_steps(Csl *c, const uint8_t *frozen, double time, double *x, double *integral,
                     double *error, PepaError *err)
{
    CslRun r;
    const size_t n = (size_t)c->rows.n;
    PepaStatus status = open_run(&r, c, frozen, x) ? PEPA_OK : error_memory(err);
    const double jumps = status == PEPA_OK ? r.rate * time : 0;
    for (size_t i = 0; integral && i < n && status == PEPA_OK; i++)
        integral[i] = time * x[i]; /* where nothing changes */
    if (status == PEPA_OK && integral)
        *error += DBL_EPSILON * time * r.size;
    if (status == PEPA_OK && jumps > 0) {
        r.integral = integral;
        r.allowed = c->tolerance * fmax(r.size, integral ? 1 / time : 1);
        for (int32_t k = 0; k < r.count && integral; k++)
            integral[r.active[k]] = 0;
        status = jumps < SERIES_LEAST ? csl_interval(&r, time, err) : csl_series(&r, time, err);
        const double off = integral ? r.integral_off : r.off;
        if (status == PEPA_OK)
            status = uniform_judge(off, c->job->set->solve.tolerance,
                                   r.size * (integral ? time : 1), err);
        *error += off;
    }
    if (status == PEPA_OK && jumps > 0)
        memcpy(x, r.x, n * sizeof *x);
    mem_free_all(r.active, r.x, r.next, r.sum);
    return status;
}
