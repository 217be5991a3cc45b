/* Solves a chain at many points of its rates, in chunks that threads share. */
#include "measure/experiment.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/clock.h"
#include "base/workers.h"
#include "measure/longrun.h"
#include "solvers/tuning.h"

/* ---- tuned numbers --------------------------------------------------------------------------- */

enum {
    MOST_CHUNK = 16, /* points: a solution in 16 without a guess costs little */
    CHUNKS = 16      /* at least, if there are as many points: so many threads find work */
};
/* Few states are eliminated, which takes about as long as some hundred sweeps; from the solution of
 * a point nearby fewer do. */
enum { MOST_SWEEPS = 100 };
#define SWEPT_TOLERANCE 1e-2 /* of the caller's, as auto has it for sweeps; but no less than */
#define LEAST_TOLERANCE 1e-12
/* Solutions run side by side if the limit on memory is so many times what each takes at least: a
 * method may take more. */
#define ROOM 4.0

/* ---- points ---------------------------------------------------------------------------------- */

/* What a thread works with. */
typedef struct {
    LongRun *run; /* NULL until its first point */
    RateValues at;
    double *pi;
    int64_t iterations, failed; /* failed: -1, no point */
    bool ends;                  /* the failure: no further points are solved */
    double residual;
    PepaError err; /* of the failure */
} Solving;

typedef struct {
    const ExperimentJob *job;
    double *value;
    uint8_t *apart;
    PepaSettings set; /* of one solution */
    int64_t chunk;
    atomic_llong stop; /* points from here on need not be solved: one before them has failed */
    atomic_llong done;
    bool cancelled;
    Solving *solving;
    pthread_mutex_t lock; /* of job->processes */
} Run;

typedef struct {
    Run *run;
    int64_t point;
    int32_t worker;
} Watch;

/* The caller hears from its own thread only. */
static void tell(Run *run)
{
    const PepaSettings *set = run->job->set;
    const ExperimentJob *job = run->job;
    const double seconds = clock_seconds() - job->start;
    const int64_t done = job->done + atomic_load(&run->done);
    PepaProgress now = {.phase = "experiment",
                        .count = done,
                        .measure = (double)job->all,
                        .seconds = seconds,
                        .left = done ? seconds / (double)done * (double)(job->all - done) : -1};
    if (set->progress && set->progress(set->user, &now) != 0) {
        run->cancelled = true;
        atomic_store(&run->stop, -1);
    }
}

static void answer_others(Run *run)
{
    const PepaProcesses *p = run->job->processes;
    if (!p)
        return;
    pthread_mutex_lock(&run->lock);
    p->poll(p->user);
    pthread_mutex_unlock(&run->lock);
}

/* The progress of a solution: it is cancelled when its point is not needed. */
static int watch(void *user, const PepaProgress *now)
{
    const Watch *w = user;
    (void)now;
    if (w->worker == 0) {
        tell(w->run);
        answer_others(w->run);
    }
    return atomic_load(&w->run->stop) < w->point;
}

static PepaStatus prepare(const ExperimentJob *job, Solving *solving, PepaError *err)
{
    const Chain *chain = job->chain;
    const Model *model = chain->model;
    PepaStatus status = rate_values_new(&solving->at, &chain->rates, err);
    if (status != PEPA_OK)
        return status;
    /* rate_values_set does the rest */
    memcpy(solving->at.forced, job->base->forced, (size_t)model->rate_count * sizeof(double));
    if (!mem_new(solving->pi, chain->state_count))
        return error_memory(err);
    return longrun_new(&solving->run, chain, steady_form(chain), err);
}

/* What the points of a chunk have in common. */
typedef struct {
    bool warm;  /* solving->pi is a guess */
    bool sweep; /* sweeps may do where auto eliminates: they have not failed yet */
} Chunk;

static bool may_sweep(const Run *run)
{
    const PepaSolve *how = &run->set.solve;
    return run->job->chain->state_count <= FEW_STATES && how->method == PEPA_AUTO &&
           how->matrix != PEPA_MATRIX_FREE && how->precondition == PEPA_PRECONDITION_AUTO;
}

