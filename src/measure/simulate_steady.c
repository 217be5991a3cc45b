/* Measures in the long run, by long runs without their beginnings. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "measure/simulation.h"
#include "measure/warm_up.h"

enum {
    BINS = 512,           /* of time, when a level begins; at its end twice as many */
    BATCHES = 32,         /* of one run */
    FEWEST_CONTROLLED = 8 /* observations: of fewer, a regression adds more noise than it takes */
};
#define EFFORT 0.1 /* of the most activities, where no width is asked for */

typedef struct {
    Trajectory trajectory;
    TrajectoryEnd end;
    double *bin; /* 2 x BINS rows: of each functional the mean over a bin, then the surplus of each
                  * (observer_cut) per unit of time */
    bool over;   /* nothing can happen any more: `last` has the functionals for ever */
    double *last;
} LongRun;

typedef struct {
    Simulation *s;
    const SimulationJob *job;
    SimulationClock clock;
    Workers *workers;
    LongRun *run;     /* job->runs of them */
    double width;     /* of a bin, in time */
    int32_t bins, to; /* there are; there are to be */
    double *series;   /* 2 x BINS: of one functional, the mean of all runs */
    double *error;    /* the same: see warm_up_bins */
    double *observed; /* the observations, laid out as bins */
    int32_t count;    /* of them */
    Moments moments;
} Steady;

static int32_t functionals_of(const Steady *x)
{
    return expressions_functionals(x->s->e);
}

static double *bin_of(const Steady *x, int64_t run, int32_t bin)
{
    return x->run[run].bin + (ptrdiff_t)bin * 2 * functionals_of(x);
}

/* ---- life ------------------------------------------------------------------------------------- */

static PepaStatus steady_open(Steady *x, PepaError *err)
{
    const size_t functionals = (size_t)functionals_of(x);
    const int32_t threads = x->s->set->threads < MOST_WORKERS ? x->s->set->threads : MOST_WORKERS;
    const size_t most = x->job->runs > 1 ? (size_t)x->job->runs : BATCHES;
    PepaStatus status = PEPA_OK;
    if (!mem_new_zeroed(x->run, x->job->runs) || !mem_new(x->series, 2 * BINS) ||
        !mem_new(x->error, 2 * BINS) || !mem_new(x->observed, most * 2 * functionals) ||
        !moments_new(&x->moments, &x->s->estimates))
        return error_memory(err);
    x->workers = workers_new(threads);
    if (!x->workers)
        return error_memory(err);
    for (int64_t r = 0; r < x->job->runs && status == PEPA_OK; r++) {
        if (!mem_new(x->run[r].bin, 2 * BINS * 2 * functionals) ||
            !mem_new(x->run[r].last, functionals))
            return error_memory(err);
        status = simulation_trajectory(&x->run[r].trajectory, x->s, x->job, err);
        if (status == PEPA_OK)
            trajectory_start(&x->run[r].trajectory, x->job->seed, (uint64_t)r);
    }
    return status;
}

static void steady_close(Steady *x)
{
    workers_free(x->workers);
    for (int64_t r = 0; r < x->job->runs && x->run; r++) {
        trajectory_free(&x->run[r].trajectory);
        mem_free_all(x->run[r].bin, x->run[r].last);
    }
    mem_free_all(x->run, x->series, x->error, x->observed);
    moments_free(&x->moments);
}

/* ---- runs ------------------------------------------------------------------------------------- */

/* The width of a bin in which some activities happen. */
static PepaStatus choose_width(Steady *x, DiagList *diags, PepaError *err)
{
    double pace = x->job->pace;
    PepaStatus status = pace > 0 ? PEPA_OK : simulation_pace(x->s, x->job, &pace, diags, err);
    x->width = SIMULATION_PILOT / pace / BINS;
    return status;
}

static void extend(void *user, int32_t index, int32_t worker)
{
    Steady *x = user;
    LongRun *run = &x->run[index];
    Trajectory *t = &run->trajectory;
    const TrajectoryWatch watch = simulation_watch(&x->clock, worker);
    const int32_t functionals = functionals_of(x);
    const int64_t most = x->job->activities / x->job->runs;
    run->end = TRAJECTORY_THERE;
    for (int32_t b = x->bins; b < x->to && run->end == TRAJECTORY_THERE; b++) {
        double *bin = bin_of(x, index, b);
        run->end = trajectory_until(t, (b + 1) * x->width, true, most, &watch);
        observer_cut(&t->observer, t->time, bin, bin + functionals);
        for (int32_t i = 0; i < 2 * functionals; i++)
            bin[i] /= x->width;
    }
    if (simulation_run_ends(&x->clock, worker, t) && run->end == TRAJECTORY_THERE)
        run->end = TRAJECTORY_STOPPED;
    run->over = run->end == TRAJECTORY_THERE && trajectory_is_over(t);
    if (run->over) {
        observer_look(&t->observer);
        memcpy(run->last, t->observer.value, (size_t)functionals * sizeof *run->last);
    }
}

