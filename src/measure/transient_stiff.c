/* Stiff chains: uniformisation until the fast states have settled, then Laguerre series.
 *
 * A polynomial in time cannot follow what is fast compared with its step.  So the first steps are
 * those of uniformisation, and a step of the series is as long as a few times the time that has
 * passed: what could disturb it has died away.  From then on the number of steps grows with the
 * logarithm of the time, where uniformisation takes steps in proportion to it.
 *
 * Everything is decided by counted work: an entry of the matrix in a step of uniformisation is 1. */
#include "measure/transient_stiff.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "measure/flow_build.h"
#include "measure/steady.h"
#include "solvers/transient/laguerre.h"

/* Counted work, from seconds on pipeline 8: of a multiply-add of LU factors, and of an entry of them
 * in a solution. */
#define FACTOR_COST 2.0
#define SOLVE_COST  4.0

/* Uniformisation alone if it takes fewer steps, or settles within the first ones; or if what it takes
 * is not so many times the time before a series: as much work as factors and some solutions.  To
 * order the states of kanban 3 for factors is the work of some 1,000 steps. */
#define STIFF_STEPS   20000.0
#define FIRST_STEPS   3000.0
#define STIFF_SAVING  4.0
#define FIRST_SOLVES  30.0
#define FEWEST_SOLVES 20.0 /* that any step takes, where fewer do not matter */
#define FEW_TIMES     8    /* which one sequence of steps would not serve much better */

/* How steps grow: by the factor, after a step with so few terms. */
#define GROWTH       3.0
#define GROWTH_TERMS 60
#define SHRINK       4.0

typedef struct {
    const TransientJob *job;
    Laguerre *laguerre;
    Flow rates;
    double product, factors,
        solve;              /* work: of a step of uniformisation; of factors; of a solution */
    double early;           /* bound of the error at times before the series */
    double now;             /* the time of x */
    double gamma, factored; /* for the next step; that of the factors, 0: none */
    double allowed;         /* truncation that is left for all steps to come */
    size_t next;            /* the next time to report */
    Run *run;
    Output *output;
    double end;    /* of the step at hand, if it is as long as it can be */
    double *terms; /* functionals of the coefficients: LAGUERRE_TERMS x functionals */
} Series;

static double last_time(const Series *s)
{
    return s->job->time[s->job->count - 1];
}

/* Bytes that the factors and their vectors may take; 0: no limit. */
static int64_t bytes_left(const Series *s)
{
    const PepaSettings *set = s->job->set;
    const double n = s->rates.n, vectors = 4 * sizeof(double) * n;
    return set->memory
               ? budget_left(set->memory, chain_bytes(s->job->chain) + vectors + flow_row_bytes(n) +
                                              flow_entry_bytes(PEPA_MATRIX_EXPLICIT,
                                                               (double)s->rates.row[s->rates.n]))
               : 0;
}

bool series_suits(const Run *r)
{
    const double jumps = r->found.rate * r->job->time[r->job->count - 1];
    return r->job->chain->row && jumps >= STIFF_STEPS && jumps <= POISSON_MOST;
}

/* *start: when a series may begin; +inf: it does not pay. */
static PepaStatus prepare(Series *s, double *start, PepaError *err)
{
    const double rate = s->run->found.rate;
    *start = HUGE_VAL;
    if (!uniform_rows(s->run->uniform, &s->rates))
        return PEPA_OK;
    Control control = settings_control(s->job->set, bytes_left(s));
    PepaStatus status = laguerre_new(&s->laguerre, &s->rates, &control);
    if (status != PEPA_OK)
        return status == PEPA_ENOMEM ? error_memory(err) : PEPA_OK;
    s->product = (double)s->rates.row[s->rates.n] + s->rates.n;
    s->factors = FACTOR_COST * laguerre_factor_work(s->laguerre);
    s->solve = SOLVE_COST * laguerre_solve_work(s->laguerre);
    const double from = (s->factors + FIRST_SOLVES * s->solve) / s->product / rate;
    if (last_time(s) >= STIFF_SAVING * from)
        *start = fmax(from, s->now);
    return PEPA_OK;
}

/* ---- measures -------------------------------------------------------------------------------- */

