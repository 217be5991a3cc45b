/* Measures in the long run, by long runs without their beginnings. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "measure/control.h"
#include "measure/seldom.h"
#include "measure/simulation.h"
#include "measure/warm_up.h"

enum {
    BINS = 512,         /* of time, after the first level; never more than twice as many */
    BATCHES = 32,       /* of one run */
    FORGOTTEN = 16,     /* of so many bins, one */
    PART = 4,           /* bins: what regressions see is the means of so many */
    MOST_CONTROLS = 160 /* what is explained by more is little */
};
#define EFFORT 0.1 /* of the most activities, where no width is asked for */
#define SURE   1.2 /* times the length that the widest interval asks for */

typedef struct {
    Trajectory trajectory;
    TrajectoryEnd end;
    double *bin; /* 2 x BINS rows: of each functional the mean over a bin, then of each control its
                  * surplus (observer_cut) per unit of time */
    bool over;   /* nothing can happen any more: `last` has the functionals for ever */
    double *last;
    double *integral, *surplus; /* per observed: of a bin */
} LongRun;

typedef struct {
    Simulation *s;
    const SimulationJob *job;
    SimulationClock clock;
    ObservePlan *observe;
    int32_t functionals,
        controls; /* the first of those observed, and which of them are controls: */
    int32_t *control;
    int32_t row; /* functionals + controls */
    Workers *workers;
    LongRun *run;     /* job->runs of them */
    double width;     /* of a bin, in time */
    int32_t bins, to; /* there are; there are to be */
    double *series;   /* 2 x BINS: of one functional, the mean of all runs */
    double *error;    /* the same: see warm_up_bins */
    double *observed; /* the observations, laid out as bins */
    double *part;     /* of one observation, the same */
    int32_t count;    /* of them */
    Control adjust;
    Moments moments;
    EstimateSlack *slack; /* per functional */
    int64_t fewest;       /* visits to a functional, */
    int32_t seldom;       /* which is this one; SELDOM_FEW or more: -1 */
} Steady;

static double *bin_of(const Steady *x, int64_t run, int32_t bin)
{
    return x->run[run].bin + (ptrdiff_t)bin * x->row;
}

/* ---- life ------------------------------------------------------------------------------------- */

static PepaStatus choose_controls(Steady *x, PepaError *err)
{
    PepaStatus status = simulation_observe(&x->observe, x->s, true, err);
    if (status != PEPA_OK)
        return status;
    if (!mem_new(x->control, MOST_CONTROLS))
        return error_memory(err);
    for (int32_t i = 0; i < x->observe->count && x->controls < MOST_CONTROLS; i++) {
        const ObservedKind kind = x->observe->observed[i].kind;
        if (kind == OBSERVE_FLOW || kind == OBSERVE_PRODUCT)
            x->control[x->controls++] = i;
    }
    x->functionals = expressions_functionals(x->s->e);
    x->row = x->functionals + x->controls;
    return PEPA_OK;
}

static PepaStatus run_open(Steady *x, int64_t r, PepaError *err)
{
    LongRun *run = &x->run[r];
    if (!mem_new(run->bin, (size_t)2 * BINS * (size_t)x->row) ||
        !mem_new(run->last, x->functionals) || !mem_new(run->integral, x->observe->count) ||
        !mem_new(run->surplus, x->observe->count))
        return error_memory(err);
    PepaStatus status = simulation_trajectory(&run->trajectory, x->s, x->observe, x->job, err);
    if (status == PEPA_OK)
        trajectory_start(&run->trajectory, x->job->seed, (uint64_t)r);
    return status;
}

static PepaStatus steady_open(Steady *x, PepaError *err)
{
    const int32_t threads = x->s->set->threads < MOST_WORKERS ? x->s->set->threads : MOST_WORKERS;
    const size_t most = x->job->runs > 1 ? (size_t)x->job->runs : BATCHES;
    PepaStatus status = choose_controls(x, err);
    if (status != PEPA_OK)
        return status;
    if (!mem_new_zeroed(x->run, x->job->runs) || !mem_new(x->series, 2 * BINS) ||
        !mem_new(x->error, 2 * BINS) || !mem_new(x->observed, most * (size_t)x->row) ||
        !mem_new(x->part, (size_t)2 * BINS / PART * (size_t)x->row) ||
        !control_new(&x->adjust, (int32_t)most, x->functionals, x->controls) ||
        !mem_new(x->slack, x->functionals) || !moments_new(&x->moments, &x->s->estimates))
        return error_memory(err);
    x->workers = workers_new(threads);
    if (!x->workers)
        return error_memory(err);
    for (int64_t r = 0; r < x->job->runs && status == PEPA_OK; r++)
        status = run_open(x, r, err);
    return status;
}

