/* Measures at given times, by independent replications. */
#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "measure/simulation.h"

#define BATCH_BYTES 32e6 /* that the observations of a batch may take */
enum { MOST_BATCH = 256, FIRST_LOOK = 64 /* runs before widths are looked at */ };
/* A run that has used this share of the events allowed, and of its time this share of what these would do at its pace,
 * is given up: it would have to become a million times slower. */
#define TRIED    0.01
#define LEAST    1e6 /* of them: fewer do not show the pace */
#define HOPELESS (TRIED * 1e-6)

/* What a run came to. */
typedef struct {
    TrajectoryEnd end;
    int64_t activities;
    double time;
} RunEnd;

typedef struct {
    Simulation *s;
    const SimulationJob *job;
    SimulationClock clock;
    Workers *workers;
    Trajectory *trajectory; /* per worker */
    int32_t threads;
    double *observed; /* of the runs of a batch: time x functional each */
    RunEnd *end;      /* of each of them */
    int64_t first;    /* the number of the first of them */
    atomic_int over;  /* none behind this one of them is needed: it has used all events allowed */
    Moments *moments; /* per time */
} Replications;

static int32_t functionals_of(const Replications *r)
{
    return expressions_functionals(r->s->e);
}

static int64_t most_in_batch(const Replications *r)
{
    const double each = (double)r->job->count * functionals_of(r) * sizeof(double) + 1;
    return (int64_t)fmax(1, fmin(MOST_BATCH, BATCH_BYTES / each));
}

static PepaStatus replications_open(Replications *r, PepaError *err)
{
    const size_t batch = (size_t)most_in_batch(r), points = r->job->count;
    if (!mem_new_zeroed(r->trajectory, r->threads) || !mem_new(r->end, batch) ||
        !mem_new(r->observed, batch * points * (size_t)functionals_of(r)) ||
        !mem_new_zeroed(r->moments, points))
        return error_memory(err);
    r->workers = workers_new(r->threads);
    if (!r->workers)
        return error_memory(err);
    for (size_t j = 0; j < points; j++)
        if (!moments_new(&r->moments[j], &r->s->estimates))
            return error_memory(err);
    PepaStatus status = PEPA_OK;
    for (int32_t i = 0; i < r->threads && status == PEPA_OK; i++)
        status = simulation_trajectory(&r->trajectory[i], r->s, r->s->observe, r->job, err);
    return status;
}

static void replications_close(Replications *r)
{
    workers_free(r->workers);
    for (int32_t i = 0; i < r->threads && r->trajectory; i++)
        trajectory_free(&r->trajectory[i]);
    for (size_t j = 0; j < r->job->count && r->moments; j++)
        moments_free(&r->moments[j]);
    mem_free_all(r->trajectory, r->observed, r->end, r->moments);
}

/* On to a time, unless that takes more events than are allowed, or is certain to as far as can be told. */
static TrajectoryEnd advance(const Replications *r, Trajectory *t, double time,
                             const TrajectoryWatch *watch)
{
    const int64_t most = r->job->activities,
                  tried = (int64_t)fmin(fmax(TRIED * (double)most, LEAST), (double)most);
    const double last = r->job->time[r->job->count - 1];
    TrajectoryEnd end = trajectory_until(t, time, false, tried, watch);
    if (end == TRAJECTORY_LIMIT && t->time >= HOPELESS * last)
        end = trajectory_until(t, time, false, most, watch);
    return end;
}

/* The least of what runs tell. */
static void tell_over(Replications *r, int32_t index)
{
    int over = atomic_load(&r->over);
    while (index < over && !atomic_compare_exchange_weak(&r->over, &over, index))
        ;
}

static void replicate(void *user, int32_t index, int32_t worker)
{
    Replications *r = user;
    Trajectory *t = &r->trajectory[worker];
    if (index > atomic_load(&r->over))
        return; /* one before it has failed, of which alone is told */
    const TrajectoryWatch watch = simulation_watch(&r->clock, worker);
    const size_t functionals = (size_t)functionals_of(r), points = r->job->count;
    double *to = r->observed + (size_t)index * points * functionals;
    TrajectoryEnd end = TRAJECTORY_THERE;
    trajectory_start(t, r->job->seed, (uint64_t)(r->first + index));
    for (size_t j = 0; j < points && end == TRAJECTORY_THERE; j++, to += functionals) {
        end = advance(r, t, r->job->time[j], &watch);
        if (end == TRAJECTORY_THERE)
            end = trajectory_look(t);
        memcpy(to, t->observer.value, functionals * sizeof *to);
    }
    if (simulation_run_ends(&r->clock, worker, t) && end == TRAJECTORY_THERE)
        end = TRAJECTORY_STOPPED;
    if (end == TRAJECTORY_LIMIT)
        tell_over(r, index);
    r->end[index] = (RunEnd){end, t->activities, t->time};
}

