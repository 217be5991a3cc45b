/* Sweeps in windows, by one process or by several that share the blocks. */
#include "solvers/blocks/blocks_window.h"
#include "solvers/blocks/tuning.h"

#include <math.h>

/* What comes before some of the sweeps of a window.  True: the sweep is to keep x at *was, which takes
 * less time than to copy it. */
static bool prepare(Solving *s, Iterate *was)
{
    const bool keeps = s->history.count < s->history.most && s->history.most > 1;
    if (!s->joined) {
        if (keeps)
            *was = history_next(&s->history);
        return keeps;
    }
    if (keeps)
        history_add(&s->history, s->x);
    blocks_aggregate(s->b, s->x, &s->coarse);
    return false;
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
    Iterate was;
    const bool keeps = s->place % s->every == 0 && prepare(s, &was);
    blocks_sweep(s->b, s->x, omega, &s->work, keeps ? &was : NULL, tally);
    s->place++;
}

bool window_sweep(Solving *s, double omega, int32_t count)
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

double window_target(double tolerance, double slope)
{
    double sum = slope < 0 ? 1 / -expm1(slope) : HUGE_VAL;
    return tolerance / fmin(sum, 100);
}

bool window_arrived(const Solving *s)
{
    return s->measure <= window_target(s->tolerance, s->slope);
}

double window_joint_cost(const Solving *s)
{
    const double edges = (double)s->coarse.row[s->coarse.blocks];
    return 1 + AGGREGATION + COARSE_SWEEPS * COARSE_EDGE * edges / s->cost;
}

double window_needed(const Solving *s, double slope)
{
    return slope < 0 ? log(window_target(s->tolerance, s->slope) / s->measure) / slope : HUGE_VAL;
}

int32_t window_length(const Solving *s, double slope, int32_t most)
{
    double sweeps = ceil(window_needed(s, slope));
    return sweeps < 1 ? 1 : sweeps < most ? (int32_t)sweeps : most;
}

bool window_can_go_back(const Solving *s)
{
    return s->history.count < s->history.most;
}

static bool diverges(const Solving *s, double start)
{
    const double worse = 10;
    return !(s->measure < (window_can_go_back(s) ? worse * start : HUGE_VAL));
}

/* Of the last half of a window. */
static void note_slope(Solving *s, double slope)
{
    s->slope = s->steep < 0 ? fmax(slope, s->steep) : slope;
    s->steep = slope;
}

WindowEnd window_run_up_to(Solving *s, double omega, int32_t window)
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
            end = from + window_length(s, slope, end - from);
            end = (end + s->every - 1) / s->every * s->every;
            end = end < ends[k] ? end : ends[k];
            whole = end == ends[k];
        }
        if (!window_sweep(s, omega, end - from))
            return WINDOW_LAST;
        if (diverges(s, start))
            return WINDOW_DIVERGED;
        if (k == 0)
            first = s->measure;
        else
            slope = log(s->measure / before) / (end - from);
        if (k == 2)
            note_slope(s, slope);
        if (window_arrived(s))
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
    return window_arrived(s) ? WINDOW_LAST : WINDOW_FULL;
}

double window_overall(const Solving *s)
{
    return log(s->measure / s->settled) / (double)(s->try.iterations - s->settling);
}

int32_t window_size(const Solving *s)
{
    return s->history.most > 1 ? s->every * s->history.most : PLAIN_WINDOW;
}

/* Near the end, as at the beginning, it pays to look how far one is. */
WindowEnd window_run(Solving *s, double omega)
{
    const int32_t window = window_size(s);
    const bool far = s->try.iterations >= LOOKING_SWEEPS &&
                     window_needed(s, fmin(s->fall, window_overall(s))) > 2 * window;
    return s->b->share && window > 3 && far ? run_on(s, omega, window)
                                            : window_run_up_to(s, omega, window);
}
