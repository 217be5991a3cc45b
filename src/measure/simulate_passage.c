/* Samples passage times: from the initial state, and in the long run. */
#include "measure/simulate_passage.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "measure/warm_up.h"

enum {
    BATCH = 256,     /* trajectories of one passage that are begun together */
    FIRST_LOOK = 64, /* passages before widths are looked at */
    BINS = 512,      /* of time, in which the beginning is looked for */
    PILOT = 8192,    /* activities by which the first length is chosen */
    ENOUGH = 1000,   /* passages, where the activities are used up */
    MOST = 1 << 26   /* passages: a GB */
};

typedef struct {
    const PassagePlan *plan;
    const SimulationJob *job;
    const PassageWanted *wanted;
    SimulationClock clock;
    Workers *workers;
    PassageFollower *follower; /* per worker; in the long run, per run */
    TrajectoryEnd *end;        /* per trajectory of a batch, or per run */
    int32_t followers;
    bool long_run;
    double *took;        /* per trajectory of a batch */
    int64_t *activities; /* the same */
    int64_t first;       /* the number of the first of them */
    double length;       /* in the long run: until when passages begin */
    Samples *out;
    SimulationFound *found;
} Passages;

static Simulation *model_of(const Passages *x)
{
    return (Simulation *)x->plan->s; /* only to say what is wrong with it */
}

/* ---- life ------------------------------------------------------------------------------------- */

static PepaStatus passages_open(Passages *x, PepaError *err)
{
    const int32_t given = x->plan->s->set->threads;
    const int32_t threads = given < MOST_WORKERS ? given : MOST_WORKERS;
    const int64_t tasks = x->long_run ? x->job->runs : BATCH;
    x->followers = x->long_run ? (int32_t)x->job->runs : threads;
    if (!mem_new_zeroed(x->follower, x->followers) || !mem_new(x->end, tasks) ||
        !mem_new(x->took, tasks) || !mem_new(x->activities, tasks))
        return error_memory(err);
    x->workers = workers_new(threads);
    PepaStatus status = x->workers ? PEPA_OK : error_memory(err);
    for (int32_t i = 0; i < x->followers && status == PEPA_OK; i++)
        status = passage_follower_new(&x->follower[i], x->plan, err);
    return status;
}

static void passages_close(Passages *x)
{
    workers_free(x->workers);
    for (int32_t i = 0; i < x->followers && x->follower; i++)
        passage_follower_free(&x->follower[i]);
    mem_free_all(x->follower, x->end, x->took, x->activities);
}

/* Some passage, or what comes before it, has no end within the activities allowed. */
static PepaStatus failed(const Passages *x, TrajectoryEnd end, int64_t number, DiagList *diags,
                         PepaError *err)
{
    if (end != TRAJECTORY_LIMIT)
        return simulation_failed(model_of(x), x->job, end, number, diags, err);
    return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_SIMULATION,
                       "more than %lld events, and passages that have not ended; if some may never "
                       "end, `pepa passage` without --simulate says how many",
                       (long long)x->job->activities);
}

/* Half of the widest interval, as a share of its value. */
static void look_at_widths(Passages *x)
{
    const double confidence = x->job->confidence;
    const Estimate mean = samples_mean(x->out, confidence);
    x->found->width = mean.value <= DBL_MAX ? estimate_width(&mean) : 0;
    for (size_t i = 0; i < x->wanted->count; i++) {
        const Estimate q = samples_quantile(x->out, x->wanted->share[i], confidence);
        if (q.value <= DBL_MAX)
            x->found->width = fmax(x->found->width, estimate_width(&q));
    }
    x->clock.width = x->found->width;
}

static PepaStatus too_wide(const Passages *x, PepaError *err)
{
    return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_SIMULATION,
                       "after %zu passages with %lld events the widest interval is +- %.2g of its "
                       "value, not %.2g",
                       x->out->count, (long long)x->found->activities, x->found->width,
                       x->job->width);
}

/* ---- from the initial state ------------------------------------------------------------------- */

static bool limit_is_passed(Passages *x)
{
    return atomic_load_explicit(&x->clock.activities, memory_order_relaxed) > x->job->activities;
}

/* One of the trajectories that are begun together, as its watch sees it. */
typedef struct {
    Passages *x;
    TrajectoryWatch all;
} Passing;