static void steady_close(Steady *x)
{
    workers_free(x->workers);
    for (int64_t r = 0; r < x->job->runs && x->run; r++) {
        trajectory_free(&x->run[r].trajectory);
        mem_free_all(x->run[r].bin, x->run[r].last, x->run[r].integral, x->run[r].surplus);
    }
    mem_free_all(x->run, x->series, x->error, x->observed, x->part, x->control, x->slack);
    control_free(&x->adjust);
    moments_free(&x->moments);
    observe_plan_free(x->observe);
}

/* ---- runs ------------------------------------------------------------------------------------- */

/* The width of a bin in which some activities happen.  The first level leaves room for runs of more than the mean; where
 * little is allowed it takes a third of it, and twice as many are more than half, where runs end. */
static PepaStatus choose_width(Steady *x, DiagList *diags, PepaError *err)
{
    double pace = x->job->pace;
    const double each = (double)x->job->activities / (double)x->job->runs,
                 first = each < 1.5 * SIMULATION_PILOT ? each / 3 : SIMULATION_PILOT;
    if (first < BINS)
        return error_limit(
            err, PEPA_ELIMIT, PEPA_LIMIT_SIMULATION,
            "in the long run %lld runs need %lld events at least: allow more, or ask "
            "for fewer runs",
            (long long)x->job->runs, (long long)x->job->runs * 3 * BINS);
    PepaStatus status = pace > 0 ? PEPA_OK : simulation_pace(x->s, x->job, &pace, diags, err);
    x->width = first / pace / BINS;
    return status;
}

/* The means over the bin from a time to where the run is.  What is constant has no error of rounding: the
 * width is that of the integrals. */
static void cut(const Steady *x, LongRun *run, double from, double *bin)
{
    const double width = run->trajectory.time - from;
    observer_cut(&run->trajectory.observer, run->trajectory.time, run->integral, run->surplus);
    for (int32_t i = 0; i < x->functionals; i++)
        bin[i] = run->integral[i] / width;
    for (int32_t i = 0; i < x->controls; i++)
        bin[x->functionals + i] = run->surplus[x->control[i]] / width;
}

static void extend(void *user, int32_t index, int32_t worker)
{
    Steady *x = user;
    LongRun *run = &x->run[index];
    Trajectory *t = &run->trajectory;
    const TrajectoryWatch watch = simulation_watch(&x->clock, worker);
    const int64_t most = x->job->activities / x->job->runs;
    run->end = TRAJECTORY_THERE;
    for (int32_t b = x->bins; b < x->to && run->end == TRAJECTORY_THERE; b++) {
        run->end = trajectory_until(t, (b + 1) * x->width, true, most, &watch);
        cut(x, run, b * x->width, bin_of(x, index, b));
    }
    if (simulation_run_ends(&x->clock, worker, t) && run->end == TRAJECTORY_THERE)
        run->end = TRAJECTORY_STOPPED;
    run->over = run->end == TRAJECTORY_THERE && trajectory_is_over(t);
    if (run->over) {
        observer_look(&t->observer);
        memcpy(run->last, t->observer.value, (size_t)x->functionals * sizeof *run->last);
    }
}

/* Two bins become one. */
static void merge_bins(Steady *x)
{
    for (int64_t r = 0; r < x->job->runs; r++)
        for (int32_t b = 0; b < BINS; b++)
            for (int32_t i = 0; i < x->row; i++)
                bin_of(x, r, b)[i] = (bin_of(x, r, 2 * b)[i] + bin_of(x, r, 2 * b + 1)[i]) / 2;
    x->bins = BINS;
    x->width *= 2;
}

/* `longer` times as long, or up to as many bins as there may be. */
static PepaStatus run_level(Steady *x, double longer, SimulationFound *found, DiagList *diags,
                            PepaError *err)
{
    if (x->bins == 2 * BINS)
        merge_bins(x);
    x->to = x->bins == 0 ? BINS : (int32_t)fmin(ceil(longer * x->bins), 2 * BINS);
    workers_run(x->workers, (int32_t)x->job->runs, extend, x);
    found->activities = 0;
    for (int64_t r = 0; r < x->job->runs; r++) {
        if (x->run[r].end != TRAJECTORY_THERE)
            return simulation_failed(x->s, x->job, x->run[r].end, r, diags, err);
        found->activities += x->run[r].trajectory.activities;
    }
    x->bins = x->to;
    found->length = x->bins * x->width;
    return PEPA_OK;
}

