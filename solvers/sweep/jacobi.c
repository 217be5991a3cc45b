/* Jacobi, damped. */
#include "solvers/internal.h"

#include <math.h>

/* Windows of steps with one damping factor each.  The step itself measures the iterate it leaves;
 * the sum of a steady-state iterate is preserved, so that no division is needed to compare. */
static void run(Attempt *try, double *x)
{
    const int32_t window = 16;
    Relax relax = relax_start(1, -0.25, 0.2, 1);
    double before = try->criterion, off = before, *next = x + try->flow->n;
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
        if (attempt_stalls(try, off))
            return;
    }
}

/* Steady state or visits by Jacobi's method y <- y + f (P'y + b - y), the power method of the jump
 * chain; f starts at 1 and goes below where the iterates oscillate, as they do for periodic jump
 * chains.  3 vectors.  Source: Stewart 1994, ch. 3. */
const Method method_jacobi = {"jacobi", "sweeps", .passes = 1, .vectors = 2, .run = run};
