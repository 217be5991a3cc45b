/* Experiments: points that share a structure go to one chain; chains are derived for the others. */
#include "pepa_experiment.h"

#include <math.h>
#include <string.h>

#include "api/experiment_axes.h"
#include "api/queries.h"
#include "base/processes.h"
#include "base/budget.h"
#include "base/clock.h"
#include "measure/experiment.h"

typedef struct {
    const PepaChain *chain;
    const PepaMeasures *measures;
    const PepaProcesses *processes; /* NULL: this one is alone */
    PepaSettings set;
    Axes axes;
    int32_t free;              /* axes that are not structural */
    int64_t structures, group; /* group: points of a structure */
    int32_t *rate;             /* of the free axes, and their values at the points of a structure */
    double *point;
    int64_t *row; /* of these points, from the first of the structure */
    uint8_t *apart;
    double *value; /* the caller's */
    PepaDefine *define;
    Failures failures;
    PepaExperimentInfo info;
    double start;
} Experiment;

/* ---- axes ------------------------------------------------------------------------------------ */

static PepaStatus find_axes(Experiment *x, const PepaExperiment *what, PepaError *err)
{
    PepaStatus status = axes_new(&x->axes, x->chain->chain->model, what, err);
    x->structures = x->group = 1;
    for (int32_t a = 0; a < x->axes.count && status == PEPA_OK; a++) {
        const Axis *axis = &x->axes.axis[a];
        x->free += !axis->structural;
        *(axis->structural ? &x->structures : &x->group) *= (int64_t)axis->vary->count;
    }
    return status;
}

/* The row of point k of a structure, or the first row of structure k: the axes of this kind run
 * through their values, the others stay at their first. */
static int64_t row_of(const Experiment *x, bool structural, int64_t k)
{
    int64_t row = 0;
    for (int32_t a = x->axes.count; a-- > 0;) {
        const int64_t count = (int64_t)x->axes.axis[a].vary->count;
        if (x->axes.axis[a].structural != structural)
            continue;
        row += k % count * x->axes.axis[a].stride;
        k /= count;
    }
    return row;
}

static PepaStatus lay_out(Experiment *x, PepaError *err)
{
    const Model *model = x->chain->chain->model;
    int32_t f = 0;
    if (!mem_new(x->rate, x->free) || !mem_new(x->point, x->group * x->free) ||
        !mem_new(x->row, x->group) || !mem_new(x->apart, x->group) ||
        !mem_new(x->define, model->rate_count + x->axes.count))
        return error_memory(err);
    for (int64_t k = 0; k < x->group; k++)
        x->row[k] = row_of(x, false, k);
    for (int32_t a = 0; a < x->axes.count; a++) {
        if (x->axes.axis[a].structural)
            continue;
        x->rate[f] = x->axes.axis[a].rate;
        for (int64_t k = 0; k < x->group; k++)
            x->point[k * x->free + f] = axis_value(&x->axes.axis[a], x->row[k]);
        f++;
    }
    return PEPA_OK;
}

/* ---- processes ------------------------------------------------------------------------------- */

static PepaStatus settle(Experiment *x, PepaStatus status, double order, PepaError *err)
{
    return experiment_settle(x->processes, status, order, &x->info.failed, err);
}

/* What one process has found, and is 0 in others, becomes that of all. */
static void gather_flags(const Experiment *x)
{
    enum { AT_ONCE = 512 };
    double flag[AT_ONCE];
    for (int64_t first = 0; first < x->group; first += AT_ONCE) {
        const int64_t left = x->group - first, count = left < AT_ONCE ? left : AT_ONCE;
        for (int64_t i = 0; i < count; i++)
            flag[i] = x->apart[first + i];
        x->processes->sum(x->processes->user, flag, (int32_t)count);
        for (int64_t i = 0; i < count; i++)
            x->apart[first + i] = flag[i] != 0;
    }
}

