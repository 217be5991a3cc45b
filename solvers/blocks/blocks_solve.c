/* Steady states by sweeps over blocks, accelerated by relaxation, extrapolation and aggregation. */
#include "solvers/blocks/blocks.h"
#include "solvers/blocks/extrapolate.h"
#include "solvers/blocks/tuning.h"
#include "solvers/internal.h"

#include <math.h>

typedef struct {
    Attempt try;
    const Blocks *b;
    BlocksWorkspace work;
    BlocksCoarse coarse; /* once blocks have been aggregated */
    History history;
    double *x;
    int64_t states;
    double patience, cost; /* as of solve_blocks; of a sweep */
    double tolerance;      /* of measure */
    double measure;        /* change per flow of the last sweep: the residual is less */
    /* Of its logarithm per sweep: in the last half of a window, in the flatter of the last two of
     * these, and in all of a window. */
    double steep, slope, fall;
    double wanted;  /* slope of the first half without which a window ends there */
    double settled; /* measure after the first sweeps, which were so many */
    int64_t settling;
    int32_t every;     /* sweeps from one iterate that is remembered to the next */
    int32_t place;     /* in the window: sweeps done */
    bool joined;       /* blocks are aggregated before sweeps */
    bool extrapolated; /* at least once */
} Solving;

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

/* What comes before some of the sweeps of a window. */
static void prepare(Solving *s)
{
    if (s->history.count < s->history.most && s->history.most > 1)
        history_add(&s->history, s->x);
    if (s->joined)
        blocks_aggregate(s->b, s->x, &s->coarse);
}

/* Whether another sweep follows, in all processes.  They are asked before several sweeps once, so as
 * not to wait for each other: one that is cancelled goes on until then.  A limit on iterations is the
 * same in all. */
static bool goes_on(Solving *s, bool asks)
{
    Attempt *try = &s->try;
    const bool limited = try->iterations >= try->max_iter;
    const bool mine = try->status == PEPA_OK && attempt_step(try, 1, s->measure);
    if (!asks && !limited) {
        try->iterations += !mine;
        return true;
    }
    if (blocks_agree(s->b, mine))
        return true;
    if (mine)
        try->status = PEPA_ECANCEL; /* by another one */
    return false;
}

static void sweep_once(Solving *s, double omega, BlocksTally *tally)
{
    if (s->place % s->every == 0)
        prepare(s);
    blocks_sweep(s->b, s->x, omega, &s->work, tally);
    s->place++;
}

/* `count` sweeps, the last of them measured.  False: cancelled, or there are none left. */
static bool sweep(Solving *s, double omega, int32_t count)
{
    BlocksTally tally;
    for (int32_t k = 0; k < count; k++) {
        if (!goes_on(s, k == 0))
            return false;
        sweep_once(s, omega, k == count - 1 ? &tally : NULL);
    }
    blocks_finish(s->b);
    blocks_sum(s->b, (double *)&tally, 2);
    s->measure = tally.change / (omega * fabs(tally.flow));
    return true;
}

/* The error is about the change times the sum of the powers of the factor by which it falls: sweeps
 * go on until that meets the tolerance, or the change is a hundredth of it. */
static double target(double tolerance, double slope)
{
    double sum = slope < 0 ? 1 / -expm1(slope) : HUGE_VAL;
    return tolerance / fmin(sum, 100);
}

static bool arrived(const Solving *s)
{
    return s->measure <= target(s->tolerance, s->slope);
}

/* A sweep and an aggregation, in sweeps; of one process, so that decisions do not depend on their number. */
static double joint_cost(const Solving *s)
{
    const double edges = (double)s->coarse.row[s->coarse.blocks];
    return 1 + AGGREGATION + COARSE_SWEEPS * COARSE_EDGE * edges / s->cost;
}

/* Sweeps until the target is met if the measure keeps falling by `slope`. */
static double needed(const Solving *s, double slope)
{
    return slope < 0 ? log(target(s->tolerance, s->slope) / s->measure) / slope : HUGE_VAL;
}

