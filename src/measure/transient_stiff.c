/* Stiff chains: uniformisation until the fast states have settled, then Laguerre series. */
#include "measure/transient_stiff.h"

#include <math.h>
#include <string.h>

#include "measure/series.h"
#include "measure/transient_settled.h"

#define MOST_PLANNED 1e18 /* steps that are counted before they are taken */
#define NEARLY_STILL 1e3  /* a change of so many roundings of a step may be what these add up to */
#define LATER        10.0 /* times as late, whether the chain has settled is asked again */
enum { FEW_TIMES = 8 };   /* which one sequence of steps would not serve much better */

/* Where factors are the work of so many entries of the matrix, some 0.3 s, rounding of the long run may add up to as much. */
#define MUCH_WORK    2e8
#define LITTLE_DRIFT 1e-8

typedef struct {
    const TransientJob *job;
    Series series;
    double early; /* bound of the error at times before the series */
    double now;   /* the time of x until the series */
    double little; /* that the long run may drift by, where factors take much */
    double asked;  /* when the long run was last asked for during the series */
    size_t next;  /* the next time to report */
    Run *run;
    Output *output;
    double *terms; /* functionals of the coefficients: LAGUERRE_TERMS x functionals */
} Stiff;

static double last_time(const Stiff *s)
{
    return s->job->time[s->job->count - 1];
}

bool stiff_suits(const Run *r)
{
    const double jumps = r->found.rate * r->job->time[r->job->count - 1];
    return !r->job->chain->share && jumps >= SERIES_LEAST;
}

/* ---- measures -------------------------------------------------------------------------------- */

/* The functionals of a coefficient, if some time in the step needs them. */
static PepaStatus keep_term(void *user, int32_t k, const double *w)
{
    Stiff *s = user;
    Run *r = s->run;
    const Output *o = s->output;
    PepaStatus status = PEPA_OK;
    r->found.solves++;
    r->clock.wait -= (int64_t)series_work(&s->series, k);
    if (step_clock_stops(&r->clock, s->job->chain, r->found.steps + r->found.solves, r->planned))
        return PEPA_ECANCEL;
    if (o && (r->integral || s->job->time[s->next] <= s->series.end))
        status = expressions_means(o->measures, s->job->at, w,
                                   s->terms + (size_t)k * (size_t)o->functionals, NULL);
    return status;
}

/* mean = the functionals `length` after the step's beginning, or what they accumulate until then. */
static void read_terms(const Stiff *s, int32_t terms, double length, double *mean)
{
    double value[LAGUERRE_TERMS + 1];
    const Output *o = s->output;
    laguerre_values(length / s->series.gamma, terms, value);
    memset(mean, 0, (size_t)o->functionals * sizeof *mean);
    for (int32_t k = 0; k < terms; k++) {
        const double *term = s->terms + (size_t)k * (size_t)o->functionals;
        const double factor =
            s->run->integral ? s->series.gamma * (value[k] - value[k + 1]) : value[k];
        for (int32_t f = 0; f < o->functionals; f++)
            mean[f] += factor * term[f];
    }
    for (int32_t f = 0; f < o->functionals; f++) /* by less than the error */
        if (mean[f] < 0 && expressions_never_negative(o->measures, f))
            mean[f] = 0;
}

static void add_errors(Stiff *s, const LaguerreFound *step)
{
    Run *r = s->run;
    r->error_now = s->series.off;
    const double here = r->error_now + (s->output ? step->reading : 0);
    if (r->integral)
        r->found.error_bound += series_integral_off(&s->series, step, 1);
    else
        r->found.error_bound = fmax(r->found.error_bound, here);
}

/* Where x hardly moved any more in a step: whether it is at the long run, and stands.  PEPA_ELIMIT: there are no other steps. */
static PepaStatus settle(Stiff *s, const LaguerreFound *step, PepaError *err)
{
    Run *r = s->run;
    const double left = last_time(s) - s->series.end;
    bool stands = false;
    if (left == 0 || s->series.end < LATER * s->asked ||
        step->speed > NEARLY_STILL * uniform_rounding(r->uniform) * r->found.rate)
        return PEPA_OK;
    s->asked = s->series.end;
    PepaStatus status = transient_settle(r, left, s->little, &stands, err);
    return status == PEPA_OK && stands ? PEPA_ELIMIT : status;
}

