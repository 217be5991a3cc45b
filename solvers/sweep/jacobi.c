/* Jacobi, damped. */
#include "solvers/internal.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

/* Windows of steps with one damping factor each.  The step itself measures the iterate it leaves;
 * the sum of a steady-state iterate is preserved, so that no division is needed to compare. */
static void iterate(Attempt *try, double *x, double *next)
{
    const int32_t window = 16;
    Trend trend = {0};
    StallRule rule = stall_rule_firm(try);
    Relax relax = relax_start(1, -0.25, 0.2, 1);
    double before = try->criterion, off = before;
    for (;;) {
        int32_t k = 0;
        for (; k < window && off > try->control->tolerance && attempt_step(try, 1, off); k++) {
            off = flow_relax(try->flow, NULL, relax.now, x, next);
            double *swap = x;
            x = next;
            next = swap;
        }
        off = attempt_offer(try, x);
        if (attempt_met(try) || !isfinite(off) || try->why || try->status != PEPA_OK)
            return;
        if (k == 0)
            return;
        relax_next(&relax, log(off / before) / k);
        before = off;
        trend_add(&trend, try->iterations, off);
        if (attempt_stalls(try, &trend, rule))
            return;
    }
}

/* Steady state or visits by Jacobi's method y <- y + f (P'y + b - y), the power method of the jump
 * chain; f starts at 1 and goes below where the iterates oscillate, as they do for periodic jump
 * chains.  3 vectors.  Source: Stewart 1994, ch. 3. */
PepaStatus solve_jacobi(const Flow *flow, const Control *control, double *y, Outcome *out,
                        PepaError *err)
{
    Attempt try;
    double *x = NULL;
    if (attempt_start(&try, "jacobi", "sweeps", 1, flow, control, y) &&
        (x = attempt_vectors(&try, 2))) {
        memcpy(x, y, (size_t)flow->n * sizeof *x);
        iterate(&try, x, x + flow->n);
    }
    mem_free(x);
    return attempt_end(&try, out, err);
}
