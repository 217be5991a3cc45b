/* Axes of experiments, processes that end together, and points that fail. */
#include "api/experiment_axes.h"

#include <math.h>

#include "base/processes.h"
#include "base/mem.h"
#include "measure/experiment.h"

PepaStatus experiment_check(const PepaExperiment *what, PepaError *err)
{
    if (what->count == 0)
        return error_set(err, PEPA_EARG, "an experiment needs a rate that varies");
    if (!what->vary)
        return error_null(err, "PepaExperiment");
    if (!ALL_ZERO(what->reserved))
        return error_set(err, PEPA_EARG,
                         "PepaExperiment: reserved words must be 0; is the library older than "
                         "pepa_experiment.h?");
    if (what->processes && !processes_talk(what->processes))
        return error_set(err, PEPA_EARG, "PepaExperiment: the processes are not as they should be");
    return PEPA_OK;
}

/* ---- axes ------------------------------------------------------------------------------------ */

static PepaStatus find_axis(const Axes *x, const Model *model, Axis *axis, PepaError *err)
{
    const char *name = axis->vary->rate;
    int32_t r;
    PepaStatus status = model_find_rate(model, name, &r, err);
    if (status != PEPA_OK)
        return status;
    for (const Axis *before = x->axis; before < axis; before++)
        if (before->rate == r)
            return error_set(err, PEPA_EARG, "the rate `%s` varies twice", name);
    for (size_t i = 0; i < axis->vary->count; i++)
        if (!isfinite(axis->vary->value[i]))
            return error_set(err, PEPA_EARG, "a value of rate `%s` is not finite", name);
    axis->rate = r;
    axis->structural = model->rates[r].structural || model->exprs[model->rates[r].expr].functional;
    return PEPA_OK;
}

PepaStatus axes_new(Axes *out, const Model *model, const PepaExperiment *what, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    *out = (Axes){.count = (int32_t)what->count, .points = 1};
    if (!mem_new(out->axis, what->count))
        return error_memory(err);
    for (int32_t a = out->count; a-- > 0;) {
        const PepaVary *vary = &what->vary[a];
        if (!vary->rate || !vary->value || vary->count == 0)
            return error_set(err, PEPA_EARG, "an experiment needs the values of its rates");
        if (vary->count > PEPA_MOST_POINTS || out->points > PEPA_MOST_POINTS / (int64_t)vary->count)
            return error_set(err, PEPA_EARG, "more than %d points", PEPA_MOST_POINTS);
        out->axis[a] = (Axis){.vary = vary, .stride = out->points};
        out->points *= (int64_t)vary->count;
    }
    for (int32_t a = 0; a < out->count && status == PEPA_OK; a++)
        status = find_axis(out, model, &out->axis[a], err);
    return status;
}

void axes_free(Axes *axes)
{
    mem_free(axes->axis);
    *axes = (Axes){0};
}

double axis_value(const Axis *axis, int64_t row)
{
    return axis->vary->value[row / axis->stride % (int64_t)axis->vary->count];
}

/* ---- processes ------------------------------------------------------------------------------- */

PepaStatus experiment_settle(const PepaProcesses *p, PepaStatus status, double order,
                             int64_t *failed, PepaError *err)
{
    enum { CODE, LIMIT, FAILED, TEXT };
    double all[TEXT + sizeof err->message] = {0};
    double first = status == PEPA_OK ? -HUGE_VAL : -order;
    if (!p)
        return status;
    p->largest(p->user, &first, 1);
    if (first == -HUGE_VAL)
        return PEPA_OK;
    double rank = status != PEPA_OK && -order == first ? -p->rank : -HUGE_VAL;
    p->largest(p->user, &rank, 1);
    if (rank == -p->rank) {
        all[CODE] = status;
        all[LIMIT] = err ? err->limit : PEPA_LIMIT_NONE;
        all[FAILED] = (double)*failed;
        for (size_t i = 0; err && i < sizeof err->message; i++)
            all[TEXT + i] = (unsigned char)err->message[i];
    }
    p->sum(p->user, all, (int32_t)(sizeof all / sizeof *all));
    *failed = (int64_t)all[FAILED];
    if (err) {
        *err = (PepaError){.code = (PepaStatus)all[CODE], .limit = (PepaLimit)all[LIMIT]};
        for (size_t i = 0; i < sizeof err->message; i++)
            err->message[i] = (char)all[TEXT + i];
    }
    return (PepaStatus)all[CODE];
}

void experiment_sum(const PepaProcesses *p, double *x, size_t n)
{
    const size_t at_once = 8192;
    for (size_t first = 0; first < n; first += at_once)
        p->sum(p->user, x + first, (int32_t)(n - first < at_once ? n - first : at_once));
}

/* ---- points that fail ------------------------------------------------------------------------ */

bool failures_note(Failures *f, int64_t row, const PepaError *err)
{
    if (!f->status || !experiment_of_point(err->code))
        return false;
    if (f->err.code == PEPA_OK || row < f->row) {
        f->row = row;
        f->err = *err;
    }
    return true;
}

/* A point is solved by one process; in others its status is PEPA_OK. */
static void share_statuses(PepaStatus *status, const PepaProcesses *p, int64_t points)
{
    enum { AT_ONCE = 512 };
    double code[AT_ONCE];
    for (int64_t first = 0; first < points; first += AT_ONCE) {
        const int64_t left = points - first, count = left < AT_ONCE ? left : AT_ONCE;
        for (int64_t i = 0; i < count; i++)
            code[i] = status[first + i];
        p->sum(p->user, code, (int32_t)count);
        for (int64_t i = 0; i < count; i++)
            status[first + i] = (PepaStatus)code[i];
    }
}

PepaStatus failures_end(const Failures *f, const PepaProcesses *p, int64_t points, int64_t *solved,
                        int64_t *failed, PepaError *err)
{
    if (!f->status)
        return PEPA_OK;
    if (f->err.code != PEPA_OK) {
        *failed = f->row;
        if (err)
            *err = f->err;
    }
    const PepaStatus status = experiment_settle(p, f->err.code, (double)f->row, failed, err);
    if (status == PEPA_OK)
        return status;
    if (p)
        share_statuses(f->status, p, points);
    *solved = 0;
    for (int64_t k = 0; k < points; k++)
        *solved += f->status[k] == PEPA_OK;
    return status;
}
