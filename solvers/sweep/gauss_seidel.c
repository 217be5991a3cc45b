/* Gauss-Seidel. */
#include "solvers/internal.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

/* The true residual costs as much as a sweep.  In between it is taken to be in proportion to the
 * sweep's own changes; `share` is that proportion when last measured, at most 1 in theory. */
static void iterate(Attempt *try, double *x, StallRule rule)
{
    Trend trend = {0};
    double share = 1, measure = try->criterion;
    int64_t due = 4;
    while (attempt_step(try, 1, measure)) {
        double change = flow_sweep(try->flow, x);
        measure = share * change;
        if (measure > try->control->tolerance && try->iterations < due)
            continue;
        measure = attempt_offer(try, x);
        if (attempt_met(try) || !isfinite(measure))
            return;
        share = change > 0 ? measure / change : 1;
        if (try->iterations < due)
            continue;
        due = try->iterations + (due < 200 ? due / 4 + 1 : 50);
        trend_add(&trend, try->iterations, measure);
        if (attempt_stalls(try, &trend, rule))
            return;
    }
}

/* Steady state or visits by Gauss-Seidel sweeps in the order of the states, y_i = (P'y + b)_i in
 * place.  nnz work per sweep; 2 vectors.  Source: Stewart 1994, ch. 3. */
PepaStatus gauss_seidel_try(const Flow *flow, const Control *control, const StallRule *rule,
                            double *y, Outcome *out, PepaError *err)
{
    Attempt try;
    double *x = NULL;
    if (attempt_start(&try, "gauss-seidel", "sweeps", 1, flow, control, y) &&
        (x = attempt_vectors(&try, 1))) {
        memcpy(x, y, (size_t)flow->n * sizeof *x);
        iterate(&try, x, rule ? *rule : stall_rule_firm(&try));
        if (!attempt_met(&try) && try.status == PEPA_OK)
            (void)attempt_offer(&try, x);
    }
    mem_free(x);
    return attempt_end(&try, out, err);
}

PepaStatus solve_gauss_seidel(const Flow *flow, const Control *control, double *y, Outcome *out,
                              PepaError *err)
{
    return gauss_seidel_try(flow, control, NULL, y, out, err);
}