/* All together have the activities of the job: those that never end are not to take as many each. */
static bool stops(void *user, int64_t activities)
{
    const Passing *its = user;
    return its->all.stops(its->all.user, activities) || limit_is_passed(its->x);
}

static void pass_once(void *user, int32_t index, int32_t worker)
{
    Passages *x = user;
    PassageFollower *f = &x->follower[worker];
    Passing its = {x, simulation_watch(&x->clock, worker)};
    const TrajectoryWatch watch = {stops, &its};
    x->end[index] = TRAJECTORY_STOPPED;
    if (limit_is_passed(x))
        return;
    passage_follower_start(f, x->job->seed, (uint64_t)(x->first + index));
    TrajectoryEnd end = passage_follow(f, 0, x->job->activities, &watch);
    if (simulation_run_ends(&x->clock, worker, &f->t) && end == TRAJECTORY_THERE)
        end = TRAJECTORY_STOPPED;
    x->end[index] = end;
    x->took[index] = f->passed_count ? f->passed[0].took : 0;
    x->activities[index] = f->t.activities;
}

static PepaStatus run_up_to(Passages *x, int64_t runs, DiagList *diags, PepaError *err)
{
    while ((int64_t)x->out->count < runs) {
        const int64_t left = runs - (int64_t)x->out->count, count = left < BATCH ? left : BATCH;
        x->first = (int64_t)x->out->count;
        workers_run(x->workers, (int32_t)count, pass_once, x);
        if (limit_is_passed(x) && !atomic_load(&x->clock.stop))
            return failed(x, TRAJECTORY_LIMIT, 0, diags, err);
        for (int64_t i = 0; i < count; i++) {
            if (x->end[i] != TRAJECTORY_THERE)
                return failed(x, x->end[i], x->first + i, diags, err);
            x->found->activities += x->activities[i];
            if (!samples_add(x->out, x->took[i], (int32_t)(x->first + i)))
                return error_memory(err);
        }
    }
    return PEPA_OK;
}

static PepaStatus sample_starts(Passages *x, DiagList *diags, PepaError *err)
{
    const SimulationJob *job = x->job;
    const int64_t most = job->runs < MOST ? job->runs : MOST;
    int64_t goal = job->width > 0 && FIRST_LOOK < most ? FIRST_LOOK : most;
    for (;;) {
        PepaStatus status = run_up_to(x, goal, diags, err);
        if (status != PEPA_OK)
            return status;
        if (!samples_sort(x->out, (int32_t)goal))
            return error_memory(err);
        x->found->runs = goal;
        look_at_widths(x);
        if (job->width == 0 || x->found->width <= job->width)
            return PEPA_OK;
        if (goal >= most)
            return too_wide(x, err);
        const double ratio = x->found->width / job->width, runs = (double)goal;
        const double next = fmax(runs + FIRST_LOOK, fmin(4, 1.1 * ratio * ratio) * runs);
        goal = (int64_t)fmin(ceil(next), (double)most);
    }
}

/* ---- in the long run -------------------------------------------------------------------------- */

/* A length in which some activities happen, by a stream that no run has. */
static PepaStatus choose_length(Passages *x, DiagList *diags, PepaError *err)
{
    Trajectory *t = &x->follower[0].t;
    trajectory_start(t, x->job->seed, (uint64_t)x->job->runs);
    const TrajectoryEnd end = trajectory_until(t, DBL_MAX, false, PILOT, &unwatched);
    if (end == TRAJECTORY_THERE)
        return error_set(err, PEPA_EARG,
                         "no passage begins in the long run: nothing happens any more after %lld "
                         "events",
                         (long long)t->activities);
    x->length = t->time;
    return end == TRAJECTORY_LIMIT
               ? PEPA_OK
               : simulation_failed(model_of(x), x->job, end, x->job->runs, diags, err);
}

static void extend(void *user, int32_t index, int32_t worker)
{
    Passages *x = user;
    PassageFollower *f = &x->follower[index];
    const TrajectoryWatch watch = simulation_watch(&x->clock, worker);
    TrajectoryEnd end = passage_follow(f, x->length, x->job->activities / x->job->runs, &watch);
    if (simulation_run_ends(&x->clock, worker, &f->t) && end == TRAJECTORY_THERE)
        end = TRAJECTORY_STOPPED;
    x->end[index] = end;
}

