/* One method at work on one problem: initial guess, best iterate, limits, final report. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/budget.h"
#include "solvers/internal.h"
#include "solvers/rows/rows.h"

Monitor monitor_start(const Control *control)
{
    return (Monitor){.control = control,
                     .start = control->progress || control->evidence ? clock_seconds() : 0,
                     .last = -HUGE_VAL};
}

/* Some methods measure only now and then, and the first sweeps are far from any trend: a residual
 * of 1 or more is none yet. */
static bool tells(const Monitor *monitor, int64_t count, double measure)
{
    const Trend *trend = &monitor->trend;
    bool news = measure < monitor->measure || measure > monitor->measure;
    return news && measure < 1 && (trend->count == 0 || count > trend->at[trend->count - 1]);
}

bool monitor_report(Monitor *monitor, int64_t count, double measure)
{
    const Control *control = monitor->control;
    monitor->wait = BETWEEN_READINGS;
    double now = clock_seconds();
    if (now - monitor->last < 0.1)
        return false;
    monitor->last = now;
    PepaProgress progress = {.phase = "solve",
                             .count = control->done + count,
                             .measure = measure,
                             .seconds =
                                 now - (control->began > 0 ? control->began : monitor->start),
                             .method = monitor->method,
                             .left = -1};
    Trend *trend = &monitor->trend;
    if (tells(monitor, count, measure))
        trend_add(trend, count, measure);
    monitor->measure = measure;
    progress.slope = trend_slope(trend);
    if (count > 0)
        progress.left =
            trend_seconds(trend, control->tolerance, (now - monitor->start) / (double)count);
    return control->progress(control->user, &progress) != 0;
}

/* About a minute's work, in iterations of so many multiply-adds, but not absurdly many or few. */
static int64_t default_iterations(int64_t work)
{
    const int64_t minute = 30000000000, least = 10000, most = 2000000;
    int64_t count = minute / work;
    return count < least ? least : count > most ? most : count;
}

/* A front of mass may need many sweeps to cross the states before the residual falls at all. */
static StallRule firm_rule(int64_t max_iter)
{
    return (StallRule){.patience = 2000, .horizon = 10 * (double)max_iter};
}

void attempt_open(Attempt *try, const Method *method, const Control *control, int64_t work)
{
    *try = (Attempt){.control = control,
                     .method = method->name,
                     .unit = method->unit,
                     .work = work,
                     .max_iter = control->max_iter > 0 ? control->max_iter
                                                       : default_iterations(work * method->passes),
                     .criterion = HUGE_VAL,
                     .residual = HUGE_VAL,
                     .goal = control->tolerance,
                     .monitor = monitor_start(control)};
    try->rule = control->stall.horizon > 0  ? control->stall
                : method->stall.horizon > 0 ? method->stall
                                            : firm_rule(try->max_iter);
    try->monitor.method = method->name;
}

/* ---- keeping ---------------------------------------------------------------------------- */

static int64_t count_of(const Attempt *try)
{
    return try->control->done + try->iterations;
}

/* Before the first iteration there is nothing that is worth it. */
bool attempt_due(const Attempt *try)
{
    const Keeper *keeper = try->control->keeper;
    return keeper && count_of(try) > 0 && keeper->due(keeper->user);
}

static void keep(Attempt *try, const double *x, double criterion)
{
    const Keeper *keeper = try->control->keeper;
    const PepaProgress now = {.phase = "solve",
                              .count = count_of(try),
                              .measure = criterion,
                              .method = try->method,
                              .left = -1};
    keeper->keep(keeper->user, x, &now);
    try->kept = true;
}

static void keep_best(Attempt *try)
{
    if (try->y && !try->kept && attempt_due(try))
        keep(try, try->y, try->criterion);
}

/* ---- flows ------------------------------------------------------------------------------ */

/* Schedules of threads may use the memory that the method does not need. */
static void spare_rest(const Attempt *try)
{
    const double most = (double)try->control->memory;
    rows_spare(try->flow, most > 0 ? most - try->taken : HUGE_VAL);
}