/* Twice as long; two bins become one where there are too many. */
static PepaStatus run_level(Steady *x, SimulationFound *found, DiagList *diags, PepaError *err)
{
    const int32_t functionals = functionals_of(x);
    if (x->bins == 2 * BINS) {
        for (int64_t r = 0; r < x->job->runs; r++)
            for (int32_t b = 0; b < BINS; b++)
                for (int32_t i = 0; i < 2 * functionals; i++)
                    bin_of(x, r, b)[i] = (bin_of(x, r, 2 * b)[i] + bin_of(x, r, 2 * b + 1)[i]) / 2;
        x->bins = BINS;
        x->width *= 2;
    }
    x->to = x->bins + BINS;
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

static int32_t find_warm_up(Steady *x)
{
    int32_t most = 0;
    for (int32_t f = 0; f < functionals_of(x); f++) {
        const int32_t out = mean_series(x, f) ? warm_up_bins(x->series, x->bins, x->error) : 0;
        most = out > most ? out : most;
    }
    return most;
}

/* The mean of the bins from `first` to before `end` is one observation. */
static void observe(Steady *x, int64_t run, int32_t first, int32_t end)
{
    const int32_t functionals = functionals_of(x);
    double *to = x->observed + (ptrdiff_t)x->count++ * 2 * functionals;
    for (int32_t i = 0; i < 2 * functionals; i++) {
        double sum = 0;
        for (int32_t b = first; b < end; b++)
            sum += bin_of(x, run, b)[i] / (end - first);
        to[i] = sum;
        if (x->run[run].over)
            to[i] = i < functionals ? x->run[run].last[i] : 0;
    }
}

/* The surplus of a flow is 0 in the mean: a control variate.  What a regression of the flow on it
 * explains is subtracted. */
static void control(Steady *x, int32_t functional)
{
    const int32_t functionals = functionals_of(x), stride = 2 * functionals;
    double mean = 0, surplus = 0, square = 0, product = 0;
    double *value = x->observed + functional, *with = value + functionals;
    for (int32_t k = 0; k < x->count; k++) {
        mean += value[k * stride] / x->count;
        surplus += with[k * stride] / x->count;
    }
    for (int32_t k = 0; k < x->count; k++) {
        const double off = with[k * stride] - surplus;
        square += off * off;
        product += off * (value[k * stride] - mean);
    }
    for (int32_t k = 0; k < x->count && square > 0; k++)
        value[k * stride] -= product / square * with[k * stride];
}

static PepaStatus estimate(Steady *x, int32_t warm_up, Estimate *out, SimulationFound *found,
                           PepaError *err)
{
    const int32_t each = (x->bins - warm_up) / BATCHES;
    const int32_t functionals = functionals_of(x);
    moments_clear(&x->moments, &x->s->estimates);
    x->count = 0;
    for (int64_t r = 0; r < x->job->runs && x->job->runs > 1; r++)
        observe(x, r, warm_up, x->bins);
    for (int32_t b = BATCHES; b > 0 && x->job->runs == 1; b--)
        observe(x, 0, x->bins - b * each, x->bins - (b - 1) * each);
    const bool controlled = x->count >= FEWEST_CONTROLLED;
    for (int32_t f = 0; f < functionals && controlled; f++)
        control(x, f);
    for (int32_t k = 0; k < x->count; k++)
        moments_add(&x->moments, &x->s->estimates, x->observed + (ptrdiff_t)k * 2 * functionals);
    PepaStatus status = moments_estimate(&x->moments, &x->s->estimates, x->job->confidence, false,
                                         controlled, out, err);
    found->width = 0;
    for (int32_t i = 0; i < expressions_items(x->s->e) && status == PEPA_OK; i++)
        found->width = fmax(found->width, estimate_width(&out[i]));
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
    return done >= EFFORT * most;
}

/* Longer and longer, until the answer is good enough. */
static PepaStatus run_levels(Steady *x, Estimate *out, SimulationFound *found, DiagList *diags,
                             PepaError *err)
{
    const SimulationJob *job = x->job;
    const double most = (double)job->activities;
    for (;;) {
        PepaStatus status = run_level(x, found, diags, err);
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
        if (2 * done <= most && !all_are_over(x))
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
    *found = (SimulationFound){.runs = job->runs};
    simulation_clock_start(&x.clock, s->set);
    PepaStatus status = steady_open(&x, err);
    if (status == PEPA_OK)
        status = choose_width(&x, diags, err);
    if (status == PEPA_OK)
        status = run_levels(&x, out, found, diags, err);
    steady_close(&x);
    return status;
}
