/* Jacobi, damped. */
#include "solvers/internal.h"

#include <math.h>

int64_t attempt_relax(Attempt *try, const double *pace, double factor, int64_t most, double *x[2],
                      double *off)
{
    int64_t k = 0;
    for (; k<most && * off> try->control->tolerance && attempt_step(try, 1, *off); k++) {
        *off = flow_relax(try->flow, pace, factor, x[0], x[1]);
        double *swap = x[0];
        x[0] = x[1];
        x[1] = swap;
    }
    return k;
}

/* Windows of steps with one damping factor each.  The step itself measures the iterate it leaves;
 * the sum of a steady-state iterate is preserved, so that no division is needed to compare. */
static void run(Attempt *try, double *x)
{
    const int32_t window = 16;
    Relax relax = relax_start(1, -0.25, 0.2, 1);
    double before = try->criterion, off = before, *both[] = {x, x + try->flow->n};
    for (;;) {
        int64_t k = attempt_relax(try, NULL, relax.now, window, both, &off);
        off = attempt_offer(try, both[0]);
        if (attempt_met(try) || !isfinite(off) || try->why || try->status != PEPA_OK)
            return;
        if (k == 0)
            return;
        relax_next(&relax, log(off / before) / (double)k);
        before = off;
        if (attempt_stalls(try, off))
            return;
    }
}

/* Steady state or visits by Jacobi's method y <- y + f (P'y + b - y), the power method of the jump
 * chain; f starts at 1 and goes below where the iterates oscillate, as they do for periodic jump
 * chains.  3 vectors.  Source: Stewart 1994, ch. 3. */
const Method method_jacobi = {"jacobi", "sweeps", .passes = 1, .vectors = 2, .run = run};
