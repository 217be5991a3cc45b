/* Steady states by sweeps over blocks, accelerated by relaxation, extrapolation and aggregation. */
#include "solvers/blocks/blocks_window.h"
#include "solvers/blocks/tuning.h"

#include <math.h>

#include "base/budget.h"

static const char *method_name(const Solving *s, PepaMethod method)
{
    if (method == PEPA_SOR)
        return "sor";
    if (s->joined)
        return s->extrapolated ? "gauss-seidel with extrapolation and aggregation"
                               : "gauss-seidel with aggregation";
    return s->extrapolated ? "gauss-seidel with extrapolation" : "gauss-seidel";
}

static bool settle(Solving *s)
{
    const bool settled = blocks_normalise(s->b, s->x, &s->work);
    blocks_renew(s->b, s->x);
    return settled;
}

/* The same; equal shares where nothing finite is left. */
static void settle_anyhow(Solving *s)
{
    if (settle(s))
        return;
    double all = (double)s->states;
    blocks_sum(s->b, &all, 1);
    for (int64_t i = 0; i < s->states; i++)
        s->x[i] = 1 / all;
    blocks_renew(s->b, s->x);
}

/* Where sweeps have just been joined by aggregation, extrapolation makes the measure jump up between
 * windows, which the trend takes for stagnation; each window by itself may call for few. */
static bool promising(const Solving *s, double horizon)
{
    return s->joined && s->try.iterations < TELLING_SWEEPS &&
           fmax(window_needed(s, s->steep), window_needed(s, s->fall)) <= horizon;
}

/* Three measures say nothing of how many sweeps are left, and the history of the first sweeps says
 * little.  But neither the last window nor all sweeps so far may call for too many. */
static bool stalls(Solving *s)
{
    const bool told = s->try.trend.count >= 3, young = s->try.iterations < MANY_SWEEPS;
    const double early = told ? fmax(MANY_SWEEPS / (double)s->try.iterations, 1) : HUGE_VAL;
    const double horizon = s->patience / (s->joined ? s->cost * window_joint_cost(s) : s->cost);
    s->try.goal = window_target(s->tolerance, s->slope);
    s->try.rule.horizon = promising(s, horizon) ? HUGE_VAL : early * horizon;
    if (attempt_stalls(&s->try, s->measure))
        return true;
    return young && s->try.iterations >= FEW_SWEEPS &&
           attempt_gives_up(&s->try,
                            window_needed(s, fmin(fmin(s->steep, s->fall), window_overall(s))),
                            horizon);
}

/* Over-relaxed entries may be negative: a plain sweep decides. */
static bool ends(Solving *s, double omega)
{
    return s->try.status != PEPA_OK || s->try.iterations >= s->try.max_iter || omega == 1 ||
           !settle(s) || !window_sweep(s, 1, 1) || s->measure <= s->tolerance;
}

/* Undo a window that diverged: x as it was before, if it was kept. */
static void go_back(Solving *s, bool kept, double measure)
{
    kept = kept && window_can_go_back(s);
    s->measure = kept ? measure : 1;
    if (kept) {
        history_restore(&s->history, s->x);
        blocks_renew(s->b, s->x);
    } else {
        settle_anyhow(s);
    }
}

/* Between windows, and when it is cancelled. */
static void keep_iterate(Solving *s, PepaMethod method)
{
    const Keeper *keeper = s->try.control->keeper;
    if (!keeper || !keeper->due(keeper->user))
        return;
    const PepaProgress now = {.phase = "solve",
                              .count = s->try.iterations,
                              .measure = s->measure,
                              .method = method_name(s, method),
                              .slope = s->fall,
                              .left = -1};
    keeper->keep(keeper->user, s->x, &now);
}

/* Local search for the relaxation factor with the fastest convergence. */
static void relaxed(Solving *s)
{
    Relax relax = relax_start(1, 0.1, 0.3, 1.95);
    history_init(&s->history, s->states, 1, s->memory, s->work.workers, blocks_processes(s->b));
    bool keep = s->history.most > 0;
    for (;;) {
        double start = s->measure;
        if (keep)
            history_keep(&s->history, s->x);
        WindowEnd end = window_run(s, relax.now);
        if (end == WINDOW_LAST && ends(s, relax.now))
            return;
        if (end == WINDOW_DIVERGED)
            go_back(s, keep, start);
        relax_next(&relax, end == WINDOW_DIVERGED ? HUGE_VAL : s->slope);
        keep_iterate(s, PEPA_SOR);
        if (stalls(s))
            return;
    }
}

static bool can_aggregate(Solving *s)
{
    return s->coarse.blocks > 0 || blocks_coarse_new(&s->coarse, s->b);
}

/* Is there memory for copies that pass besides the history? */
static bool has_room(const Solving *s)
{
    return budget_allows(s->memory, history_bytes(&s->history) + blocks_passing_bytes(s->b));
}

/* A window with aggregation between sweeps.  If it is not much faster, which its first half shows as a rule, it is
 * undone: aggregation may have put mass where it takes sweeps long to move it away. */