static size_t values(const Experiment *x)
{
    return (size_t)x->axes.points * (size_t)x->measures->query.item_count;
}

static void gather(Experiment *x)
{
    const PepaProcesses *p = x->processes;
    double sums[] = {(double)x->info.derived, (double)x->info.iterations};
    experiment_sum(p, x->value, values(x));
    p->sum(p->user, sums, 2);
    p->largest(p->user, &x->info.residual, 1);
    p->largest(p->user, &x->info.derive_seconds, 1);
    x->info.derived = (int64_t)sums[0];
    x->info.iterations = (int64_t)sums[1];
    x->info.points = x->axes.points;
}

/* ---- points ---------------------------------------------------------------------------------- */

static double present(const PepaChain *chain, int32_t rate)
{
    const RateValues *now = &chain->chain->now;
    return isnan(now->forced[rate]) ? now->rate[rate].value : now->forced[rate];
}

/* The model of a point: as the chain's was read, with the rates that it was given since, and those
 * of the axes: all, or the structural ones. */
static PepaStatus read_again(const Experiment *x, int64_t row, bool all, PepaModel **out,
                             PepaError *err)
{
    const Model *model = x->chain->chain->model;
    size_t defines = 0;
    for (int32_t r = 0; r < model->rate_count; r++)
        if (model->rates[r].given || !isnan(x->chain->chain->now.forced[r]))
            x->define[defines++] = (PepaDefine){model->rates[r].name, present(x->chain, r)};
    for (int32_t a = 0; a < x->axes.count; a++)
        if (all || x->axes.axis[a].structural)
            x->define[defines++] =
                (PepaDefine){x->axes.axis[a].vary->rate, axis_value(&x->axes.axis[a], row)};
    return pepa_model_parse(out, model->source.name, model->source.text, model->source.length,
                            &(PepaReading){.defines = x->define, .define_count = defines}, err);
}

/* The memory that a chain may take beside the caller's. */
static PepaSettings beside(const Experiment *x, const PepaChain *chain)
{
    PepaSettings set = x->set;
    if (chain != x->chain)
        set.memory = budget_left(set.memory, chain_bytes(x->chain->chain));
    return set;
}

/* After a failure at x->info.failed: PEPA_OK if others are solved all the same.
 *   points  that failed all together, the first of which stands for row `first`; 0: each that failed
 *           has been marked */
static PepaStatus go_on(Experiment *x, PepaStatus status, int64_t points, int64_t first,
                        const PepaError *err)
{
    const size_t items = (size_t)x->measures->query.item_count;
    if (status == PEPA_OK || !failures_note(&x->failures, x->info.failed, err))
        return status;
    for (int64_t k = 0; k < points; k++) {
        const size_t row = (size_t)(first + x->row[k]);
        x->failures.status[row] = status;
        for (size_t i = 0; i < items; i++)
            x->value[row * items + i] = NAN;
    }
    x->info.failed = -1;
    return PEPA_OK;
}

/* The points of a job on a chain; x->row[0], which is 0, stands for row `first`. */
static PepaStatus solve_on(Experiment *x, const PepaChain *chain, const Query *query,
                           ExperimentJob *job, int64_t first, uint8_t *apart, PepaError *err)
{
    const PepaSettings set = beside(x, chain);
    PepaStatus *statuses = x->failures.status;
    Expressions *e = NULL;
    ExperimentFound found = {.failed = -1};
    PepaStatus status = expressions_new(&e, query, chain->chain, err);
    if (status == PEPA_OK) {
        job->chain = chain->chain;
        job->base = &chain->chain->now;
        job->measures = e;
        job->set = &set;
        job->rate = x->rate;
        job->row = x->row;
        job->status = statuses ? statuses + first : NULL;
        job->done = x->info.points;
        job->all = x->axes.points;
        job->start = x->start;
        status = experiment_points(job, x->value + (size_t)first * query->item_count, apart, &found,
                                   err);
    }
    if (status != PEPA_OK && status != PEPA_ECANCEL)
        x->info.failed = first + (found.failed < 0 ? 0 : x->row[found.failed]);
    x->info.iterations += found.iterations;
    x->info.residual = fmax(x->info.residual, found.residual);
    expressions_free(e);
    return go_on(x, status, found.failed < 0 ? job->points : 0, first, err);
}

