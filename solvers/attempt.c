/* The life of one method on one problem: guess, offers, clock, verdict. */
#include "solvers/internal.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"

static double clock_now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

Watch watch_start(const Control *control)
{
    return (Watch){.control = control, .start = clock_now(), .last = -HUGE_VAL, .work = INT64_MAX};
}

bool watch_cancels(Watch *watch, int64_t work, int64_t count, double measure)
{
    const int64_t between_readings = 1 << 20; /* about a millisecond */
    const Control *control = watch->control;
    if (!control->progress)
        return false;
    if (watch->work < between_readings)
        watch->work += work;
    if (watch->work < between_readings)
        return false;
    watch->work = 0;
    double now = clock_now();
    if (now - watch->last < 0.1)
        return false;
    watch->last = now;
    const PepaProgress progress = {"solve", count, measure, now - watch->start};
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
                     .watch = watch_start(control)};
    if (flow->n == 1)
        y[0] = flow->b ? flow->b[0] : 1;
    if (!flow_settle(flow, y))
        equal_shares(flow, y);
    try->gauge = flow_gauge(flow, y, &try->residual);
    if (!isfinite(try->gauge)) {
        try->why = "met numbers that are not finite";
        return false;
    }
    if (watch_cancels(&try->watch, 0, 0, try->gauge)) {
        try->status = PEPA_ECANCEL;
        return false;
    }
    return flow->n > 1;
}

double *attempt_vectors(Attempt *try, int32_t count)
{
    double *x = mem_alloc((size_t)try->flow->n, (size_t)count * sizeof *x);
    if (!x)
        try->status = PEPA_ENOMEM;
    return x;
}

static double offer(Attempt *try, double *x, bool final)
{
    double residual, gauge = HUGE_VAL;
    if (flow_settle(try->flow, x))
        gauge = flow_gauge(try->flow, x, &residual);
    if (gauge < try->gauge || (final && gauge <= try->control->tolerance)) {
        memcpy(try->y, x, (size_t)try->flow->n * sizeof *x);
        try->gauge = gauge;
        try->residual = residual;
    }
    if (!isfinite(gauge))
        try->why = "met numbers that are not finite";
    return gauge;
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
    return try->gauge <= try->control->tolerance;
}

bool attempt_step(Attempt *try, int passes, double measure)
{
    if (try->iterations >= try->max_iter) {
        try->why = "ran out of iterations";
        return false;
    }
    if (watch_cancels(&try->watch, flow_work(try->flow) * passes, try->iterations, measure)) {
        try->status = PEPA_ECANCEL;
        return false;
    }
    try->iterations++;
    return true;
}

PepaStatus attempt_end(Attempt *try, Outcome *out, PepaError *err)
{
    try->gauge = flow_gauge(try->flow, try->y, &try->residual);
    *out = (Outcome){.iterations = try->iterations,
                     .residual = try->residual,
                     .method = try->method,
                     .left = try->left};
    if (try->status == PEPA_ENOMEM)
        return error_memory(err);
    if (try->status == PEPA_ECANCEL)
        return error_set(err, PEPA_ECANCEL, "%s: cancelled", try->method);
    if (try->status != PEPA_OK)
        return try->status;
    if (attempt_met(try))
        return PEPA_OK;
    return error_set(err, PEPA_ENOCONV, "%s %s at %.1e after %lld %s", try->method,
                     try->why ? try->why : "stopped", try->gauge, (long long)try->iterations,
                     try->unit);
}
