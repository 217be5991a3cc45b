/* Successive over- and under-relaxation. */
#include "solvers/internal.h"

#include <math.h>
#include <string.h>

/* Young's best factor for consistently ordered matrices with real eigenvalues, from the ratio of
 * convergence with factor 1: where those assumptions do not hold still a good first trial. */
static double young(double slope)
{
    return 2 / (1 + sqrt(-expm1(slope < 0 ? slope : -1e-6)));
}

/* Factors are judged by the flow alone: weighted by time, damping can look like progress.
 * Windows of sweeps with one factor each: the nearer to 2, the longer it takes for the asymptotic
 * ratio to show.  A window that made things much worse is taken back. */
static void run(Attempt *try, double *x)
{
    Relax relax = relax_start(1, 0.2, 0.2, 1.995);
    double before = try->residual;
    for (int64_t windows = 0;; windows++) {
        int32_t k = 0, window = (int32_t)fmin(20 / (2 - relax.now), 1000);
        for (; k < window && attempt_step(try, 1, before); k++)
            flow_sweep_relaxed(try->flow, x, relax.now);
        double slope = HUGE_VAL;
        (void)attempt_offer(try, x);
        if (attempt_met(try) || k < window)
            return;
        double after = flow_residual(try->flow, x);
        if (after <= 10 * before) {
            slope = log(after / before) / window;
            before = after;
        } else {
            memcpy(x, try->y, (size_t)try->flow->n * sizeof *x);
            before = try->residual;
            try->why = NULL;
        }
        if (windows == 3)
            relax.step = young(slope) - 1;
        if (windows >= 3)
            relax_next(&relax, slope);
        if (attempt_stalls(try, before))
            return;
    }
}

/* Steady state or visits by SOR, y_i += omega (P'y + b - y)_i in place, with omega found on the
 * way: above 1 where errors die out slowly without oscillating, below 1 for chains with (almost)
 * periodic behaviour.  2 vectors.  Source: Young, Iterative Solution of Large Linear Systems, 1971,
 * ch. 6; Stewart 1994, ch. 3. */
const Method method_sor = {"sor", "sweeps", .passes = 1, .vectors = 1, .run = run};