/* Derive a chain for a row, and the measures for it. */
static PepaStatus derive_again(Experiment *x, int64_t row, bool all, PepaChain **chain,
                               Query *query, PepaError *err)
{
    const double begin = clock_seconds();
    PepaModel *model = NULL;
    DiagList diags = {0};
    PepaSettings set = beside(x, NULL);
    set.derive.diagnose = NULL;
    PepaStatus status = read_again(x, row, all, &model, err);
    if (status == PEPA_OK)
        status = pepa_chain_derive(chain, model, &set, err);
    if (status == PEPA_OK)
        status = query_copy(query, &x->measures->query, model->model, &diags);
    if (status == PEPA_EARG && diags.errors)
        (void)error_set(err, PEPA_EARG, "%s", diags.items[0].message);
    else if (status == PEPA_ENOMEM)
        (void)error_memory(err);
    diag_free(&diags);
    pepa_model_free(model); /* the chain shares it */
    x->info.derived++;
    x->info.derive_seconds += clock_seconds() - begin;
    if (status != PEPA_OK)
        x->info.failed = row;
    return status;
}

/* A point that has a structure of its own. */
static PepaStatus solve_apart(Experiment *x, int64_t row, PepaError *err)
{
    PepaChain *chain = NULL;
    Query query = {0};
    uint8_t apart;
    ExperimentJob one = {.points = 1};
    PepaStatus status = derive_again(x, row, true, &chain, &query, err);
    status = status == PEPA_OK ? solve_on(x, chain, &query, &one, row, &apart, err)
                               : go_on(x, status, 1, row, err);
    x->info.points++;
    query_free(&query);
    pepa_chain_free(chain);
    return status;
}

/* Processes take chunks of points; and then, one by one, those that have a structure of their own. */
static PepaStatus solve_together(Experiment *x, int64_t first, const PepaChain *chain,
                                 const Query *query, ExperimentJob *job, PepaError *err)
{
    const PepaProcesses *p = x->processes;
    int64_t apart = 0, taken;
    job->processes = p;
    p->deal(p->user);
    PepaStatus status = solve_on(x, chain, query, job, first, x->apart, err);
    status = settle(x, status, (double)(x->info.failed + 1), err);
    if (status != PEPA_OK)
        return status;
    gather_flags(x);
    p->deal(p->user);
    taken = p->take(p->user);
    for (int64_t k = 0; k < x->group && status == PEPA_OK; k++)
        if (x->apart[k] && apart++ == taken) {
            status = solve_apart(x, first + x->row[k], err);
            taken = p->take(p->user);
        }
    return settle(x, status, (double)(x->info.failed + 1), err);
}

/* All points of a structure, whose first row is `first`, on its chain. */
static PepaStatus solve_structure(Experiment *x, int64_t first, const PepaChain *chain,
                                  const Query *query, PepaError *err)
{
    int64_t here = 0;
    ExperimentJob job = {.rates = x->free, .point = x->point, .points = x->group};
    const bool together = x->processes && x->structures == 1;
    memset(x->apart, 0, (size_t)x->group);
    if (together)
        return solve_together(x, first, chain, query, &job, err);
    PepaStatus status = solve_on(x, chain, query, &job, first, x->apart, err);
    for (int64_t k = 0; k < x->group && status == PEPA_OK; k++)
        here += !x->apart[k];
    x->info.points += here;
    for (int64_t k = 0; k < x->group && status == PEPA_OK; k++)
        if (x->apart[k])
            status = solve_apart(x, first + x->row[k], err);
    return status;
}

