/* The steady state, or expected visits, by sparse LU factors. */
#include "solvers/direct/factors.h"

#include <math.h>
#include <string.h>

/* Solve with the factors, and refine at least once and while that helps.
 *   x, r, trial  n entries of work space; `fixed` is the state whose flow is set to 1, or -1 */
static void solve_factored(Attempt *try, Factors *f, int32_t fixed, double *x, double *r,
                           double *trial)
{
    const int32_t most = 10;
    size_t n = (size_t)try->flow->n;
    double last = HUGE_VAL;
    memset(x, 0, n * sizeof *x);
    if (fixed >= 0)
        x[fixed] = 1;
    for (int32_t round = 0; round < most; round++) {
        (void)flow_defect(try->flow, x, r);
        if (!factors_correct(f, r, x))
            return;
        memcpy(trial, x, n * sizeof *x);
        double now = attempt_answer(try, trial);
        if (round > 0 && (attempt_met(try) || !(now < 0.5 * last)))
            return;
        last = now;
    }
}

/* A zero pivot is a matter of rounding: a slight shift overcomes it, and refinement the shift. */
static void factor_and_solve(Attempt *try, int32_t fixed, double *x)
{
    const double shifts[] = {0, 1e-14};
    PepaStatus status = PEPA_ENOCONV;
    for (int32_t k = 0; k < 2 && status == PEPA_ENOCONV; k++) {
        Factors f = {0};
        status = factors_make(&f, try->flow, fixed, shifts[k], try->control);
        if (status == PEPA_OK)
            solve_factored(try, &f, fixed, x, x + try->flow->n, x + 2 * (size_t)try->flow->n);
        factors_free(&f);
    }
    if (status == PEPA_ENOCONV)
        try->why = "found a zero pivot";
    else
        try->status = status;
}

static int32_t largest(int32_t n, const double *x)
{
    int32_t most = 0;
    for (int32_t i = 1; i < n; i++)
        if (fabs(x[i]) > fabs(x[most]))
            most = i;
    return most;
}

/* Which flow to fix.  One that is tiny among the others leaves a matrix that is singular to working
 * accuracy.  Solving with that matrix is a step of inverse iteration: it amplifies the large flows,
 * possibly with the wrong sign.  So a failure tells which flow to fix instead. */
static void run(Attempt *try, double *x)
{
    const int32_t sweeps = 20, choices = 4;
    const Flow *flow = try->flow;
    for (int32_t k = 0; !flow->b && k < sweeps; k++)
        (void)flow_sweep(flow, x);
    for (int32_t k = 0, fixed = -1; k < choices; k++) {
        int32_t before = fixed;
        fixed = flow->b ? -1 : largest(flow->n, x);
        if (k > 0 && fixed == before)
            return;
        factor_and_solve(try, fixed, x);
        if (try->status == PEPA_OK && monitor_cancels(&try->monitor, INT32_MAX, 0, try->criterion))
            try->status = PEPA_ECANCEL;
        if (try->status != PEPA_OK || attempt_met(try))
            return;
    }
}

/* Steady state or visits by sparse LU factors of I - P' (without one equation and unknown for the
 * steady state), ordered by AMD for little fill-in, and iterative refinement.  Cannot be cancelled
 * while it factorises.  PEPA_ELIMIT when the factors would exceed 2e8 entries or take hours.
 * Source: Davis, Palamadai Natarajan, ACM TOMS 37 (2010), algorithm 907. */
const Method method_direct = {"direct", "steps", .passes = 1, .vectors = 3, .run = run};
