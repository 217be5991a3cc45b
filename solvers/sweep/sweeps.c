/* Methods that relax all states in turn, or at once: Gauss-Seidel, SOR, Jacobi, power. */
#include "solvers/internal.h"

#include <math.h>
#include <string.h>

Relax relax_start(double factor, double step, double low, double high)
{
    return (Relax){.now = factor,
                   .best = factor,
                   .fall = HUGE_VAL,
                   .step = step,
                   .low = low,
                   .high = high};
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* The best factor is run again after every failed trial: its slope of long ago, when other error
 * components still prevailed, is no measure for today's trials.  If errors grow with
 * it, which may take a while to show, no larger factor is tried again. */
void relax_next(Relax *relax, double slope)
{
    const double least_step = 0.005, retreat = 0.1;
    if (relax->now == relax->best && !(slope <= 0)) {
        relax->high = fmax(relax->best, relax->low);
        relax->best = relax->now = clamp(relax->best - retreat, relax->low, relax->high);
        relax->step = -retreat / 2;
        relax->fall = HUGE_VAL;
        return;
    }
    if (relax->now == relax->best) {
        relax->fall = slope;
    } else if (slope < relax->fall) {
        relax->best = relax->now;
        relax->fall = slope;
        relax->step *= 1.5;
    } else {
        relax->now = relax->best;
        relax->step *= -0.5;
        return;
    }
    double trial = clamp(relax->best + relax->step, relax->low, relax->high);
    if (trial == relax->best) {
        relax->step *= -0.5;
        trial = clamp(relax->best + relax->step, relax->low, relax->high);
    }
    if (fabs(relax->step) >= least_step)
        relax->now = trial;
    else
        relax->step *= 1.2; /* stay for a while, then look around again */
}

/* The true residual costs as much as a sweep.  In between it is taken to be in proportion to the
 * sweep's own changes; `share` is that proportion when last measured, at most 1 in theory.  Where
 * jumps hardly ever lead back, a sweep from one state may leave no probability at all: then sweeps
 * begin again from equal shares. */
static void plain_sweeps(Attempt *try, double *x)
{
    double share = 1, measure = try->criterion;
    int64_t due = 4;
    bool again = false;
    while (attempt_step(try, 1, measure)) {
        double change = flow_sweep(try->flow, x);
        measure = share * change;
        if (measure > try->control->tolerance && try->iterations < due)
            continue;
        measure = attempt_offer(try, x);
        if (!isfinite(measure) && !again) {
            again = true;
            try->why = NULL;
            flow_equal_shares(try->flow->n, x);
            continue;
        }
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

static void run_gauss_seidel(Attempt *try, double *x)
{
    plain_sweeps(try, x);
    if (!attempt_met(try))
        (void)attempt_offer(try, x);
}

/* Steady state or visits by Gauss-Seidel sweeps in the order of the states, y_i = (P'y + b)_i in
 * place.  nnz work per sweep; 2 vectors.  Source: Stewart 1994, ch. 3. */
const Method method_gauss_seidel = {"gauss-seidel", "sweeps", .passes = 1, .vectors = 1,
                                    .run = run_gauss_seidel};

/* Young's best factor for consistently ordered matrices with real eigenvalues, from the ratio of
 * convergence with factor 1: where those assumptions do not hold still a good first trial. */
static double young(double slope)
{
    return 2 / (1 + sqrt(-expm1(slope < 0 ? slope : -1e-6)));
}

/* Factors are judged by the flow alone: weighted by time, damping can look like progress.
 * Windows of sweeps with one factor each: the nearer to 2, the longer it takes for the asymptotic
 * ratio to show.  A window that made things much worse is taken back. */
static void run_sor(Attempt *try, double *x)
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
const Method method_sor = {"sor", "sweeps", .passes = 1, .vectors = 1, .run = run_sor};

/* Steps of flow_relax, at most `most`, until *off, what the last one measured, is within the
 * tolerance.  x[0]: the iterate, which changes places with x[1].  How many steps were made. */
static int64_t relax_steps(Attempt *try, const double *pace, double factor, int64_t most,
                           double *x[2], double *off)
{
    int64_t k = 0;
    for (; *off > try->control->tolerance && k < most && attempt_step(try, 1, *off); k++) {
        *off = flow_relax(try->flow, pace, factor, x[0], x[1]);
        double *swap = x[0];
        x[0] = x[1];
        x[1] = swap;
    }
    return k;
}

/* Windows of steps with one damping factor each.  The step itself measures the iterate it leaves;
 * the sum of a steady-state iterate is preserved, so that no division is needed to compare. */
static void run_jacobi(Attempt *try, double *x)
{
    const int32_t window = 16;
    Relax relax = relax_start(1, -0.25, 0.2, 1);
    double before = try->criterion, off = before, *both[] = {x, x + try->flow->n};
    for (;;) {
        int64_t k = relax_steps(try, NULL, relax.now, window, both, &off);
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
const Method method_jacobi = {"jacobi", "sweeps", .passes = 1, .vectors = 2, .run = run_jacobi};

/* pace_i = d_i / Lambda with Lambda a little above the largest rate, so that every state has a
 * self-loop and the uniformised chain is aperiodic.  Without rates all states are alike. */
static bool uniformise(const Flow *flow, double *pace)
{
    double most = 0;
    for (int32_t i = 0; i < flow->n; i++) {
        pace[i] = flow->exit ? flow->exit[i] : 1;
        if (!(pace[i] > 0 && isfinite(pace[i])))
            return false;
        if (pace[i] > most)
            most = pace[i];
    }
    for (int32_t i = 0; i < flow->n; i++)
        pace[i] = pace[i] / most / 1.02;
    return true;
}

/* Steps of pi_i = y_i / d_i. */
static void iterate(Attempt *try, const double *pace, double *x, double *next)
{
    double off = try->criterion, *both[] = {x, next};
    int64_t due = 16;
    for (;;) {
        (void)relax_steps(try, pace, 1, due - try->iterations, both, &off);
        off = attempt_offer(try, both[0]);
        if (attempt_met(try) || try->why || try->status != PEPA_OK)
            return;
        if (try->iterations < due)
            due = try->iterations + 1;
        else
            due += 16;
        if (attempt_stalls(try, off))
            return;
    }
}

static void run_power(Attempt *try, double *x)
{
    double *next = x + try->flow->n, *pace = next + try->flow->n;
    if (uniformise(try->flow, pace))
        iterate(try, pace, x, next);
    else
        try->why = "met exit rates that are not > 0";
}

/* Steady state or visits by pi <- pi (I + Q / Lambda), Lambda = 1.02 max d.  Slow when exit rates
 * differ by orders of magnitude.  4 vectors.  Source: Stewart 1994, ch. 3. */
const Method method_power = {"power", "steps", .passes = 1, .vectors = 3, .run = run_power};
