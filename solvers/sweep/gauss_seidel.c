/* Gauss-Seidel. */
#include "solvers/internal.h"

#include <math.h>

/* The true residual costs as much as a sweep.  In between it is taken to be in proportion to the
 * sweep's own changes; `share` is that proportion when last measured, at most 1 in theory. */
static void sweep(Attempt *try, double *x)
{
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
        if (attempt_stalls(try, measure))
            return;
    }
}

static void run(Attempt *try, double *x)
{
    sweep(try, x);
    if (!attempt_met(try) && try->status == PEPA_OK)
        (void)attempt_offer(try, x);
}

/* Steady state or visits by Gauss-Seidel sweeps in the order of the states, y_i = (P'y + b)_i in
 * place.  nnz work per sweep; 2 vectors.  Source: Stewart 1994, ch. 3. */
const Method method_gauss_seidel = {"gauss-seidel", "sweeps", .passes = 1, .vectors = 1,
                                    .run = run};