/* ---- analysis --------------------------------------------------------------------------------- */

/* The mean series of a functional over the runs that go on; false: there are none. */
static bool mean_series(Steady *x, int32_t functional)
{
    int64_t going = 0;
    memset(x->series, 0, 2 * BINS * sizeof *x->series);
    for (int64_t r = 0; r < x->job->runs; r++) {
        going += !x->run[r].over;
        for (int32_t b = 0; b < x->bins && !x->run[r].over; b++)
            x->series[b] += bin_of(x, r, b)[functional];
    }
    return going > 0;
}

/* MSER sees the beginning through the noise that control variates take away: what is left out is
 * never less than a share in which the state is forgotten. */
static int32_t find_warm_up(Steady *x)
{
    int32_t most = x->bins / FORGOTTEN;
    for (int32_t f = 0; f < x->functionals; f++) {
        const int32_t out = mean_series(x, f) ? warm_up_bins(x->series, x->bins, x->error) : 0;
        most = out > most ? out : most;
    }
    return most;
}

/* The mean of the bins from `first` to before `end` of a run. */
static void average(const Steady *x, int64_t run, int32_t first, int32_t end, double *to)
{
    memset(to, 0, (size_t)x->row * sizeof *to);
    for (int32_t b = first; b < end; b++)
        for (int32_t i = 0; i < x->row; i++)
            to[i] += bin_of(x, run, b)[i];
    for (int32_t i = 0; i < x->row; i++)
        to[i] /= end - first;
}

/* It is one observation. */
static void observe(Steady *x, int64_t run, int32_t first, int32_t end)
{
    double *to = x->observed + (ptrdiff_t)x->count * x->row;
    const int32_t parts = x->run[run].over ? 0 : (end - first) / PART;
    average(x, run, first, end, to);
    for (int32_t i = 0; i < x->functionals && x->run[run].over; i++)
        to[i] = x->run[run].last[i];
    for (int32_t p = 0; p < parts; p++)
        average(x, run, first + p * PART, first + (p + 1) * PART, x->part + (ptrdiff_t)p * x->row);
    control_see(&x->adjust, x->count++, x->part, parts, x->row);
}

/* A probability above 1/2 is looked at as what it is short of 1. */
static bool is_rather_missing(const Steady *x, int32_t functional, int32_t warm_up)
{
    double sum = 0;
    if (!estimate_is_probability(&x->s->estimates, functional))
        return false;
    for (int64_t r = 0; r < x->job->runs; r++)
        for (int32_t b = warm_up; b < x->bins; b++)
            sum += bin_of(x, r, b)[functional];
    return sum > 0.5 * (double)x->job->runs * (x->bins - warm_up);
}

/* Of what seldom happens intervals are as wide as its visits make them. */
static void find_slack(Steady *x, int32_t functional, int32_t warm_up)
{
    const bool missing = is_rather_missing(x, functional, warm_up),
               share = estimate_is_probability(&x->s->estimates, functional);
    const double rounding = 1e-9;
    Seldom seen = {0};
    double less, more;
    for (int64_t r = 0; r < x->job->runs; r++) {
        for (int32_t b = warm_up; b < x->bins; b++) {
            const double value = bin_of(x, r, b)[functional], amount = missing ? 1 - value : value;
            seldom_add(&seen, share && amount < rounding ? 0 : amount);
        }
        seldom_end(&seen);
    }
    if (seldom_interval(&seen, share ? x->count : 0, x->job->confidence, &less, &more) &&
        seen.visits < x->fewest) {
        x->fewest = seen.visits;
        x->seldom = functional;
    }
    x->slack[functional] = missing ? (EstimateSlack){more, less} : (EstimateSlack){less, more};
}

/* The interval of a predicate that was true throughout does not get narrower: it has no say in when to
 * stop. */
static double width_of(const Estimate *e)
{
    return e->value >= 1 && e->high <= 1 ? 0 : estimate_width(e);
}

