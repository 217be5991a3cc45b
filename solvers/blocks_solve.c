/* Sweeps over blocks, with the relaxation factor found on the way. */
#include "solvers/blocks.h"
#include "solvers/internal.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/room.h"

enum { SETTLING = 10 }; /* sweeps that tell nothing of those to come */

typedef struct {
    const Blocks *b;
    const Control *control;
    Watch watch;
    BlocksCoarse coarse;
    BlocksRoom room;
    double *x, *kept;
    double kept_measure;
    int64_t states, sweeps, max_iter;
    double measure; /* change per flow of the last sweep: the residual is less */
    double patience, left;
    bool cancelled, stalled, met;
} Solving;

/* Clip what is negative, of x or, where that leaves more, of -x, which is as good; scale to sum 1.
 * False: nothing that is finite is left. */
static bool settle(Solving *s)
{
    double above = 0, below = 0;
    for (int64_t i = 0; i < s->states; i++)
        if (s->x[i] > 0)
            above += s->x[i];
        else
            below -= s->x[i];
    double scale = above >= below ? 1 / above : -1 / below;
    if (!(above + below > 0) || !isfinite(scale) || scale == 0)
        return false;
    for (int64_t i = 0; i < s->states; i++) {
        double scaled = scale * s->x[i];
        s->x[i] = scaled > 0 ? scaled : 0;
    }
    return true;
}

static void start_equal(Solving *s)
{
    for (int64_t i = 0; i < s->states; i++)
        s->x[i] = 1 / (double)s->states;
}

/* `count` sweeps; false: cancelled, or there are none left. */
static bool sweep(Solving *s, double omega, int32_t count)
{
    for (int32_t k = 0; k < count; k++) {
        double flow;
        if (s->sweeps >= s->max_iter)
            return false;
        if (watch_cancels(&s->watch, s->b->entries, s->sweeps, s->measure)) {
            s->cancelled = true;
            return false;
        }
        bool last = k == count - 1;
        double change = blocks_sweep(s->b, s->x, omega, &s->room, last ? &flow : NULL);
        s->sweeps++;
        if (last)
            s->measure = change / (omega * fabs(flow));
    }
    return true;
}

/* The error is about the change times the sum of the powers of the factor by which it falls: sweeps
 * go on until that meets the tolerance, or the change is a hundredth of it. */
static double target(double tolerance, double slope)
{
    double sum = slope < 0 ? 1 / -expm1(slope) : HUGE_VAL;
    return tolerance / fmin(sum, 100);
}

/* A window of sweeps with the same factor: the first two are not judged, for they still show what
 * was done before. */
typedef struct {
    double slope;     /* mean change of the logarithm of the measure per sweep, and per work */
    bool over, wrong; /* nothing more is to be done; it went astray, and was set right */
} Window;

/* Sweeps until the target is met, if the measure goes on to fall by this slope; no more than rest.
 */
static int32_t length(const Solving *s, double slope, int32_t rest)
{
    double goal = target(s->control->tolerance, slope);
    double needed = slope < 0 ? ceil(log(goal / s->measure) / slope) : rest;
    return needed < 1 ? 1 : needed < rest ? (int32_t)needed : rest;
}

/* slope: of the window before, if it was like this one; else 0. */
static Window run(Solving *s, double omega, bool aggregate, double slope)
{
    enum { FIRST = 2, REST = 8, EVERY = 2 };
    Window w = {0};
    double work = aggregate ? 1.5 : 1; /* per sweep, in sweeps */
    if (aggregate)
        blocks_aggregate(&s->coarse, s->b, s->x);
    if (!sweep(s, omega, FIRST))
        return (Window){.over = true};
    double before = s->measure;
    int32_t rest = length(s, slope * work, REST);
    for (int32_t k = 0; k < rest; k += EVERY) {
        if (aggregate)
            blocks_aggregate(&s->coarse, s->b, s->x);
        if (!sweep(s, omega, aggregate ? EVERY : rest))
            return (Window){.over = true};
        if (!aggregate)
            break;
    }
    w.slope = log(s->measure / before) / rest / work;
    w.wrong = !isfinite(s->measure) || !(s->measure < 100 * before) || !isfinite(w.slope);
    if (w.wrong && !settle(s))
        start_equal(s);
    if (!w.wrong && s->measure <= target(s->control->tolerance, w.slope * work)) {
        /* over-relaxed entries may be negative: a plain sweep decides */
        w.over = omega == 1 || !settle(s) || !sweep(s, 1, 1) || s->measure <= s->control->tolerance;
    }
    return w;
}

/* What a trial that fails does is undone: it may have put mass where sweeps need long to get it
 * from.
 */
static void keep(Solving *s)
{
    memcpy(s->kept, s->x, (size_t)s->states * sizeof *s->x);
    s->kept_measure = s->measure;
}

static void restore(Solving *s)
{
    memcpy(s->x, s->kept, (size_t)s->states * sizeof *s->x);
    s->measure = s->kept_measure;
}