/* Whether the chain has the structure of the points from row `first` on. */
static bool has_structure(const Experiment *x, int64_t first)
{
    for (int32_t a = 0; a < x->axes.count; a++)
        if (x->axes.axis[a].structural &&
            present(x->chain, x->axes.axis[a].rate) != axis_value(&x->axes.axis[a], first))
            return false;
    return true;
}

static PepaStatus solve_next(Experiment *x, int64_t structure, PepaError *err)
{
    const int64_t first = row_of(x, true, structure);
    PepaChain *chain = NULL;
    Query query = {0};
    if (has_structure(x, first))
        return solve_structure(x, first, x->chain, &x->measures->query, err);
    PepaStatus status = derive_again(x, first, false, &chain, &query, err);
    if (status == PEPA_OK) {
        status = solve_structure(x, first, chain, &query, err);
    } else {
        status = go_on(x, status, x->group, first, err);
        x->info.points += x->group;
    }
    query_free(&query);
    pepa_chain_free(chain);
    return status;
}

static PepaStatus solve_all(Experiment *x, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    for (int64_t s = 0; s < x->structures && status == PEPA_OK; s++)
        status = solve_next(x, s, err);
    return status;
}

/* Processes take structures in turn; after a failure, all that are left at once. */
static PepaStatus take_structures(Experiment *x, PepaError *err)
{
    const PepaProcesses *p = x->processes;
    PepaStatus status = PEPA_OK;
    int64_t failed = 0;
    p->deal(p->user);
    for (int64_t s = p->take(p->user); s < x->structures; s = p->take(p->user)) {
        if (status != PEPA_OK)
            continue;
        status = solve_next(x, s, err);
        failed = s;
        p->poll(p->user);
    }
    return settle(x, status, (double)failed, err);
}

PepaStatus pepa_experiment_measures(const PepaChain *chain, const PepaMeasures *measures,
                                    const PepaExperiment *what, const PepaSettings *set,
                                    double *value, PepaExperimentInfo *info, PepaError *err)
{
    PepaError why = {0};
    err = err ? err : &why;
    if (!chain || !measures || !what || !value)
        return error_null(err, "pepa_experiment_measures");
    if (measures->owner != chain->owner)
        return error_set(err, PEPA_EARG, "the chain was derived from another model");
    PepaStatus status = experiment_check(what, err);
    if (status != PEPA_OK)
        return status;
    Experiment x = {.chain = chain,
                    .measures = measures,
                    .processes = what->processes,
                    .value = value,
                    .start = clock_seconds(),
                    .failures.status = what->status,
                    .info.failed = -1};
    status = settings_complete(&x.set, set, err);
    if (status == PEPA_OK)
        status = chain_is_whole(chain, err);
    x.set.evidence = NULL;
    if (status == PEPA_OK)
        status = find_axes(&x, what, err);
    if (status == PEPA_OK)
        status = lay_out(&x, err);
    status = settle(&x, status, 0, err);
    if (x.processes && status == PEPA_OK)
        memset(value, 0, values(&x) * sizeof *value);
    if (what->status && status == PEPA_OK)
        memset(what->status, 0, (size_t)x.axes.points * sizeof *what->status);
    if (status == PEPA_OK)
        status = x.processes && x.structures > 1 ? take_structures(&x, err) : solve_all(&x, err);
    if (x.processes && status == PEPA_OK)
        gather(&x);
    if (status == PEPA_OK)
        status = failures_end(&x.failures, x.processes, x.axes.points, &x.info.points,
                              &x.info.failed, err);
    x.info.seconds = clock_seconds() - x.start;
    if (info && (status == PEPA_OK || x.info.failed >= 0))
        *info = x.info;
    axes_free(&x.axes);
    mem_free_all(x.rate, x.point, x.row, x.apart, x.define);
    return status;
}
