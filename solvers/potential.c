/* Poisson's equation: what starting in each state is worth in the long run. */
#include "solvers/direct/factors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

typedef struct {
    const Poisson *problem;
    const Control *control;
    Flow flow;        /* the jumps, with b = c = (r - mean) / d */
    double *h, *c;    /* n */
    double *defect;   /* n: P h + c - h as last judged */
    double mean;      /* X as far as known */
    double criterion; /* pi |w - (pi w) 1| / pi w as last judged */
    int64_t iterations, max_iter;
    const char *method, *why; /* the one at work; why it stopped short */
    PepaStatus status;        /* PEPA_OK; or a failure to report regardless of h */
    Monitor monitor;
} Search;

/* ---- judging ----------------------------------------------------------------------------- */

static double average(int32_t n, const double *pi, const double *x)
{
    double sum = 0, weight = 0;
    for (int32_t i = 0; i < n; i++) {
        sum += pi[i] * x[i];
        weight += pi[i];
    }
    return sum / weight;
}

static void set_mean(Search *s, double mean)
{
    s->mean = mean;
    for (int32_t i = 0; i < s->flow.n; i++)
        s->c[i] = (s->problem->reward[i] - mean) / s->flow.exit[i];
}

/* Measure h afresh, take its mean reward for X, and put pi h to 0, so that no digits are lost on a
 * constant that drifts. */
static void judge(Search *s)
{
    const double *pi = s->problem->pi, *exit = s->flow.exit;
    const int32_t n = s->flow.n;
    for (int32_t i = 0; i < n; i++)
        s->defect[i] = exit[i] * (flow_into(&s->flow, s->h, i) - s->h[i]);
    double drift = average(n, pi, s->defect), level = average(n, pi, s->h), off = 0, weight = 0;
    for (int32_t i = 0; i < n; i++) {
        double miss = s->defect[i] - drift;
        off += pi[i] * fabs(miss);
        weight += pi[i];
        s->defect[i] = miss / exit[i];
        s->h[i] -= level;
    }
    set_mean(s, s->mean + drift);
    s->criterion = off / (weight * s->mean);
    if (!(s->mean > 0) || !isfinite(s->criterion)) {
        s->criterion = HUGE_VAL;
        s->why = "met numbers that are not finite";
    }
}

static bool met(const Search *s)
{
    return s->criterion <= s->control->tolerance;
}

/* From the guess in h, or from nothing: h = 0, whose criterion is at most 2. */
static void begin(Search *s, bool guess)
{
    s->why = NULL;
    if (!guess)
        memset(s->h, 0, (size_t)s->flow.n * sizeof *s->h);
    set_mean(s, average(s->flow.n, s->problem->pi, s->problem->reward));
    judge(s);
    if (guess && !(s->criterion <= 2))
        begin(s, false);
}

/* ---- sweeps ------------------------------------------------------------------------------ */

static bool step(Search *s)
{
    if (s->iterations >= s->max_iter) {
        s->why = "ran out of iterations";
        return false;
    }
    if (monitor_cancels(&s->monitor, flow_work(&s->flow), s->iterations, s->criterion)) {
        s->status = PEPA_ECANCEL;
        return false;
    }
    s->iterations++;
    return true;
}

/* A judgement costs as much as a sweep.  In between the criterion is taken to be in proportion to
 * the sweep's own changes. */
static void sweeps(Search *s, StallRule rule)
{
    const double tolerance = s->control->tolerance;
    const int64_t before = s->iterations;
    Trend trend = {0};
    double share = HUGE_VAL;
    int64_t due = before + 4;
    s->method = "gauss-seidel";
    while (!met(s) && step(s)) {
        double change = flow_sweep(&s->flow, s->h);
        if (!(share * change <= tolerance) && s->iterations < due)
            continue;
        judge(s);
        if (!isfinite(s->criterion))
            return;
        share = s->criterion / change;
        if (s->iterations < due)
            continue;
        int64_t done = s->iterations - before;
        due = s->iterations + (done < 200 ? done / 4 + 1 : 50);
        trend_add(&trend, done, s->criterion);
        if (done >= rule.patience && trend_left(&trend, tolerance) > rule.horizon) {
            s->why = "stalled";
            return;
        }
    }
    if (!met(s) && s->status == PEPA_OK)
        judge(s);
}

/* ---- factors ----------------------------------------------------------------------------- */

/* The equation left out takes what inconsistency the others leave, divided by its share of the
 * visits. */
static int32_t most_visited(const Search *s)
{
    int32_t most = 0;
    for (int32_t i = 1; i < s->flow.n; i++)
        if (s->problem->pi[i] * s->flow.exit[i] > s->problem->pi[most] * s->flow.exit[most])
            most = i;
    return most;
}

/* Correct h until that no longer helps.  The first round finds h, the next the mean that goes with
 * it, of which pi alone gives as many digits as it has itself. */
