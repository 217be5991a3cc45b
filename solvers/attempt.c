/* One method at work on one problem: initial guess, best iterate, limits, final report. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/budget.h"
#include "solvers/internal.h"
#include "solvers/rows/team.h"

Monitor monitor_start(const Control *control)
{
    return (Monitor){.control = control,
                     .start = clock_seconds(),
                     .last = -HUGE_VAL,
                     .work = INT64_MAX};
}

/* Some methods measure only now and then, and the first sweeps are far from any trend: a residual
 * of 1 or more is none yet. */
static bool tells(const Monitor *monitor, int64_t count, double measure)
{
    const Trend *trend = &monitor->trend;
    bool news = measure < monitor->measure || measure > monitor->measure;
    return news && measure < 1 && (trend->count == 0 || count > trend->at[trend->count - 1]);
}

bool monitor_cancels(Monitor *monitor, int64_t work, int64_t count, double measure)
{
    const int64_t between_readings = 1 << 20; /* about a millisecond */
    const Control *control = monitor->control;
    if (!control->progress)
        return false;
    if (monitor->work < between_readings)
        monitor->work += work;
    if (monitor->work < between_readings)
        return false;
    monitor->work = 0;
    double now = clock_seconds();
    if (now - monitor->last < 0.1)
        return false;
    monitor->last = now;
    PepaProgress progress = {.phase = "solve",
                             .count = count,
                             .measure = measure,
                             .seconds = now - monitor->start,
                             .method = monitor->method,
                             .left = -1};
    Trend *trend = &monitor->trend;
    if (tells(monitor, count, measure))
        trend_add(trend, count, measure);
    monitor->measure = measure;
    progress.slope = trend_slope(trend);
    if (count > 0)
        progress.left = trend_seconds(trend, control->tolerance, progress.seconds / (double)count);
    return control->progress(control->user, &progress) != 0;
}

/* About a minute's work, in passes over the matrix, but not absurdly many or few. */
static int64_t default_iterations(const Flow *flow, int passes)
{
    const int64_t work = 30000000000, least = 10000, most = 2000000;
    int64_t count = work / (flow_work(flow) * passes);
    return count < least ? least : count > most ? most : count;
}

static void equal_shares(const Flow *flow, double *y)
{
    for (int32_t i = 0; i < flow->n; i++)
        y[i] = 1 / (double)flow->n;
}

/* Schedules of threads may use the memory that the method does not need. */
static void spare_rest(const Attempt *try)
{
    const double most = (double)try->control->memory;
    rows_spare(try->flow, most > 0 ? most - try->taken : HUGE_VAL);
}

bool attempt_start(Attempt *try, const char *method, const char *unit, int passes, const Flow *flow,
                   const Control *control, double *y)
{
    *try = (Attempt){.flow = flow,
                     .control = control,
                     .method = method,
                     .unit = unit,
                     .y = y,
                     .max_iter = control->max_iter > 0 ? control->max_iter
                                                       : default_iterations(flow, passes),
                     .monitor = monitor_start(control)};
    try->monitor.method = method;
    spare_rest(try);
    if (flow->n == 1)
        y[0] = flow->b ? flow->b[0] : 1;
    if (!flow_normalise(flow, y))
        equal_shares(flow, y);
    try->criterion = flow_criterion(flow, y, &try->residual);
    if (!isfinite(try->criterion)) {
        try->why = "met numbers that are not finite";
        return false;
    }
    if (monitor_cancels(&try->monitor, 0, 0, try->criterion)) {
        try->status = PEPA_ECANCEL;
        return false;
    }
    return flow->n > 1;
}

bool attempt_affords(Attempt *try, double bytes)
{
    if (budget_allows(try->control->memory, bytes)) {
        try->taken = fmax(try->taken, bytes);
        spare_rest(try);
        return true;
    }
    try->need = bytes;
    try->status = PEPA_ELIMIT;
    return false;
}

PepaStatus attempt_overfull(const Attempt *try, PepaError *err)
{
    char left[BUDGET_TEXT];
    if (try->control->memory == 0)
        return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_METHOD, "%s would fill up too much",
                           try->method);
    return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_MEMORY,
                       "%s would fill up more than the %s of memory that may be used", try->method,
                       budget_bytes((double)try->control->memory, left));
}

double *attempt_vectors(Attempt *try, int32_t count)
{
    if (!attempt_affords(try, (double)try->flow->n * count * sizeof *try->y))
        return NULL;
    double *x = mem_alloc((size_t)try->flow->n, (size_t)count * sizeof *x);
    if (!x)
        try->status = PEPA_ENOMEM;
    return x;
}

static double offer(Attempt *try, double *x, bool final)
{
    double residual, criterion = HUGE_VAL;
    if (flow_normalise(try->flow, x))
        criterion = flow_criterion(try->flow, x, &residual);
    if (criterion < try->criterion || (final && criterion <= try->control->tolerance)) {
        memcpy(try->y, x, (size_t)try->flow->n * sizeof *x);
        try->criterion = criterion;
        try->residual = residual;
    }
    if (!isfinite(criterion))
        try->why = "met numbers that are not finite";
    return criterion;
}

double attempt_offer(Attempt *try, double *x)
{
    return offer(try, x, false);
}

double attempt_answer(Attempt *try, double *x)
{
    return offer(try, x, true);
}

bool attempt_met(const Attempt *try)
{
    return try->criterion <= try->control->tolerance;
}

bool attempt_step(Attempt *try, int passes, double measure)
{
    if (try->iterations >= try->max_iter) {
        try->why = "ran out of iterations";
        return false;
    }
    if (monitor_cancels(&try->monitor, flow_work(try->flow) * passes, try->iterations, measure)) {
        try->status = PEPA_ECANCEL;
        return false;
    }
    try->iterations++;
    return true;
}

static PepaStatus report_need(const Attempt *try, PepaError *err)
{
    return budget_exceeded(err, try->need, try->control->memory, "%s", try->method);
}

PepaStatus report_cancelled(const char *method, PepaError *err)
{
    return error_set(err, PEPA_ECANCEL, "%s: cancelled", method);
}

PepaStatus report_stopped(const char *method, const char *why, double measure, int64_t iterations,
                          const char *unit, PepaError *err)
{
    return error_set(err, PEPA_ENOCONV, "%s %s at %.1e after %lld %s", method, why, measure,
                     (long long)iterations, unit);
}

PepaStatus attempt_end(Attempt *try, Outcome *out, PepaError *err)
{
    try->criterion = flow_criterion(try->flow, try->y, &try->residual);
    *out = (Outcome){.iterations = try->iterations,
                     .residual = try->residual,
                     .method = try->method,
                     .precondition = try->precondition,
                     .left = try->left,
                     .need = try->need};
    if (try->status == PEPA_ENOMEM)
        return error_memory(err);
    if (try->status == PEPA_ECANCEL)
        return report_cancelled(try->method, err);
    if (try->need > 0)
        return report_need(try, err);
    if (try->status == PEPA_ELIMIT)
        return attempt_overfull(try, err);
    if (try->status != PEPA_OK)
        return try->status;
    if (attempt_met(try))
        return PEPA_OK;
    return report_stopped(try->method, try->why ? try->why : "stopped", try->criterion,
                          try->iterations, try->unit, err);
}