static WindowEnd join(Solving *s)
{
    double measure = s->measure, slope = s->slope, fall = s->fall, steep = s->steep;
    s->joined = true;
    s->steep = 0;
    const double wanted = s->wanted = fmin(window_joint_cost(s) * JOIN_GAIN * steep, 0);
    const int32_t window = window_size(s);
    history_hold(&s->history, true);
    WindowEnd end = window_run_up_to(s, 1, window);
    s->wanted = HUGE_VAL;
    const bool pays = end == WINDOW_FULL && s->steep < wanted;
    s->coarse.lasts = pays && blocks_agree(s->b, has_room(s));
    if (end == WINDOW_LAST || pays)
        return end;
    history_first(&s->history, s->x);
    blocks_renew(s->b, s->x);
    history_clear(&s->history);
    s->joined = false;
    s->measure = measure;
    s->slope = slope;
    s->fall = fall;
    s->steep = steep;
    return WINDOW_FULL;
}

/* After every window the limit is extrapolated.  Where many sweeps seem to be left even so, windows
 * grow, since a few sweeps do not show slowly decaying errors.  Where the measure does not fall,
 * errors rotate, and damping helps. */
static void extrapolated(Solving *s, int32_t iterates)
{
    const double nowhere = -1e-3;
    const int32_t trial = 1; /* window */
    double omega = 1;
    bool moved = false;
    history_init(&s->history, s->states, iterates, s->memory, s->work.workers,
                 blocks_processes(s->b));
    for (int32_t windows = 0;; windows++) {
        double start = s->measure;
        bool slow = window_length(s, s->slope, SLOW_SWEEPS) == SLOW_SWEEPS;
        const bool joins = windows == trial && slow && s->history.most > 1 && can_aggregate(s);
        WindowEnd end = joins ? join(s) : window_run(s, omega);
        if (end == WINDOW_LAST)
            return;
        if (end == WINDOW_DIVERGED)
            go_back(s, moved, start);
        moved =
            end == WINDOW_FULL && s->history.count > 1 && history_extrapolate(&s->history, s->x);
        history_hold(&s->history, false);
        if (moved)
            blocks_renew(s->b, s->x);
        s->extrapolated = s->extrapolated || moved;
        keep_iterate(s, PEPA_AUTO);
        if (stalls(s))
            return;
        if (s->try.iterations < TELLING_SWEEPS)
            continue;
        if (s->try.left > SLOW_SWEEPS && s->every < WIDEST)
            s->every++;
        if (iterates > 0 && trend_slope(&s->try.trend) > nowhere)
            omega = DAMPED;
    }
}

static void iterate(Solving *s, PepaMethod method)
{
    const bool swept = window_sweep(s, 1, 1);
    if (s->try.first == 0)
        s->try.first = s->measure;
    if (!swept || window_arrived(s) || !window_sweep(s, 1, SETTLING - 1))
        return;
    s->settled = s->measure;
    s->settling = s->try.iterations;
    if (method == PEPA_SOR)
        relaxed(s);
    else
        extrapolated(s, method == PEPA_GAUSS_SEIDEL ? 0 : MOST_HISTORY);
}

/* The change of a sweep may be less than the residual weighted by time, where states out of balance
 * have long stays.  Then the tolerance of the change is reduced by that factor. */
static void solve(Solving *s, PepaMethod method)
{
    const double margin = 0.5, least = 1e-15;
    Attempt *try = &s->try;
    for (bool more = true; more; s->tolerance *= margin * fmin(try->goal / try->criterion, 1)) {
        double by_time;
        settle_anyhow(s);
        iterate(s, method);
        blocks_finish(s->b);
        if (try->status == PEPA_ECANCEL)
            keep_iterate(s, method);
        history_free(&s->history);
        settle_anyhow(s);
        blocks_renew_all(s->b, s->x);
        s->memory = budget_left(try->control->memory, blocks_passing_bytes(s->b));
        try->residual = blocks_residual(s->b, s->x, &s->work, &by_time);
        try->criterion = fmax(try->residual, by_time);
        try->goal = try->control->tolerance;
        more = !attempt_met(try) && !try->why && try->status == PEPA_OK && s->tolerance >= least;
    }
}

PepaStatus solve_blocks(const Blocks *blocks, PepaMethod method, int32_t threads, double patience,
                        const Control *control, double *pi, Outcome *out, PepaError *err)
{
    Solving s = {.b = blocks,
                 .x = pi,
                 .states = blocks->offset[blocks->blocks],
                 .memory = control->memory,
                 .patience = patience,
                 .cost = blocks_cost(blocks),
                 .tolerance = control->tolerance,
                 .measure = 1,
                 .wanted = HUGE_VAL,
                 .every = 1};
    const Method about = {.name = method_name(&s, method),
                          .unit = "sweeps",
                          .passes = 1,
                          .stall = {.patience = FEW_SWEEPS, .horizon = patience}};
    blocks_sum(blocks, &s.cost, 1);
    attempt_open(&s.try, &about, control, blocks->entries > 0 ? blocks->entries : 1);
    if (control->max_iter == 0)
        s.try.max_iter = 100000;
    if (blocks_agree(blocks, blocks_workspace_init(&s.work, blocks, threads)))
        solve(&s, method);
    else
        s.try.status = PEPA_ENOMEM;
    blocks_workspace_free(&s.work);
    blocks_coarse_free(&s.coarse);
    s.try.method = method_name(&s, method);
    PepaStatus status = attempt_report(&s.try, out, err);
    if (status == PEPA_ENOCONV && out->residual <= control->tolerance)
        return error_limit(err, PEPA_ENOCONV, err ? err->limit : PEPA_LIMIT_NONE,
                           "%s: states with rare visits and long stays are out of balance by %.1e "
                           "of the time after %lld sweep%s",
                           out->method, s.try.criterion, (long long)out->iterations,
                           out->iterations == 1 ? "" : "s");
    return status;
}
