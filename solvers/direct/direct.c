/* The steady state, or expected visits, by sparse LU factors. */
#include "solvers/direct/factors.h"

#include <math.h>
#include <string.h>

/* Solve with the factors, and refine at least once and while that helps.
 *   x, r, trial  n entries of work space */
static void solve_factored(Attempt *try, Factors *f, double *x, double *r, double *trial)
{
    const int32_t most = 10;
    size_t n = (size_t)try->flow->n;
    double last = HUGE_VAL;
    memset(x, 0, n * sizeof *x);
    if (f->fixed >= 0)
        x[f->fixed] = 1;
    for (int32_t round = 0; round < most; round++) {
        (void)flow_defect(try->flow, x, r);
        factors_correct(f, r, x);
        memcpy(trial, x, n * sizeof *x);
        double now = attempt_answer(try, trial);
        if (round > 0 && (attempt_met(try) || !(now < 0.5 * last)))
            return;
        last = now;
    }
}

/*   fixed  the state whose flow is set to 1; -1: those with b
 *   x      3 n entries of work space */
static void factor_and_solve(Attempt *try, int32_t fixed, double *x)
{
    const Flow *flow = try->flow;
    double *r = x + flow->n, *trial = r + flow->n;
    Factors f = {0};
    PepaStatus status = flow->b && !flow_ways_out(flow, trial) ? PEPA_ENOMEM : PEPA_OK;
    if (status == PEPA_OK)
        status = factors_analyse(&f, flow, ROWS_OF_SOURCES, fixed, try->control);
    if (status == PEPA_OK)
        status = factors_make(&f, flow->b ? trial : NULL, try->control);
    if (status == PEPA_OK)
        solve_factored(try, &f, x, r, trial);
    factors_free(&f);
    if (status == PEPA_ENOCONV)
        try->why = "met chances too small for doubles";
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
        if (try->status != PEPA_OK || attempt_met(try))
            return;
    }
}

/* Steady state or visits by sparse LU factors of I - P' (without one equation and unknown for the
 * steady state), ordered by AMD for little fill-in, and iterative refinement.  PEPA_ELIMIT when the
 * factors would exceed LU_ENTRIES or take hours. */
const Method method_direct = {"direct", "steps", .passes = 1, .vectors = 3, .run = run};