/* All times up to the end of the step. */
static PepaStatus report(void *user, const LaguerreFound *step, PepaError *err)
{
    Stiff *s = user;
    Output *o = s->output;
    add_errors(s, step);
    PepaStatus status = PEPA_OK;
    for (; s->next < s->job->count && s->job->time[s->next] <= s->series.end && status == PEPA_OK;
         s->next++) {
        if (!o)
            continue;
        read_terms(s, step->terms, s->job->time[s->next] - s->series.now, o->mean);
        for (int32_t f = 0; f < o->functionals && s->run->integral; f++)
            o->mean[f] += o->total[f];
        status = expressions_combine(o->measures, s->job->at, o->mean,
                                     o->value + s->next * (size_t)o->items, err);
    }
    if (o && s->run->integral && status == PEPA_OK) {
        read_terms(s, step->terms, s->series.end - s->series.now, o->mean);
        for (int32_t f = 0; f < o->functionals; f++)
            o->total[f] += o->mean[f];
    }
    return status == PEPA_OK ? settle(s, step, err) : status;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* The times up to now, as a job of their own. */
static PepaStatus early_times(Stiff *s, PepaError *err)
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

/* Uniformisation until `time`; *stands: from then on nothing much happens any more, by a bound of
 * the error.  As far as steps tell that, rounding may leave too much; then the long run is asked. */
static PepaStatus uniformise(Stiff *s, double time, TransientTask *task, void *user, bool *stands,
                             PepaError *err)
{
    Run *r = s->run;
    const double jumps = r->found.rate * (last_time(s) - time);
    r->after = (int64_t)fmin(jumps, MOST_PLANNED);
    PepaStatus status = transient_interval(r, time - s->now, err);
    r->after = 0;
    s->now = time;
    const double beyond = jumps * (r->change + uniform_change_rounding(r->uniform, r->x));
    r->rests = *stands = r->found.stationary >= 0 && beyond <= r->job->error / 4;
    if (*stands)
        r->error_now += beyond;
    if (status == PEPA_OK && r->change <= NEARLY_STILL * uniform_rounding(r->uniform) && !*stands)
        status = transient_settle(r, last_time(s) - time, s->little, stands, err);
    if (!*stands)
        r->found.stationary = -1;
    if (status == PEPA_OK && s->output)
        status = task(user, r, s->job->count, err); /* no time: keeps what is accumulated */
    return status;
}

/* To the beginning of the series.  *go_on: there is one. */
static PepaStatus begin(Stiff *s, TransientTask *task, void *user, bool *stands, bool *go_on,
                        PepaError *err)
{
    Run *r = s->run;
    double start = HUGE_VAL;
    PepaStatus status = uniformise(s, SERIES_FIRST / r->found.rate, task, user, stands, err);
    if (status == PEPA_OK && !*stands)
        status = series_open_chain(&s->series, r->uniform, s->job->chain, s->job->set, &start, err);
    const bool pays = status == PEPA_OK && series_pays(start, last_time(s));
    const double product = (double)s->job->chain->transitions + (double)s->job->chain->state_count;
    s->little = start * r->found.rate * product > MUCH_WORK ? LITTLE_DRIFT : 0;
    const double next = pays ? start : 2 * s->now;
    if (status == PEPA_OK && !*stands && next > s->now && (pays || s->little > 0))
        status = uniformise(s, next, task, user, stands, err);
    *go_on = pays && status == PEPA_OK && !*stands;
    series_begin(&s->series, s->now, r->error_now, s->job->error / 4);
    return status;
}

static PepaStatus run_all(Stiff *s, TransientTask *task, void *user, bool *done, PepaError *err)
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
    if (status == PEPA_OK && go_on) {
        const SeriesUse use = {.term = keep_term, .close = report, .user = s};
        status = series_advance(&s->series, last_time(s), last_time(s), r->x, &use, err);
        s->now = s->series.now;
    }
    if (status == PEPA_OK && s->next < s->job->count)
        status = transient_go(r, s->now, s->next, task, user, err);
    else if (status == PEPA_OK && !s->output)
        status = task(user, r, s->job->count - 1, err);
    r->found.error_bound = fmax(r->found.error_bound, s->early);
    return status;
}

PepaStatus stiff_run(Run *r, Output *o, TransientTask *task, void *user, bool *done, PepaError *err)
{
    Stiff s = {.job = r->job, .run = r, .output = o};
    *done = true;
    r->error = r->job->error / 8; /* in each of two ways: up to two times; once for the end */
    r->planned = (int64_t)fmin(r->found.rate * last_time(&s), MOST_PLANNED);
    if (o && !mem_new(s.terms, LAGUERRE_TERMS * (size_t)o->functionals))
        return error_memory(err);
    PepaStatus status = run_all(&s, task, user, done, err);
    series_close(&s.series);
    mem_free(s.terms);
    return status;
}
