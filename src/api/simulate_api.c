/* What a model does, by simulation. */
#include "pepa_simulate.h"

#include <math.h>

#include "api/queries.h"
#include "api/simulating.h"
#include "base/clock.h"
#include "measure/local_ends.h"
#include "measure/simulate_rare.h"

#define DEFAULT_CONFIDENCE 0.95
#define MOST_RUNS          1e15 /* of which a double counts each */
static const int64_t default_runs = 1000, default_long_runs = 32, most_long_runs = 65536,
                     default_events = 10000000000, default_long_events = 100000000;

PepaStatus simulating_one_run(PepaError *err)
{
    return error_set(err, PEPA_EARG, "one run has no confidence interval: ask for two or more");
}

PepaStatus simulating_check(const PepaSimulation *how, PepaError *err)
{
    if (!ALL_ZERO(how->reserved))
        return error_set(err, PEPA_EARG,
                         "PepaSimulation: reserved words must be 0; is the library older than "
                         "pepa_simulate.h?");
    if (how->runs < 0 || how->events < 0 || (double)how->runs > MOST_RUNS ||
        (double)how->events > MOST_RUNS)
        return error_set(err, PEPA_EARG, "runs and events must be >= 0, and at most 1e15");
    if (how->steady && how->runs > most_long_runs)
        return error_set(err, PEPA_EARG, "at most %lld long runs", (long long)most_long_runs);
    if (!how->steady && how->runs == 1)
        return simulating_one_run(err);
    if (!(how->confidence >= 0 && how->confidence < 1))
        return error_set(err, PEPA_EARG, "the confidence must be between 0 and 1");
    if (!(how->relative_width >= 0 && how->relative_width < HUGE_VAL))
        return error_set(err, PEPA_EARG, "the relative width must be a number >= 0");
    return how->steady ? PEPA_OK : times_check(how->time, how->count, err);
}

static PepaStatus check(const PepaModel *model, const PepaMeasures *measures,
                        const PepaSimulation *how, PepaError *err)
{
    if (measures->owner != model)
        return error_set(err, PEPA_EARG, "the measures are of another model");
    return simulating_check(how, err);
}

static int64_t or_default(int64_t given, int64_t otherwise)
{
    return given ? given : otherwise;
}

SimulationJob simulating_job(const PepaSimulation *how)
{
    const bool until_narrow = how->relative_width > 0;
    return (SimulationJob){.time = how->steady ? NULL : how->time,
                           .count = how->steady ? 1 : how->count,
                           .runs = or_default(how->runs, how->steady    ? default_long_runs
                                                         : until_narrow ? (int64_t)MOST_RUNS
                                                                        : default_runs),
                           .confidence = how->confidence > 0 ? how->confidence : DEFAULT_CONFIDENCE,
                           .width = how->relative_width,
                           .activities = or_default(how->events, how->steady && !until_narrow
                                                                     ? default_long_events
                                                                     : default_events),
                           .seed = how->seed};
}

PepaStatus simulating_run(const PepaModel *model, const Query *query, const SimulationJob *job,
                          const PepaSettings *set, PepaEstimate *out, SimulationFound *found,
                          PepaError *err)
{
    Simulation s = {0};
    DiagList diags = {0};
    Estimate *estimates = NULL;
    PepaStatus status = simulation_new(&s, model->model, query, set, &diags, err);
    if (status == PEPA_OK && !mem_new(estimates, job->count * query->item_count))
        status = error_memory(err);
    if (status == PEPA_OK)
        status = job->time ? simulate_times(&s, job, estimates, found, &diags, err)
                           : simulate_steady(&s, job, estimates, found, &diags, err);
    for (size_t i = 0; i < job->count * query->item_count && status == PEPA_OK; i++)
        out[i] = (PepaEstimate){estimates[i].value, estimates[i].low, estimates[i].high};
    if (status == PEPA_EMODEL)
        status = diagnose_all(&diags, &model->model->source, set->derive.diagnose, set->user,
                              status, err);
    diag_free(&diags);
    mem_free(estimates);
    simulation_free(&s);
    return status;
}

PepaStatus simulating_pace(const PepaModel *model, const SimulationJob *job,
                           const PepaSettings *set, double *pace, PepaError *err)
{
    static const Query nothing = {0};
    Simulation s = {0};
    DiagList diags = {0};
    PepaStatus status = simulation_new(&s, model->model, &nothing, set, &diags, err);
    if (status == PEPA_OK)
        status = simulation_pace(&s, job, pace, &diags, err);
    if (status == PEPA_EMODEL)
        status = diagnose_all(&diags, &model->model->source, set->derive.diagnose, set->user,
                              status, err);
    *pace = *pace < HUGE_VAL ? *pace : 1;
    diag_free(&diags);
    simulation_free(&s);
    return status;
}

PepaStatus pepa_simulate_measures(const PepaModel *model, const PepaMeasures *measures,
                                  const PepaSimulation *how, const PepaSettings *set,
                                  PepaEstimate *out, PepaSimulationInfo *info, PepaError *err)
{
    if (!model || !measures || !how || !out)
        return error_null(err, "pepa_simulate_measures");
    PepaSettings all;
    SimulationFound found = {0};
    const double start = clock_seconds();
    PepaStatus status = settings_complete(&all, set, err);
    if (status == PEPA_OK)
        status = check(model, measures, how, err);
    if (status == PEPA_OK) {
        const SimulationJob job = simulating_job(how);
        status = simulating_run(model, &measures->query, &job, &all, out, &found, err);
    }
    int32_t ends = -1;
    if (status == PEPA_OK && how->steady)
        status = local_ends(&ends, model->model, err);
    if (status == PEPA_OK && info)
        *info =
            (PepaSimulationInfo){.ends = ends < 0 ? NULL : model->model->locals[ends].name,
                                 .runs = found.runs,
                                 .events = found.activities,
                                 .length = found.length,
                                 .warm_up = found.warm_up,
                                 .width = found.width,
                                 .seldom = found.seldom,
                                 .visits = found.seldom >= 0 ? (int32_t)found.visits : -1,
                                 .seconds = clock_seconds() - start};
    return status;
}