/* The functionals of a coefficient, if some time in the step needs them. */
static PepaStatus keep_term(void *user, int32_t k, const double *w)
{
    Series *s = user;
    Run *r = s->run;
    const Output *o = s->output;
    PepaStatus status = PEPA_OK;
    r->found.solves++;
    r->clock.wait -= (int64_t)(s->solve + (k == 0 ? s->factors : 0));
    if (step_clock_stops(&r->clock, s->job->chain, r->found.steps + r->found.solves, r->planned))
        return PEPA_ECANCEL;
    if (o && (r->integral || s->job->time[s->next] <= s->end))
        status = expressions_means(o->measures, s->job->at, w,
                                   s->terms + (size_t)k * (size_t)o->functionals, NULL);
    return status;
}

/* mean = the functionals `length` after the step's beginning, or what they accumulate until then. */
static void read_terms(const Series *s, int32_t terms, double length, double *mean)
{
    double value[LAGUERRE_TERMS + 1];
    const Output *o = s->output;
    laguerre_values(length / s->gamma, terms, value);
    memset(mean, 0, (size_t)o->functionals * sizeof *mean);
    for (int32_t k = 0; k < terms; k++) {
        const double *term = s->terms + (size_t)k * (size_t)o->functionals;
        const double factor = s->run->integral ? s->gamma * (value[k] - value[k + 1]) : value[k];
        for (int32_t f = 0; f < o->functionals; f++)
            mean[f] += factor * term[f];
    }
}