/* The same as a whole number, at most `most`. */
static int32_t length(const Solving *s, double slope, int32_t most)
{
    double sweeps = ceil(needed(s, slope));
    return sweeps < 1 ? 1 : sweeps < most ? (int32_t)sweeps : most;
}

static bool can_go_back(const Solving *s)
{
    return s->history.count < s->history.most;
}

typedef enum { WINDOW_FULL, WINDOW_LAST, WINDOW_DIVERGED, WINDOW_SLOW } WindowEnd;

static bool diverges(const Solving *s, double start)
{
    const double worse = 10;
    return !(s->measure < (can_go_back(s) ? worse * start : HUGE_VAL));
}

/* Of the last half of a window. */
static void note_slope(Solving *s, double slope)
{
    s->slope = s->steep < 0 ? fmax(slope, s->steep) : slope;
    s->steep = slope;
}

/* A window: sweeps of one kind, or as many of them as seem to be needed.  WINDOW_LAST: no further
 * sweep is needed or allowed; WINDOW_DIVERGED: the measure has grown much; WINDOW_SLOW: it does not fall as is
 * wanted. */
static WindowEnd run_up_to(Solving *s, double omega, int32_t window)
{
    const int32_t ends[] = {1, window / 2, window};
    double start = s->measure, first = start, slope = s->fall;
    bool whole = true;
    history_clear(&s->history);
    s->place = 0;
    for (int32_t k = 0; k < 3 && whole; k++) {
        int32_t end = ends[k], from = s->place;
        if (end == from) /* half of a short window */
            continue;
        double before = s->measure;
        if (k > 0) { /* whole steps from one iterate that is remembered to the next */
            end = from + length(s, slope, end - from);
            end = (end + s->every - 1) / s->every * s->every;
            end = end < ends[k] ? end : ends[k];
            whole = end == ends[k];
        }
        if (!sweep(s, omega, end - from))
            return WINDOW_LAST;
        if (diverges(s, start))
            return WINDOW_DIVERGED;
        if (k == 0)
            first = s->measure;
        else
            slope = log(s->measure / before) / (end - from);
        if (k == 2)
            note_slope(s, slope);
        if (arrived(s))
            return WINDOW_LAST;
        if (k == 1 && slope > s->wanted)
            return WINDOW_SLOW;
    }
    s->fall = log(s->measure / first) / (s->place - 1);
    return WINDOW_FULL;
}

/* The same by several processes that wait for each other at its end only. */
static WindowEnd run_on(Solving *s, double omega, int32_t window)
{
    const int32_t ends[] = {1, window / 2, window};
    const double start = s->measure;
    BlocksTally tally[3];
    double measure[3];
    history_clear(&s->history);
    s->place = 0;
    for (int32_t k = 0; k < 3; k++)
        while (s->place < ends[k]) {
            if (!goes_on(s, s->place == 0))
                return WINDOW_LAST;
            sweep_once(s, omega, s->place + 1 == ends[k] ? &tally[k] : NULL);
        }
    blocks_finish(s->b);
    blocks_sum(s->b, (double *)tally, 6);
    for (int k = 0; k < 3; k++)
        measure[k] = tally[k].change / (omega * fabs(tally[k].flow));
    s->measure = measure[2];
    if (diverges(s, start))
        return WINDOW_DIVERGED;
    note_slope(s, log(measure[2] / measure[1]) / (window - ends[1]));
    s->fall = log(measure[2] / measure[0]) / (window - 1);
    return arrived(s) ? WINDOW_LAST : WINDOW_FULL;
}

/* The slope of all sweeps after the first ones: what extrapolation has gained is in it. */
static double overall(const Solving *s)
{
    return log(s->measure / s->settled) / (double)(s->try.iterations - s->settling);
}

static int32_t window_of(const Solving *s)
{
    return s->history.most > 1 ? s->every * s->history.most : PLAIN_WINDOW;
}

