/* Experiments by simulation: each point is a model of its own, read again with its rates. */
#include <math.h>
#include <string.h>

#include "api/experiment_axes.h"
#include "api/queries.h"
#include "api/simulating.h"
#include "base/clock.h"
#include "measure/experiment.h"

typedef struct {
    const PepaModel *model;
    const PepaMeasures *measures;
    const PepaProcesses *processes; /* NULL: this one is alone */
    PepaSettings set, given;        /* given: the caller's, for his progress */
    Axes axes;
    SimulationJob job;
    PepaDefine *define;
    PepaEstimate *value; /* the caller's */
    size_t each;         /* estimates of a point */
    Failures failures;
    PepaExperimentInfo info;
    double start;
} Experiment;

/* ---- one point -------------------------------------------------------------------------------- */

static PepaStatus read_point(const Experiment *x, int64_t row, PepaModel **out, PepaError *err)
{
    const Model *model = x->model->model;
    size_t defines = 0;
    for (int32_t r = 0; r < model->rate_count; r++)
        if (model->rates[r].given)
            x->define[defines++] = (PepaDefine){model->rates[r].name, model->rates[r].value.value};
    for (int32_t a = 0; a < x->axes.count; a++)
        x->define[defines++] =
            (PepaDefine){x->axes.axis[a].vary->rate, axis_value(&x->axes.axis[a], row)};
    return pepa_model_parse(out, model->source.name, model->source.text, model->source.length,
                            &(PepaReading){.defines = x->define, .define_count = defines}, err);
}

static PepaStatus copy_query(const Experiment *x, const PepaModel *model, Query *out,
                             PepaError *err)
{
    DiagList diags = {0};
    PepaStatus status = query_copy(out, &x->measures->query, model->model, &diags);
    if (status == PEPA_EARG && diags.errors)
        (void)error_set(err, PEPA_EARG, "%s", diags.items[0].message);
    else if (status == PEPA_ENOMEM)
        (void)error_memory(err);
    diag_free(&diags);
    return status;
}

/* Others are simulated all the same. */
static PepaStatus no_values(Experiment *x, int64_t row, PepaStatus status)
{
    for (size_t i = 0; i < x->each; i++)
        x->value[(size_t)row * x->each + i] = (PepaEstimate){NAN, NAN, NAN};
    x->failures.status[row] = status;
    return PEPA_OK;
}

static PepaStatus simulate_point(Experiment *x, int64_t row, PepaError *err)
{
    PepaModel *model = NULL;
    Query query = {0};
    SimulationFound found = {0};
    PepaStatus status = read_point(x, row, &model, err);
    if (status == PEPA_OK)
        status = copy_query(x, model, &query, err);
    if (status == PEPA_OK)
        status = simulating_run(model, &query, &x->job, &x->set, x->value + (size_t)row * x->each,
                                &found, err);
    if (status != PEPA_OK && failures_note(&x->failures, row, err))
        status = no_values(x, row, status);
    if (status != PEPA_OK && status != PEPA_ECANCEL)
        x->info.failed = row;
    x->info.points++;
    x->info.events += found.activities;
    x->info.runs = found.runs > x->info.runs ? found.runs : x->info.runs;
    x->info.width = fmax(x->info.width, found.width);
    x->info.length = fmax(x->info.length, found.length);
    query_free(&query);
    pepa_model_free(model);
    return status;
}

static PepaStatus pace_of(const Experiment *x, int64_t row, double *pace, PepaError *err)
{
    PepaModel *model = NULL;
    PepaStatus status = read_point(x, row, &model, err);
    if (status == PEPA_OK)
        status = simulating_pace(model, &x->job, &x->set, pace, err);
    pepa_model_free(model);
    return status;
}

/* The pace of the first point is that of all; if it fails and others are simulated all the same, of
 * the first of these. */
static PepaStatus find_pace(Experiment *x, PepaError *err)
{
    const bool go_on = x->failures.status != NULL;
    double pace = 0;
    int64_t row = 0;
    PepaStatus status = pace_of(x, row, &pace, err);
    while (go_on && experiment_of_point(status) && ++row < x->axes.points)
        status = pace_of(x, row, &pace, err);
    x->job.pace = pace;
    if (go_on && experiment_of_point(status))
        return PEPA_OK; /* all fail, each for its own reason */
    if (status != PEPA_OK && status != PEPA_ECANCEL)
        x->info.failed = row;
    return status;
}

/* ---- all points ------------------------------------------------------------------------------- */