/* By sweeps from the guess; false: they do not converge soon, or may be wrong although they do. */
static bool swept(Solving *solving, const PepaSettings *set, PepaInfo *info)
{
    PepaSettings sweeps = *set;
    const double tolerance = set->solve.tolerance;
    sweeps.solve.method = PEPA_GAUSS_SEIDEL;
    sweeps.solve.max_iter = MOST_SWEEPS;
    sweeps.solve.tolerance = fmin(tolerance, fmax(SWEPT_TOLERANCE * tolerance, LEAST_TOLERANCE));
    PepaStatus status = longrun_solve(solving->run, &solving->at, &sweeps, solving->pi, info, NULL);
    return status == PEPA_OK && !info->caution[0];
}

static PepaStatus solve(Solving *solving, PepaSettings *set, Chunk *chunk, PepaError *err)
{
    PepaInfo info = {0};
    PepaStatus status = PEPA_OK;
    set->solve.warm_start = chunk->warm;
    if (chunk->warm && chunk->sweep) {
        chunk->sweep = swept(solving, set, &info);
        set->solve.warm_start = 0;
    }
    if (!chunk->warm || !chunk->sweep)
        status = longrun_solve(solving->run, &solving->at, set, solving->pi, &info, err);
    chunk->warm = status == PEPA_OK;
    solving->iterations += info.iterations;
    solving->residual = fmax(solving->residual, info.residual);
    return status;
}

static PepaStatus solve_point(Run *run, Solving *solving, int64_t k, int32_t worker, Chunk *chunk,
                              PepaError *err)
{
    const ExperimentJob *job = run->job;
    const size_t rates = (size_t)job->rates, items = (size_t)expressions_items(job->measures);
    Watch w = {run, k, worker};
    PepaSettings set = run->set;
    PepaStatus status = solving->run ? PEPA_OK : prepare(job, solving, err);
    if (status == PEPA_OK)
        status = rate_values_set(&solving->at, &job->chain->rates, rates, job->rate,
                                 job->point + (size_t)k * rates, err);
    run->apart[k] = status == PEPA_EARG;
    if (status != PEPA_OK)
        return run->apart[k] ? PEPA_OK : status;
    set.user = &w;
    status = solve(solving, &set, chunk, err);
    if (status == PEPA_OK)
        status = expressions_values(job->measures, &solving->at, solving->pi,
                                    run->value + (size_t)job->row[k] * items, err);
    return status;
}

static void no_values(const Run *run, int64_t k, PepaStatus status)
{
    const ExperimentJob *job = run->job;
    const size_t items = (size_t)expressions_items(job->measures), row = (size_t)job->row[k];
    for (size_t i = 0; i < items; i++)
        run->value[row * items + i] = NAN;
    job->status[row] = status;
}

/* Whether to go on all the same.  A thread takes chunks in order, so that the first failure that it
 * meets is its first point to fail. */
static bool fail_at(Run *run, Solving *solving, int64_t k, const PepaError *err)
{
    long long stop = atomic_load(&run->stop);
    const bool ends = !run->job->status || !experiment_of_point(err->code);
    if (solving->failed < 0 || ends) {
        solving->failed = k;
        solving->err = *err;
        solving->ends = ends;
    }
    if (!ends)
        no_values(run, k, err->code);
    while (ends && k < stop && !atomic_compare_exchange_weak(&run->stop, &stop, k))
        ;
    return !ends;
}

static void solve_chunk(void *user, int32_t index, int32_t worker)
{
    Run *run = user;
    Solving *solving = &run->solving[worker];
    const int64_t first = index * run->chunk, points = run->job->points;
    const int64_t end = first + run->chunk < points ? first + run->chunk : points;
    Chunk chunk = {.sweep = may_sweep(run)};
    for (int64_t k = first; k < end && k <= atomic_load(&run->stop); k++) {
        PepaError err = {0};
        if (solve_point(run, solving, k, worker, &chunk, &err) != PEPA_OK &&
            !fail_at(run, solving, k, &err))
            return;
        if (!run->job->processes)
            atomic_fetch_add(&run->done, 1);
        if (worker == 0)
            tell(run);
    }
}

/* Of processes: all chunks before it are solved, or nearly so. */
static int64_t take_chunk(Run *run)
{
    const PepaProcesses *p = run->job->processes;
    pthread_mutex_lock(&run->lock);
    const int64_t chunk = p->take(p->user), first = chunk * run->chunk;
    pthread_mutex_unlock(&run->lock);
    atomic_store(&run->done, first < run->job->points ? first : run->job->points);
    return chunk;
}