/* Near the end, as at the beginning, it pays to look how far one is. */
static WindowEnd run(Solving *s, double omega)
{
    const int32_t window = window_of(s);
    const bool far =
        s->try.iterations >= LOOKING_SWEEPS && needed(s, fmin(s->fall, overall(s))) > 2 * window;
    return s->b->share && window > 3 && far ? run_on(s, omega, window)
                                            : run_up_to(s, omega, window);
}

/* Where sweeps have just been joined by aggregation, extrapolation makes the measure jump up between
 * windows, which the trend takes for stagnation; each window by itself may call for few. */
static bool promising(const Solving *s, double horizon)
{
    return s->joined && s->try.iterations < TELLING_SWEEPS &&
           fmax(needed(s, s->steep), needed(s, s->fall)) <= horizon;
}

/* Three measures say nothing of how many sweeps are left, and the history of the first sweeps says
 * little.  But neither the last window nor all sweeps so far may call for too many. */
static bool stalls(Solving *s)
{
    const bool told = s->try.trend.count >= 3, young = s->try.iterations < MANY_SWEEPS;
    const double early = told ? fmax(MANY_SWEEPS / (double)s->try.iterations, 1) : HUGE_VAL;
    const double horizon = s->patience / (s->joined ? s->cost * joint_cost(s) : s->cost);
    s->try.goal = target(s->tolerance, s->slope);
    s->try.rule.horizon = promising(s, horizon) ? HUGE_VAL : early * horizon;
    if (attempt_stalls(&s->try, s->measure))
        return true;
    return young && s->try.iterations >= FEW_SWEEPS &&
           attempt_gives_up(&s->try, needed(s, fmin(fmin(s->steep, s->fall), overall(s))), horizon);
}

/* Over-relaxed entries may be negative: a plain sweep decides. */
static bool ends(Solving *s, double omega)
{
    return s->try.status != PEPA_OK || s->try.iterations >= s->try.max_iter || omega == 1 ||
           !settle(s) || !sweep(s, 1, 1) || s->measure <= s->tolerance;
}

/* Undo a window that diverged: x as it was before, if it was kept. */
static void go_back(Solving *s, bool kept, double measure)
{
    kept = kept && can_go_back(s);
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
    history_init(&s->history, s->states, 1, s->try.control->memory, s->work.workers,
                 blocks_processes(s->b));
    bool keep = s->history.most > 0;
    for (;;) {
        double start = s->measure;
        if (keep)
            history_keep(&s->history, s->x);
        WindowEnd end = run(s, relax.now);
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

/* A window with aggregation between sweeps.  If it is not much faster, which its first half shows as a rule, it is
 * undone: aggregation may have put mass where it takes sweeps long to move it away. */
static WindowEnd join(Solving *s)
{
    double measure = s->measure, slope = s->slope, fall = s->fall, steep = s->steep;
    s->joined = true;
    s->steep = 0;
    const double wanted = s->wanted = fmin(joint_cost(s) * JOIN_GAIN * steep, 0);
    WindowEnd end = run_up_to(s, 1, window_of(s));
    s->wanted = HUGE_VAL;
    if (end == WINDOW_LAST || (end == WINDOW_FULL && s->steep < wanted))
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
    history_init(&s->history, s->states, iterates, s->try.control->memory, s->work.workers,
                 blocks_processes(s->b));
    for (int32_t windows = 0;; windows++) {
        double start = s->measure;
        bool slow = length(s, s->slope, SLOW_SWEEPS) == SLOW_SWEEPS;
        const bool joins = windows == trial && slow && s->history.most > 1 && can_aggregate(s);
        WindowEnd end = joins ? join(s) : run(s, omega);
        if (end == WINDOW_LAST)
            return;
        if (end == WINDOW_DIVERGED)
            go_back(s, moved, start);
        moved =
            end == WINDOW_FULL && s->history.count > 1 && history_extrapolate(&s->history, s->x);
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
    const bool swept = sweep(s, 1, 1);
    if (s->try.first == 0)
        s->try.first = s->measure;
    if (!swept || arrived(s) || !sweep(s, 1, SETTLING - 1))
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