/* Points done, also while one is simulated. */
static int tell(void *user, const PepaProgress *now)
{
    const Experiment *x = user;
    const double seconds = clock_seconds() - x->start;
    const int64_t done = x->info.points;
    const PepaProgress all = {.phase = "experiment",
                              .count = done,
                              .measure = (double)x->axes.points,
                              .seconds = seconds,
                              .left = done
                                          ? seconds / (double)done * (double)(x->axes.points - done)
                                          : -1};
    (void)now;
    if (x->processes)
        x->processes->poll(x->processes->user);
    return x->given.progress ? x->given.progress(x->given.user, &all) : 0;
}

static PepaStatus simulate_all(Experiment *x, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    for (int64_t row = 0; row < x->axes.points && status == PEPA_OK; row++)
        status = simulate_point(x, row, err);
    return status;
}

/* Processes take points in turn; after a failure, all that are left at once. */
static PepaStatus take_points(Experiment *x, PepaError *err)
{
    const PepaProcesses *p = x->processes;
    PepaStatus status = PEPA_OK;
    int64_t failed = 0;
    p->deal(p->user);
    for (int64_t row = p->take(p->user); row < x->axes.points; row = p->take(p->user)) {
        if (status != PEPA_OK)
            continue;
        status = simulate_point(x, row, err);
        failed = row;
        p->poll(p->user);
    }
    return experiment_settle(p, status, (double)failed, &x->info.failed, err);
}

static void gather(Experiment *x)
{
    const PepaProcesses *p = x->processes;
    double sums[] = {(double)x->info.events},
           most[] = {(double)x->info.runs, x->info.width, x->info.length};
    _Static_assert(sizeof(PepaEstimate) == 3 * sizeof(double), "estimates are three numbers each");
    experiment_sum(p, &x->value->value, 3 * (size_t)x->axes.points * x->each);
    p->sum(p->user, sums, 1);
    p->largest(p->user, most, 3);
    x->info.events = (int64_t)sums[0];
    x->info.runs = (int64_t)most[0];
    x->info.width = most[1];
    x->info.length = most[2];
    x->info.points = x->axes.points;
}

static PepaStatus prepare(Experiment *x, const PepaExperiment *what, const PepaSettings *set,
                          PepaError *err)
{
    const Model *model = x->model->model;
    PepaStatus status = settings_complete(&x->given, set, err);
    x->set = x->given;
    x->set.derive.diagnose = NULL;
    x->set.progress = tell;
    x->set.user = x;
    if (status == PEPA_OK)
        status = axes_new(&x->axes, model, what, err);
    if (status == PEPA_OK && !mem_new(x->define, model->rate_count + x->axes.count))
        status = error_memory(err);
    if (status == PEPA_OK && what->status)
        memset(what->status, 0, (size_t)x->axes.points * sizeof *what->status);
    return status == PEPA_OK ? find_pace(x, err) : status;
}

PepaStatus pepa_experiment_simulate(const PepaModel *model, const PepaMeasures *measures,
                                    const PepaExperiment *what, const PepaSimulation *how,
                                    const PepaSettings *set, PepaEstimate *value,
                                    PepaExperimentInfo *info, PepaError *err)
{
    PepaError why = {0};
    err = err ? err : &why;
    if (!model || !measures || !what || !how || !value)
        return error_null(err, "pepa_experiment_simulate");
    if (measures->owner != model)
        return error_set(err, PEPA_EARG, "the measures are of another model");
    PepaStatus status = experiment_check(what, err);
    if (status == PEPA_OK)
        status = simulating_check(how, err);
    if (status != PEPA_OK)
        return status;
    Experiment x = {.model = model,
                    .measures = measures,
                    .processes = what->processes,
                    .job = simulating_job(how),
                    .value = value,
                    .start = clock_seconds(),
                    .failures.status = what->status,
                    .info.failed = -1};
    x.each = x.job.count * measures->query.item_count;
    status = prepare(&x, what, set, err);
    status = experiment_settle(x.processes, status, 0, &x.info.failed, err);
    if (x.processes && status == PEPA_OK)
        memset(value, 0, (size_t)x.axes.points * x.each * sizeof *value);
    if (status == PEPA_OK)
        status = x.processes ? take_points(&x, err) : simulate_all(&x, err);
    if (x.processes && status == PEPA_OK)
        gather(&x);
    if (status == PEPA_OK)
        status = failures_end(&x.failures, x.processes, x.axes.points, &x.info.points,
                              &x.info.failed, err);
    x.info.seconds = clock_seconds() - x.start;
    if (info && (status == PEPA_OK || x.info.failed >= 0))
        *info = x.info;
    axes_free(&x.axes);
    mem_free(x.define);
    return status;
}