/* ---- rare events ------------------------------------------------------------------------------ */

#define DEFAULT_RARE_WIDTH 0.1
static const int64_t default_rare_events = 1000000000;

void pepa_rare_levels_free(PepaRareLevels *levels, int32_t count)
{
    for (int32_t i = 0; levels && i < count; i++) {
        mem_free_all(levels[i].distance, levels[i].split);
        levels[i] = (PepaRareLevels){0};
    }
}

static bool keep_levels(PepaRareLevels *out, const RareLevels *levels, const double *nearest)
{
    if (!mem_new(out->distance, levels->count) || !mem_new(out->split, levels->count))
        return false;
    out->count = levels->count;
    for (int32_t i = 0; i < levels->count; i++) {
        out->distance[i] = nearest[i] < 0 ? -nearest[i] : 0;
        out->split[i] = levels->split[i];
    }
    return true;
}

/* One measure; estimates are job->count. */
static PepaStatus simulate_one(Simulation *s, const SimulationJob *job, int32_t item,
                               Estimate *estimates, PepaRareLevels *levels,
                               PepaSimulationInfo *info, PepaError *err)
{
    RareLevels used;
    double nearest[RARE_LEVELS];
    SimulationFound found = {.activities = info->events};
    PepaStatus status = simulate_rare(s, job, item, estimates, &found, &used, nearest, err);
    if (status != PEPA_OK)
        return status;
    info->events = found.activities;
    info->runs = found.runs > info->runs ? found.runs : info->runs;
    info->length = fmax(info->length, found.length);
    info->warm_up = fmax(info->warm_up, found.warm_up);
    info->width = fmax(info->width, found.width);
    if (found.tail < HUGE_VAL && !(info->tail > 0 && info->tail <= found.tail))
        info->tail = found.tail;
    return !levels || keep_levels(levels, &used, nearest) ? PEPA_OK : error_memory(err);
}

static PepaStatus simulate_rarely(const PepaModel *model, const Query *query,
                                  const SimulationJob *job, const PepaSettings *set,
                                  PepaEstimate *out, PepaRareLevels *levels,
                                  PepaSimulationInfo *info, PepaError *err)
{
    Simulation s = {.set = NULL};
    DiagList diags = {0};
    Estimate *estimates = NULL;
    const size_t items = query->item_count;
    PepaStatus status = simulation_new(&s, model->model, query, set, &diags, err);
    if (status == PEPA_OK && (s.chain.system->preempts || s.clocks))
        status = error_set(err, PEPA_EARG,
                           "rare events are not simulated where activities are immediate, have "
                           "priorities, or durations that are not exponential; a chain has the "
                           "former: pepa solve, pepa transient");
    if (status == PEPA_OK)
        status = rare_check(&s, err);
    if (status == PEPA_OK && !mem_new(estimates, job->count))
        status = error_memory(err);
    for (size_t i = 0; i < items && status == PEPA_OK; i++) {
        status =
            simulate_one(&s, job, (int32_t)i, estimates, levels ? &levels[i] : NULL, info, err);
        for (size_t j = 0; j < job->count && status == PEPA_OK; j++)
            out[j * items + i] =
                (PepaEstimate){estimates[j].value, estimates[j].low, estimates[j].high};
    }
    if (status == PEPA_EMODEL)
        status = diagnose_all(&diags, &model->model->source, set->derive.diagnose, set->user,
                              status, err);
    diag_free(&diags);
    mem_free(estimates);
    simulation_free(&s);
    return status;
}

PepaStatus pepa_simulate_rare(const PepaModel *model, const PepaMeasures *measures,
                              const PepaSimulation *how, const PepaSettings *set, PepaEstimate *out,
                              PepaRareLevels *levels, PepaSimulationInfo *info, PepaError *err)
{
    if (!model || !measures || !how || !out)
        return error_null(err, "pepa_simulate_rare");
    PepaSettings all;
    PepaSimulationInfo found = {0};
    const double start = clock_seconds();
    const size_t items = measures->query.item_count;
    for (size_t i = 0; levels && i < items; i++)
        levels[i] = (PepaRareLevels){0};
    PepaStatus status = settings_complete(&all, set, err);
    if (status == PEPA_OK)
        status = check(model, measures, how, err);
    if (status == PEPA_OK && how->runs == 1)
        status = simulating_one_run(err);
    if (status == PEPA_OK) {
        SimulationJob job = simulating_job(how);
        job.activities = how->events ? how->events : default_rare_events;
        if (!how->runs && !(how->relative_width > 0))
            job.width = DEFAULT_RARE_WIDTH;
        if (!how->runs)
            job.runs = (int64_t)MOST_RUNS;
        status = simulate_rarely(model, &measures->query, &job, &all, out, levels, &found, err);
    }
    found.seconds = clock_seconds() - start;
    if (status == PEPA_OK && info)
        *info = found;
    if (status != PEPA_OK)
        pepa_rare_levels_free(levels, (int32_t)items);
    return status;
}