static void refine(Search *s, Factors *f, int32_t ground)
{
    const int32_t most = 10;
    for (int32_t round = 0; round < most && !met(s); round++) {
        double last = s->criterion;
        factors_squeeze(s->flow.n, ground, s->defect);
        if (!factors_solve(f, s->defect))
            return;
        factors_add(s->flow.n, ground, s->defect, s->h);
        judge(s);
        if (round > 1 && !(s->criterion < 0.5 * last))
            return;
    }
}

static void factors(Search *s)
{
    const double most_work = 1e12; /* some hours */
    Factors f = {0};
    int32_t ground = most_visited(s);
    s->method = "direct";
    PepaStatus status = factors_make(&f, &s->flow, ground, 0, most_work, s->control->memory);
    s->why = status == PEPA_OK ? NULL : "found a zero pivot";
    if (status == PEPA_OK)
        refine(s, &f, ground);
    factors_free(&f);
    if (status == PEPA_ENOMEM || status == PEPA_ELIMIT)
        s->status = status;
    else if (monitor_cancels(&s->monitor, INT32_MAX, 0, s->criterion))
        s->status = PEPA_ECANCEL;
}

/* ---- the choice -------------------------------------------------------------------------- */

static int64_t default_iterations(const Flow *flow)
{
    const int64_t work = 30000000000, least = 10000, most = 2000000; /* as for the other methods */
    int64_t count = work / flow_work(flow);
    return count < least ? least : count > most ? most : count;
}

static void describe(const Search *s, char *text, size_t room)
{
    int length =
        snprintf(text, room, "%s %s at %.1e", s->method, s->why ? s->why : "stopped", s->criterion);
    if (strcmp(s->method, "direct") != 0 && length > 0 && (size_t)length < room)
        (void)snprintf(text + length, room - (size_t)length, " after %lld sweeps",
                       (long long)s->iterations);
}

static void search(Search *s, PepaMethod method, Outcome *out)
{
    const StallRule quick = {100, 2000}, firm = {2000, 10 * (double)s->max_iter};
    if (method == PEPA_DIRECT) {
        factors(s);
        return;
    }
    sweeps(s, method == PEPA_GAUSS_SEIDEL ? firm : quick);
    if (method == PEPA_GAUSS_SEIDEL || met(s) || s->status != PEPA_OK)
        return;
    describe(s, out->trail, sizeof out->trail);
    if (!isfinite(s->criterion))
        begin(s, false);
    factors(s);
    if (met(s) || s->status == PEPA_ECANCEL)
        return;
    PepaStatus before = s->status; /* sweeps need no memory */
    s->status = PEPA_OK;
    if (!isfinite(s->criterion))
        begin(s, false);
    sweeps(s, firm);
    if (!met(s) && s->status == PEPA_OK)
        s->status = before;
}

static PepaStatus conclude(const Search *s, Outcome *out, PepaError *err)
{
    char why[160];
    out->iterations = strcmp(s->method, "direct") == 0 ? 0 : s->iterations;
    out->residual = s->criterion;
    out->method = s->method;
    if (s->status == PEPA_ENOMEM)
        return error_memory(err);
    if (s->status == PEPA_ECANCEL)
        return report_cancelled(s->method, err);
    if (s->status == PEPA_ELIMIT)
        return error_set(err, PEPA_ENOCONV, "direct would fill up too much");
    if (met(s))
        return PEPA_OK;
    describe(s, why, sizeof why);
    return error_set(err, PEPA_ENOCONV, "%s", why);
}

PepaStatus solve_potential(const Poisson *problem, PepaMethod method, const Control *control,
                           double *h, Outcome *out, PepaError *err)
{
    const Flow *jumps = &problem->jumps;
    size_t n = (size_t)jumps->n;
    *out = (Outcome){.method = "none"};
    if (n == 1 || average(jumps->n, problem->pi, problem->reward) == 0) {
        memset(h, 0, n * sizeof *h);
        return PEPA_OK;
    }
    double *room = mem_alloc(2 * n, sizeof *room);
    if (!room)
        return error_memory(err);
    Search s = {.problem = problem,
                .control = control,
                .flow = *jumps,
                .h = h,
                .c = room,
                .defect = room + n,
                .max_iter = control->max_iter > 0 ? control->max_iter : default_iterations(jumps),
                .method = "gauss-seidel",
                .monitor = monitor_start(control)};
    s.monitor.method = s.method;
    s.flow.b = s.c;
    begin(&s, true);
    if (monitor_cancels(&s.monitor, 0, 0, s.criterion))
        s.status = PEPA_ECANCEL;
    else if (isfinite(s.criterion))
        search(&s, method, out);
    PepaStatus status = conclude(&s, out, err);
    mem_free(room);
    return status;
}