/* After a failure all further ones are taken at once, and left alone. */
static void solve_taken(void *user, int32_t index, int32_t worker)
{
    Run *run = user;
    const int64_t chunks = (run->job->points + run->chunk - 1) / run->chunk;
    (void)index;
    for (int64_t chunk = take_chunk(run); chunk < chunks; chunk = take_chunk(run))
        solve_chunk(run, (int32_t)chunk, worker);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int64_t chunk_of(int64_t points)
{
    int64_t chunk = points / CHUNKS;
    return chunk < 1 ? 1 : chunk > MOST_CHUNK ? MOST_CHUNK : chunk;
}

/* How many chunks are solved at a time. */
static int32_t side_by_side(const ExperimentJob *job, int64_t chunks)
{
    const SteadyForm *form = steady_form(job->chain);
    const PepaSettings *set = job->set;
    double most = fmin(fmin(set->threads, (double)chunks), MOST_WORKERS);
    double need = form->bytes_kept(job->chain) + form->bytes_needed(job->chain, set);
    if (set->memory)
        most = fmin(most, floor((double)set->memory / (ROOM * need)));
    return most < 1 ? 1 : (int32_t)most;
}

/* A failure that ends all comes before others, then that of an earlier point. */
static bool comes_before(const Solving *a, const Solving *b)
{
    return !b || (a->ends == b->ends ? a->failed < b->failed : a->ends);
}

/* What the threads have found together. */
static PepaStatus collect(const Run *run, int32_t threads, ExperimentFound *found, PepaError *err)
{
    const Solving *first = NULL;
    *found = (ExperimentFound){.failed = -1};
    for (int32_t i = 0; i < threads; i++) {
        const Solving *solving = &run->solving[i];
        found->iterations += solving->iterations;
        found->residual = fmax(found->residual, solving->residual);
        if (solving->failed >= 0 && comes_before(solving, first))
            first = solving;
    }
    if (run->cancelled)
        return error_set(err, PEPA_ECANCEL, "cancelled");
    if (!first)
        return PEPA_OK;
    found->failed = first->failed;
    if (err)
        *err = first->err;
    return first->err.code;
}

bool experiment_of_point(PepaStatus status)
{
    return status == PEPA_EMODEL || status == PEPA_ELIMIT || status == PEPA_ENOCONV;
}

PepaStatus experiment_points(const ExperimentJob *job, double *value, uint8_t *apart,
                             ExperimentFound *found, PepaError *err)
{
    Run run = {.job = job, .value = value, .apart = apart, .set = *job->set};
    if (pthread_mutex_init(&run.lock, NULL) != 0)
        return error_memory(err);
    run.chunk = chunk_of(job->points);
    atomic_init(&run.stop, INT64_MAX);
    atomic_init(&run.done, 0);
    *found = (ExperimentFound){.failed = -1};
    PepaStatus status = longrun_check_memory(job->chain, job->set, err);
    if (status != PEPA_OK) {
        (void)pthread_mutex_destroy(&run.lock);
        return status;
    }
    const int64_t chunks = (job->points + run.chunk - 1) / run.chunk;
    const int32_t threads = side_by_side(job, chunks);
    Workers *workers = workers_new(threads);
    run.set.evidence = NULL;
    run.set.solve.keeping = NULL; /* a point takes no notice of others */
    run.set.progress = watch;
    run.set.threads = job->set->threads / threads;
    if (workers && mem_new_scratch(run.solving, threads)) {
        for (int32_t i = 0; i < threads; i++)
            run.solving[i].failed = -1;
        tell(&run); /* others may solve all points before this thread has one, and the last ones */
        if (job->processes)
            workers_run(workers, threads, solve_taken, &run);
        else
            workers_run(workers, (int32_t)chunks, solve_chunk, &run);
        tell(&run);
        status = collect(&run, threads, found, err);
    } else {
        status = error_memory(err);
    }
    for (int32_t i = 0; run.solving && i < threads; i++) {
        longrun_free(run.solving[i].run);
        rate_values_free(&run.solving[i].at);
        mem_free(run.solving[i].pi);
    }
    workers_free(workers);
    mem_free(run.solving);
    (void)pthread_mutex_destroy(&run.lock);
    return status;
}