bool attempt_start(Attempt *try, const Method *method, const Flow *flow, const Control *control,
                   double *y)
{
    attempt_open(try, method, control, (int64_t)flow_largest(flow, (double)flow_work(flow)));
    try->flow = flow;
    try->y = y;
    spare_rest(try);
    if (flow->n == 1 && !flow->share)
        y[0] = flow->b ? flow->b[0] : 1;
    if (!flow_normalise(flow, y))
        flow_equal_shares(flow->n, y);
    try->first = try->criterion = flow_criterion(flow, y, &try->residual);
    if (!isfinite(try->criterion)) {
        try->why = "met numbers that are not finite";
        return false;
    }
    if (monitor_cancels(&try->monitor, 0, 0, try->criterion))
        try->status = PEPA_ECANCEL;
    return attempt_agree(try, try->status == PEPA_OK) && (flow->n > 1 || flow->share);
}

bool attempt_agree(Attempt *try, bool ok)
{
    if (!try->flow || !try->flow->share)
        return ok;
    const double worst =
        flow_largest(try->flow,
                     ok ? PEPA_OK : (try->status == PEPA_OK ? 0.5 : (double)try->status));
    if (ok && worst >= 1)
        try->status = (PepaStatus)worst;
    if (worst > 0 && !try->why)
        try->why = "stopped by another process";
    return worst == 0;
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

static double judge(const Attempt *try, const double *x, double *residual)
{
    const double criterion = flow_criterion(try->flow, x, residual);
    return try->every_digit && isfinite(criterion) ? *residual : criterion;
}

static double settle(const Attempt *try, double *x, double *residual)
{
    return flow_normalise(try->flow, x) ? judge(try, x, residual) : HUGE_VAL;
}

void attempt_keep(Attempt *try, double *x)
{
    double residual;
    const double criterion = settle(try, x, &residual);
    if (criterion < try->criterion)
        keep(try, x, criterion);
}

static double offer(Attempt *try, double *x, bool final)
{
    double residual;
    const double criterion = settle(try, x, &residual);
    if (criterion < try->criterion || (final && criterion <= try->control->tolerance)) {
        memcpy(try->y, x, (size_t)try->flow->n * sizeof *x);
        try->criterion = criterion;
        try->residual = residual;
        try->kept = false;
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

PepaStatus attempt_end(Attempt *try, Outcome *out, PepaError *err)
{
    try->criterion = judge(try, try->y, &try->residual);
    if (try->status == PEPA_ECANCEL)
        keep_best(try);
    return attempt_report(try, out, err);
}

PepaStatus attempt_run(const Method *method, const Flow *flow, const Control *control, double *y,
                       Outcome *out, PepaError *err)
{
    const size_t n = (size_t)flow->n, size = n * (size_t)method->vectors;
    const double besides = method->bytes ? method->bytes(flow, control) : 0;
    Attempt try;
    double *vectors = NULL;
    bool ready = attempt_start(&try, method, flow, control, y);
    if (ready) {
        const bool affords = attempt_affords(&try, besides + (double)(size * sizeof *y));
        if (affords && !mem_new(vectors, size))
            try.status = PEPA_ENOMEM;
        ready = attempt_agree(&try, affords && vectors);
    }
    if (ready) {
        memcpy(vectors, y, size > 0 ? n * sizeof *y : 0);
        method->run(&try, vectors);
    }
    mem_free(vectors);
    return attempt_end(&try, out, err);
}

/* ---- progress and report ---------------------------------------------------------------- */

bool attempt_met(const Attempt *try)
{
    return try->criterion <= try->control->tolerance;
}

static const char stalled[] = "stalled", ran_out[] = "ran out of iterations";

bool attempt_step(Attempt *try, int passes, double measure)
{
    if (try->iterations >= try->max_iter) {
        try->why = ran_out;
        return false;
    }
    if (monitor_cancels(&try->monitor, try->work * passes, try->iterations, measure))
        try->status = PEPA_ECANCEL;
    if (!attempt_agree(try, try->status == PEPA_OK))
        return false;
    keep_best(try);
    try->iterations++;
    return true;
}

bool attempt_gives_up(Attempt *try, double left, double horizon)
{
    if (left <= horizon)
        return false;
    try->left = left;
    try->why = stalled;
    return true;
}

bool attempt_stalls_by(Attempt *try, Trend *trend, double measure)
{
    trend_add(trend, try->iterations, measure);
    try->left = trend_left(trend, try->goal);
    return try->iterations >= try->rule.patience &&
           attempt_gives_up(try, try->left, try->rule.horizon);
}

bool attempt_stalls(Attempt *try, double measure)
{
    return attempt_stalls_by(try, &try->trend, measure);
}

void attempt_describe(const Attempt *try, char *text, size_t size)
{
    int unit = (int)strlen(try->unit) - (try->iterations == 1); /* 1 sweep, 2 sweeps */
    bool by_time = try->residual <= try->control->tolerance;
    (void)number_print(text, size, "%s %s at %sresidual %.1e after %lld %.*s", try->method,
                       try->why ? try->why : "stopped", by_time ? "time-weighted " : "",
                       by_time ? try->criterion : try->residual, (long long)try->iterations, unit,
                       try->unit);
}

/* A direct method's factors would be too large. */
static PepaStatus report_overfull(const Attempt *try, PepaError *err)
{
    const double most = 4e9; /* bytes of the most entries that factors may have */
    char left[BUDGET_TEXT];
    if (try->control->memory == 0 || (double)try->control->memory > most)
        return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_METHOD,
                           "%s would take more than 200 million entries, or hours", try->method);
    return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_MEMORY,
                       "%s would fill up more than the %s of memory that may be used", try->method,
                       budget_bytes((double)try->control->memory, left));
}

static PepaEnded how_ended(const Attempt *try)
{
    return try->status == PEPA_ECANCEL                   ? PEPA_ENDED_CANCELLED
           : try->status == PEPA_ENOMEM || try->need > 0 ? PEPA_ENDED_MEMORY
           : try->status == PEPA_ELIMIT                  ? PEPA_ENDED_FILL
           : attempt_met(try)                            ? PEPA_ENDED_MET
           : try->why == stalled                         ? PEPA_ENDED_STALLED
           : try->why == ran_out                         ? PEPA_ENDED_ITERATIONS
                                                         : PEPA_ENDED_SHORT;
}

static void write_down(const Attempt *try, PepaSolveEvidence *e)
{
    const int32_t last = PEPA_MOST_ATTEMPTS - 1, at = e->attempts < last ? e->attempts : last;
    const PepaEnded end = how_ended(try);
    e->attempts++;
    e->attempt[at] = (PepaAttempt){.method = try->method,
                                   .precondition = try->precondition ? try->precondition : "none",
                                   .why = try->control->why,
                                   .end = end,
                                   .iterations = try->iterations,
                                   .start = try->first,
                                   .residual = try->criterion,
                                   .left = end == PEPA_ENDED_STALLED ? try->left : 0,
                                   .seconds = clock_seconds() - try->monitor.start};
    if (end == PEPA_ENDED_MET)
        e->answer = at;
}

PepaStatus attempt_report(const Attempt *try, Outcome *out, PepaError *err)
{
    char why[160];
    if (try->control->evidence)
        write_down(try, try->control->evidence);
    *out = (Outcome){.iterations = try->iterations,
                     .residual = try->residual,
                     .method = try->method,
                     .precondition = try->precondition,
                     .left = try->why == stalled ? try->left : 0,
                     .effort = try->effort,
                     .coupled = try->coupled,
                     .gathered = try->gathered,
                     .need = try->need};
    if (try->status == PEPA_ENOMEM)
        return error_memory(err);
    if (try->status == PEPA_ECANCEL)
        return error_set(err, PEPA_ECANCEL, "%s: cancelled", try->method);
    if (try->need > 0)
        return budget_exceeded(err, try->need, try->control->memory, "%s", try->method);
    if (try->status == PEPA_ELIMIT)
        return report_overfull(try, err);
    if (attempt_met(try))
        return PEPA_OK;
    attempt_describe(try, why, sizeof why);
    const bool limited = try->why == ran_out && try->control->max_iter > 0;
    return error_limit(err, PEPA_ENOCONV, limited ? PEPA_LIMIT_ITERATIONS : PEPA_LIMIT_NONE, "%s",
                       why);
}