/* More sweeps seem to be left at this pace than the caller has patience for. */
static bool stalls(Solving *s, double slope)
{
    const int64_t least = 60; /* sweeps before that can be said */
    double way = log(s->measure / target(s->control->tolerance, slope));
    s->left = slope < 0 ? way / -slope : HUGE_VAL;
    s->stalled = s->sweeps >= least && s->left > s->patience;
    return s->stalled;
}

/* Climb to the factor with the steepest fall, and look round from there now and then, in ever
 * smaller steps and ever longer times. */
static void relaxed(Solving *s, Window now)
{
    const double least_step = 0.02, low = 0.3, high = 1.95;
    double best = 1, fall = now.slope, step = now.slope < -0.003 ? 0.1 : -0.1;
    for (int32_t rest = 1; !now.over; rest += 2) {
        bool gained = false;
        for (;;) { /* onwards while it gains */
            double trial = fmin(fmax(best + step, low), high);
            keep(s);
            now = run(s, trial, false, 0);
            if (now.over)
                return;
            if (now.wrong || now.slope >= 0.98 * fall || trial == best) {
                restore(s);
                break;
            }
            best = trial;
            fall = now.slope;
            gained = true;
        }
        step = gained || fabs(step) < 2 * least_step ? -step / 2 : -step;
        if (fabs(step) < least_step)
            step = step > 0 ? least_step : -least_step;
        if (stalls(s, fall))
            return;
        for (int32_t k = 0; k < rest && !now.over; k++) {
            now = run(s, best, false, k > 0 ? now.slope : 0);
            if (now.wrong)
                best = fmax(best - 0.1, low);
            fall = now.wrong ? HUGE_VAL : now.slope;
        }
    }
}

static void iterate(Solving *s, bool adapt)
{
    const double quick = -0.3, slow = -0.03, idle = -0.01; /* for 100, 1000, 3000 sweeps */
    if (!sweep(s, 1, 1) || s->measure <= target(s->control->tolerance, 0) ||
        !sweep(s, 1, SETTLING - 1))
        return;
    Window plain = run(s, 1, false, 0);
    while (!plain.over && (!adapt || plain.slope < quick))
        plain = run(s, 1, false, plain.slope);
    if (plain.over)
        return;
    if (room_for(s->control->memory, (double)s->states * sizeof *s->kept))
        s->kept = mem_alloc((size_t)s->states, sizeof *s->kept);
    while (!s->kept && !plain.over) /* no room to try anything */
        plain = run(s, 1, false, plain.slope);
    if (plain.over)
        return;
    keep(s);
    Window joined = run(s, 1, true, 0);
    for (int32_t k = 0; k < 2 && !joined.over && joined.slope > idle; k++)
        joined = run(s, 1, true, 0); /* what was moved far has to settle first */
    bool better = joined.slope < fmin(1.5 * plain.slope, slow);
    if (!joined.over && (joined.wrong || !better))
        restore(s);
    while (!joined.over && !joined.wrong && joined.slope < fmin(1.5 * plain.slope, slow))
        joined = run(s, 1, true, joined.slope);
    if (!joined.over)
        relaxed(s, plain);
}

static void solve(Solving *s, bool adapt, Outcome *out)
{
    double by_time;
    if (!settle(s))
        start_equal(s);
    iterate(s, adapt);
    if (!settle(s))
        start_equal(s);
    out->iterations = s->sweeps;
    out->residual = blocks_residual(s->b, s->x, &s->room, &by_time);
    s->met = out->residual <= s->control->tolerance && by_time <= s->control->tolerance;
}

PepaStatus solve_blocks(const Blocks *blocks, PepaMethod method, int32_t threads, double patience,
                        const Control *control, double *pi, Outcome *out, PepaError *err)
{
    bool plain = method == PEPA_GAUSS_SEIDEL;
    Solving s = {.b = blocks,
                 .control = control,
                 .watch = watch_start(control),
                 .x = pi,
                 .states = blocks->offset[blocks->blocks],
                 .max_iter = control->max_iter > 0 ? control->max_iter : 100000,
                 .measure = 1,
                 .patience = patience};
    *out = (Outcome){.method = plain ? "gauss-seidel" : "sor", .residual = HUGE_VAL};
    s.watch.method = out->method;
    bool ok = blocks_room_init(&s.room, blocks, threads) && blocks_coarse_init(&s.coarse, blocks);
    if (ok)
        solve(&s, !plain, out);
    mem_free(s.kept);
    blocks_room_free(&s.room);
    blocks_coarse_free(&s.coarse);
    if (!ok)
        return error_memory(err);
    if (s.cancelled)
        return error_set(err, PEPA_ECANCEL, "%s: cancelled", out->method);
    if (s.met)
        return PEPA_OK;
    out->left = s.left;
    return error_set(err, PEPA_ENOCONV, "%s %s at %.1e after %lld sweeps", out->method,
                     s.stalled ? "stalled" : "ran out of iterations", out->residual,
                     (long long)s.sweeps);
}