static PepaStatus failed(Replications *r, int64_t index, DiagList *diags, PepaError *err)
{
    const RunEnd *run = &r->end[index];
    if (run->end != TRAJECTORY_LIMIT || run->activities >= r->job->activities)
        return simulation_failed(r->s, r->job, run->end, r->first + index, diags, err);
    return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_SIMULATION,
                       "a run is at time %.3g of %.3g after %lld events: ask for an earlier time",
                       run->time, r->job->time[r->job->count - 1], (long long)run->activities);
}

/* So many runs more. */
static PepaStatus run_batch(Replications *r, int64_t count, SimulationFound *found, DiagList *diags,
                            PepaError *err)
{
    const size_t functionals = (size_t)functionals_of(r), points = r->job->count;
    const double *observed = r->observed;
    r->first = found->runs;
    atomic_init(&r->over, INT_MAX);
    workers_run(r->workers, (int32_t)count, replicate, r);
    for (int64_t i = 0; i < count; i++) {
        if (r->end[i].end != TRAJECTORY_THERE)
            return failed(r, i, diags, err);
        found->activities += r->end[i].activities;
        for (size_t j = 0; j < points; j++, observed += functionals)
            moments_add(&r->moments[j], &r->s->estimates, observed);
    }
    found->runs += count;
    return PEPA_OK;
}

static PepaStatus estimate(Replications *r, Estimate *out, SimulationFound *found, PepaError *err)
{
    const size_t items = (size_t)expressions_items(r->s->e);
    PepaStatus status = PEPA_OK;
    found->width = 0;
    found->seldom = -1;
    for (size_t j = 0; j < r->job->count && status == PEPA_OK; j++) {
        const bool later = r->job->time[j] > 0;
        status = moments_estimate(&r->moments[j], &r->s->estimates, r->job->confidence, later, NULL,
                                  out + j * items, err);
        if (status == PEPA_OK && later && found->seldom < 0)
            found->seldom = estimate_unseen(&r->moments[j], &r->s->estimates, out + j * items);
    }
    for (size_t i = 0; i < r->job->count * items && status == PEPA_OK; i++)
        found->width = fmax(found->width, estimate_width(&out[i]));
    r->clock.width = found->width;
    return status;
}

/* How many runs are likely to do, 10% more for a variance that was estimated too low: but not more
 * than four times as many as there are. */
static int64_t next_look(const Replications *r, const SimulationFound *found)
{
    const double runs = (double)found->runs, ratio = found->width / r->job->width;
    const double wanted = fmin(1.1 * runs * ratio * ratio, 4 * runs);
    return (int64_t)fmin(fmax(ceil(wanted), runs + FIRST_LOOK), (double)r->job->runs);
}

/* Up to so many runs, in batches that do not depend on threads; the first is small, to see how many
 * activities a run has. */
static PepaStatus run_up_to(Replications *r, int64_t runs, SimulationFound *found, DiagList *diags,
                            PepaError *err)
{
    const SimulationJob *job = r->job;
    PepaStatus status = PEPA_OK;
    while (found->runs < runs && status == PEPA_OK) {
        const int64_t left = runs - found->runs, most = most_in_batch(r);
        int64_t count = found->runs == 0 ? 2 : 2 * found->runs;
        count = count < most ? count : most;
        count = count < left ? count : left;
        const double all = found->runs ? (double)found->activities / (double)found->runs *
                                             (double)(job->width > 0 ? found->runs + count : runs)
                                       : 0;
        if (all > 1.5 * (double)job->activities)
            return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_SIMULATION,
                               "%lld runs would take about %.2g events: ask for fewer runs, "
                               "an earlier time, or fewer components",
                               (long long)runs, all);
        status = run_batch(r, count, found, diags, err);
        if (status == PEPA_OK && job->width == 0 && found->activities > job->activities)
            return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_SIMULATION,
                               "%lld runs take more than %lld events, after %lld of them",
                               (long long)runs, (long long)job->activities, (long long)found->runs);
    }
    return status;
}

static PepaStatus run_all(Replications *r, Estimate *out, SimulationFound *found, DiagList *diags,
                          PepaError *err)
{
    const SimulationJob *job = r->job;
    int64_t goal = job->width > 0 && FIRST_LOOK < job->runs ? FIRST_LOOK : job->runs;
    for (;;) {
        PepaStatus status = run_up_to(r, goal, found, diags, err);
        if (status == PEPA_OK)
            status = estimate(r, out, found, err);
        if (status != PEPA_OK || job->width == 0 || found->width <= job->width)
            return status;
        if (found->runs >= job->runs || found->activities >= job->activities)
            return simulation_too_wide(r->s, job, found, out, job->count, err);
        goal = next_look(r, found);
    }
}

PepaStatus simulate_times(Simulation *s, const SimulationJob *job, Estimate *out,
                          SimulationFound *found, DiagList *diags, PepaError *err)
{
    const int32_t threads = s->set->threads < MOST_WORKERS ? s->set->threads : MOST_WORKERS;
    Replications r = {.s = s, .job = job, .threads = threads};
    *found = (SimulationFound){0};
    simulation_clock_start(&r.clock, s->set);
    PepaStatus status = replications_open(&r, err);
    if (status == PEPA_OK)
        status = run_all(&r, out, found, diags, err);
    replications_close(&r);
    return status;
}