static PepaStatus estimate(Steady *x, int32_t warm_up, Estimate *out, SimulationFound *found,
                           PepaError *err)
{
    const int32_t each = (x->bins - warm_up) / BATCHES;
    moments_clear(&x->moments, &x->s->estimates);
    x->count = 0;
    for (int64_t r = 0; r < x->job->runs && x->job->runs > 1; r++)
        observe(x, r, warm_up, x->bins);
    for (int32_t b = BATCHES; b > 0 && x->job->runs == 1; b--)
        observe(x, 0, x->bins - b * each, x->bins - (b - 1) * each);
    control_adjust(&x->adjust, x->observed, x->count, x->row, 1 / (PART * x->width));
    for (int32_t k = 0; k < x->count; k++)
        moments_add(&x->moments, &x->s->estimates, x->observed + (ptrdiff_t)k * x->row);
    x->fewest = SELDOM_FEW;
    x->seldom = -1;
    for (int32_t f = 0; f < x->functionals; f++)
        find_slack(x, f, warm_up);
    found->seldom = x->seldom < 0 ? -1 : estimate_item_of(&x->s->estimates, x->seldom);
    found->visits = x->fewest;
    PepaStatus status = moments_estimate(&x->moments, &x->s->estimates, x->job->confidence, false,
                                         x->slack, out, err);
    found->width = 0;
    for (int32_t i = 0; i < expressions_items(x->s->e) && status == PEPA_OK; i++)
        found->width = fmax(found->width, width_of(&out[i]));
    found->warm_up = warm_up * x->width;
    x->clock.width = found->width;
    return status;
}

static bool all_are_over(const Steady *x)
{
    int64_t r = 0;
    while (r < x->job->runs && x->run[r].over)
        r++;
    return r == x->job->runs;
}

/* Where no width is asked for: whether that is long enough.  Points of an experiment have one
 * length. */
static bool is_long(const Steady *x, const SimulationFound *found)
{
    const SimulationJob *job = x->job;
    const double most = (double)job->activities, done = (double)found->activities;
    if (job->pace > 0)
        return job->pace * found->length * (double)job->runs >= EFFORT * most || 2 * done > most;
    return done >= EFFORT * most && (x->seldom < 0 || 2 * done > most);
}

/* How much longer the runs are to be for intervals as narrow as is asked; at most twice. */
static double choose_longer(const Steady *x, const SimulationFound *found)
{
    const double missed = found->width / x->job->width;
    return x->job->width > 0 && missed > 1 ? fmin(SURE * missed * missed, 2) : 2;
}

/* Longer and longer, until the answer is good enough. */
static PepaStatus run_levels(Steady *x, Estimate *out, SimulationFound *found, DiagList *diags,
                             PepaError *err)
{
    const SimulationJob *job = x->job;
    const double most = (double)job->activities;
    double longer = 1;
    for (;;) {
        PepaStatus status = run_level(x, longer, found, diags, err);
        const int32_t warm_up = status == PEPA_OK ? find_warm_up(x) : 0;
        const bool settled = 2 * warm_up <= x->bins;
        if (status == PEPA_OK && job->runs == 1 && x->run->over)
            return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_SIMULATION,
                               "the run has come to a state in which nothing can happen; one run "
                               "does not tell how likely that is: ask for two or more");
        if (status == PEPA_OK)
            status = estimate(x, warm_up, out, found, err);
        if (status != PEPA_OK)
            return status;
        const double done = (double)found->activities;
        const bool narrow = job->width > 0 ? found->width <= job->width : is_long(x, found);
        if (settled && (narrow || (all_are_over(x) && job->width == 0)))
            return PEPA_OK;
        longer = settled ? choose_longer(x, found) : 2;
        if (longer * done <= most && !all_are_over(x))
            continue;
        if (settled)
            return simulation_too_wide(x->s, job, found, out, 1, err);
        return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_SIMULATION,
                           "%lld runs do not settle in %lld events, until time %.3g",
                           (long long)job->runs, (long long)found->activities, found->length);
    }
}

PepaStatus simulate_steady(Simulation *s, const SimulationJob *job, Estimate *out,
                           SimulationFound *found, DiagList *diags, PepaError *err)
{
    Steady x = {.s = s, .job = job};
    *found = (SimulationFound){.runs = job->runs, .seldom = -1};
    simulation_clock_start(&x.clock, s->set);
    PepaStatus status = steady_open(&x, err);
    if (status == PEPA_OK)
        status = choose_width(&x, diags, err);
    if (status == PEPA_OK)
        status = run_levels(&x, out, found, diags, err);
    steady_close(&x);
    return status;
}