static PepaStatus run_level(Passages *x, DiagList *diags, PepaError *err)
{
    workers_run(x->workers, x->followers, extend, x);
    x->found->activities = 0;
    for (int32_t r = 0; r < x->followers; r++) {
        if (x->end[r] != TRAJECTORY_THERE)
            return failed(x, x->end[r], r, diags, err);
        x->found->activities += x->follower[r].t.activities;
    }
    x->found->length = x->length;
    return PEPA_OK;
}

/* How many bins are the beginning: of the numbers of passages that begin in each, and of the sums of
 * their durations as far as they end. */
static int32_t find_warm_up(const Passages *x, double *series)
{
    double *begun = series, *sum = series + BINS, *error = series + 2 * BINS;
    memset(series, 0, 3 * BINS * sizeof *series);
    for (int32_t r = 0; r < x->followers; r++)
        for (size_t i = 0; i < x->follower[r].passed_count; i++) {
            const Passed *p = &x->follower[r].passed[i];
            const int32_t bin = (int32_t)fmin(p->start / x->length * BINS, BINS);
            if (bin == BINS)
                continue;
            begun[bin]++;
            sum[bin] += p->took <= DBL_MAX ? p->took : 0;
        }
    const int32_t a = warm_up_bins(begun, BINS, error), b = warm_up_bins(sum, BINS, error);
    return a > b ? a : b;
}

/* The passages that begin after the beginning, and not later than the length.  Runs in which none
 * did count as well: they say how many there are. */
static PepaStatus gather(Passages *x, PepaError *err)
{
    samples_free(x->out);
    for (int32_t r = 0; r < x->followers; r++)
        for (size_t i = 0; i < x->follower[r].passed_count; i++) {
            const Passed *p = &x->follower[r].passed[i];
            if (p->start >= x->found->warm_up && p->start <= x->length &&
                !samples_add(x->out, p->took, r))
                return error_memory(err);
        }
    if (x->out->count && !samples_sort(x->out, x->followers))
        return error_memory(err);
    if (x->out->count)
        look_at_widths(x);
    return PEPA_OK;
}

static PepaStatus give_up(const Passages *x, bool settled, PepaError *err)
{
    if (settled && x->out->count && x->job->width > 0)
        return too_wide(x, err);
    return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_SIMULATION,
                       "%zu passages in %lld events, until time %.3g, are too few to know how long "
                       "they take in the long run",
                       x->out->count, (long long)x->found->activities, x->length);
}

static PepaStatus sample_long_run(Passages *x, double *series, DiagList *diags, PepaError *err)
{
    const SimulationJob *job = x->job;
    PepaStatus status = choose_length(x, diags, err);
    for (int32_t r = 0; r < x->followers && status == PEPA_OK; r++)
        passage_follower_start(&x->follower[r], job->seed, (uint64_t)r);
    for (; status == PEPA_OK; x->length *= 2) {
        status = run_level(x, diags, err);
        if (status != PEPA_OK)
            break;
        const int32_t bins = find_warm_up(x, series);
        const bool settled = 2 * bins <= BINS;
        x->found->warm_up = x->length / BINS * bins;
        status = gather(x, err);
        const size_t count = x->out->count;
        const bool last = 2 * x->found->activities > job->activities || count > MOST / 2;
        const bool narrow = job->width > 0 ? x->found->width <= job->width
                                           : count >= PASSAGES || (last && count >= ENOUGH);
        if (status != PEPA_OK || (settled && count >= FIRST_LOOK && narrow))
            break;
        if (last)
            status = give_up(x, settled, err);
    }
    return status;
}

PepaStatus simulate_passages(const PassagePlan *plan, const SimulationJob *job,
                             const PassageWanted *wanted, Samples *out, SimulationFound *found,
                             DiagList *diags, PepaError *err)
{
    Passages x = {.plan = plan,
                  .job = job,
                  .wanted = wanted,
                  .out = out,
                  .found = found,
                  .long_run = plan->from.action || plan->from.predicate};
    double series[3 * BINS];
    *found = (SimulationFound){.runs = job->runs};
    *out = (Samples){0};
    simulation_clock_start(&x.clock, plan->s->set);
    PepaStatus status = passages_open(&x, err);
    if (status == PEPA_OK)
        status =
            x.long_run ? sample_long_run(&x, series, diags, err) : sample_starts(&x, diags, err);
    passages_close(&x);
    return status;
}