/* All times up to the end of a step of this length. */
static PepaStatus report(Series *s, const LaguerreFound *step, double length, PepaError *err)
{
    Output *o = s->output;
    PepaStatus status = PEPA_OK;
    for (; s->next < s->job->count && s->job->time[s->next] <= s->end && status == PEPA_OK;
         s->next++) {
        if (!o)
            continue;
        read_terms(s, step->terms, s->job->time[s->next] - s->now, o->mean);
        for (int32_t f = 0; f < o->functionals && s->run->integral; f++)
            o->mean[f] += o->total[f];
        status = expressions_combine(o->measures, s->job->at, o->mean,
                                     o->value + s->next * (size_t)o->items, err);
    }
    if (o && s->run->integral && status == PEPA_OK) {
        read_terms(s, step->terms, length, o->mean);
        for (int32_t f = 0; f < o->functionals; f++)
            o->total[f] += o->mean[f];
    }
    return status;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Choose gamma and the length of the next step.  False: uniformisation is the better way for it. */
static bool plan(Series *s, LaguerreStep *step)
{
    const double left = last_time(s) - s->now;
    if (s->factored > 0 && left <= LAGUERRE_REACH * s->factored)
        s->gamma = s->factored;
    else if (left <= LAGUERRE_REACH * s->gamma)
        s->gamma = left / LAGUERRE_REACH;
    step->gamma = s->gamma;
    step->length = fmin(left, LAGUERRE_REACH * s->gamma);
    for (int i = 0; i < LAGUERRE_LENGTHS; i++) /* so that all steps together keep to it */
        step->allowed[i] = s->allowed * fmax(0.5 * step->length / (1 << i) / left, 1.0 / 64);
    s->end = step->length < left ? s->now + step->length : last_time(s);
    return s->run->found.rate * step->length * s->product > FEWEST_SOLVES * s->solve &&
           s->end > s->now;
}

/* The next gamma, after a step.  Longer steps need other factors, which the solutions that they
 * save must be worth. */
static void adapt(Series *s, const LaguerreFound *step)
{
    const double steps = (last_time(s) - s->now) / (LAGUERRE_REACH * s->gamma);
    const double saved = steps * (1 - 1 / GROWTH) * step->terms * s->solve;
    if (step->which < 0)
        s->gamma /= SHRINK;
    else if (step->which == LAGUERRE_LENGTHS - 1)
        s->gamma /= 2;
    else if (step->which == 0 && step->terms <= GROWTH_TERMS && saved > s->factors)
        s->gamma *= GROWTH;
}

/* Of the numbers that stand for times: the end of the step, and where it is read, from its beginning
 * and in units of gamma. */
static double time_rounding(const Series *s)
{
    return 2 * DBL_EPSILON * s->end;
}

static void add_errors(Series *s, const LaguerreFound *step, double length)
{
    Run *r = s->run;
    s->allowed -= step->truncation;
    r->error_now += step->truncation + step->rounding + step->speed * time_rounding(s);
    const double here = r->error_now + (s->output ? step->reading : 0);
    if (r->integral) /* factors of the terms are differences of two values, times gamma */
        r->found.error_bound +=
            length * r->error_now + (length + 2 * s->gamma) * step->reading + time_rounding(s);
    else
        r->found.error_bound = fmax(r->found.error_bound, here);
}

/* Steps to the last time, or until they do not pay. */
static PepaStatus advance(Series *s, PepaError *err)
{
    LaguerreStep step = {.term = keep_term, .user = s};
    PepaStatus status = PEPA_OK;
    while (s->next < s->job->count && status == PEPA_OK && plan(s, &step)) {
        LaguerreFound found;
        status = laguerre_step(s->laguerre, &step, s->run->x, &found);
        s->factored = status == PEPA_OK ? s->gamma : 0;
        if (status == PEPA_OK && found.which >= 0) {
            if (found.which > 0)
                s->end = s->now + step.length / (1 << found.which);
            const double length = s->end - s->now;
            add_errors(s, &found, length);
            status = report(s, &found, length, err);
            s->now = s->end;
        }
        adapt(s, &found);
    }
    if (status == PEPA_ELIMIT || status == PEPA_ENOCONV)
        return PEPA_OK; /* no factors: uniformisation goes on from here */
    return status == PEPA_ENOMEM    ? error_memory(err)
           : status == PEPA_ECANCEL ? error_set(err, PEPA_ECANCEL, "cancelled")
                                    : status;
}

/* The times up to now, as a job of their own. */
static PepaStatus early_times(Series *s, PepaError *err)
{
    TransientJob early = *s->job;
    TransientFound found;
    while (s->next < s->job->count && s->job->time[s->next] <= s->now)
        s->next++;
    early.count = s->next;
    if (!s->output || s->next == 0)
        return PEPA_OK;
    PepaStatus status = s->output->early(&early, s->output, s->run->integral != NULL, &found, err);
    s->run->found.steps += found.steps;
    s->early = found.error_bound;
    return status;
}

/* Uniformisation until `time`; *stands: from then on nothing much happens any more. */
static PepaStatus uniformise(Series *s, double time, TransientTask *task, void *user, bool *stands,
                             PepaError *err)
{
    Run *r = s->run;
    r->after = transient_steps_of(r, last_time(s) - time);
    PepaStatus status = transient_interval(r, time - s->now, err);
    r->after = 0;
    s->now = time;
    *stands = r->found.stationary >= 0;
    if (status == PEPA_OK && s->output)
        status = task(user, r, s->job->count, err); /* no time: keeps what is accumulated */
    return status;
}

/* To the beginning of the series.  *go_on: there is one. */
static PepaStatus begin(Series *s, TransientTask *task, void *user, bool *stands, bool *go_on,
                        PepaError *err)
{
    double start = HUGE_VAL;
    *go_on = false;
    PepaStatus status = uniformise(s, FIRST_STEPS / s->run->found.rate, task, user, stands, err);
    if (status == PEPA_OK && !*stands)
        status = prepare(s, &start, err);
    if (status == PEPA_OK && start > s->now && start < HUGE_VAL)
        status = uniformise(s, start, task, user, stands, err);
    *go_on = status == PEPA_OK && !*stands && start < HUGE_VAL;
    s->gamma = GROWTH * s->now / LAGUERRE_REACH;
    return status;
}

static PepaStatus run_all(Series *s, TransientTask *task, void *user, bool *done, PepaError *err)
{
    Run *r = s->run;
    bool stands = false, go_on = false;
    PepaStatus status = begin(s, task, user, &stands, &go_on, err);
    if (status == PEPA_OK && !stands && !go_on && s->job->count > FEW_TIMES && s->output) {
        *done = false;
        return PEPA_OK;
    }
    if (status == PEPA_OK)
        status = early_times(s, err);
    if (status == PEPA_OK && go_on)
        status = advance(s, err);
    if (status == PEPA_OK && s->next < s->job->count)
        status = transient_go(r, s->now, s->next, task, user, err);
    else if (status == PEPA_OK && !s->output)
        status = task(user, r, s->job->count - 1, err);
    r->found.error_bound = fmax(r->found.error_bound, s->early);
    return status;
}

PepaStatus series_run(Run *r, Output *o, TransientTask *task, void *user, bool *done,
                      PepaError *err)
{
    Series s = {.job = r->job, .run = r, .output = o};
    *done = true;
    r->error = r->job->error / 8; /* in each of two ways: up to two times; once for the end */
    s.allowed = r->job->error / 4;
    r->planned = (int64_t)(r->found.rate * last_time(&s));
    if (o && !mem_new(s.terms, LAGUERRE_TERMS * (size_t)o->functionals))
        return error_memory(err);
    PepaStatus status = run_all(&s, task, user, done, err);
    laguerre_free(s.laguerre);
    mem_free(s.terms);
    return status;
}
