/* Uniformisation over a list of times, by one of two ways. */
#include "measure/transient.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solvers/transient/poisson.h"

#define DENSE_BYTES 64e6 /* that functionals, as vectors and after each step, may take */

typedef struct {
    const TransientJob *job;
    Uniform *uniform;
    StepClock clock;
    double *x, *next, *sum; /* one entry per state */
    double *integral;       /* the same, over the interval at hand; NULL: not wanted */
    double error;           /* that each interval may have, in each of two ways */
    double error_now;       /* bound of the error of x, at the time that has been reached */
    int64_t planned;        /* steps, of all intervals */
    TransientFound found;
} Run;

static void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

static size_t states(const Run *r)
{
    return (size_t)r->job->chain->state_count;
}

static void add(double *y, double factor, const double *x, size_t n)
{
    for (size_t i = 0; i < n && factor != 0; i++)
        y[i] += factor * x[i];
}

/* One step; x and next are exchanged.  *change: |x P - x|_1. */
static PepaStatus step(Run *r, double weight, double *change, PepaError *err)
{
    *change = uniform_step(r->uniform, r->x, r->next, weight, r->sum).change;
    swap(&r->x, &r->next);
    r->found.steps++;
    return step_clock_stops(&r->clock, r->job->chain, r->found.steps, r->planned)
               ? error_set(err, PEPA_ECANCEL, "cancelled")
               : PEPA_OK;
}

static PepaStatus run_open(Run *r, const TransientJob *job, bool integral, PepaError *err)
{
    const size_t n = (size_t)job->chain->state_count;
    *r = (Run){.job = job, .found.stationary = -1, .error = job->error / 4};
    r->clock = step_clock_start(job->set);
    PepaStatus status = uniform_new(&r->uniform, job->chain, job->at->term, NULL, job->set, err);
    bool ok = status == PEPA_OK && mem_new_zeroed(r->x, n) && mem_new(r->next, n) &&
              mem_new(r->sum, n) && (!integral || mem_new(r->integral, n));
    if (status == PEPA_OK && !ok)
        return error_memory(err);
    if (ok) {
        r->x[job->chain->initial] = 1;
        r->found.rate = uniform_rate(r->uniform);
    }
    return status;
}

static void run_close(Run *r)
{
    uniform_free(r->uniform);
    mem_free_all(r->x, r->next, r->sum, r->integral);
}

/* Of a distribution that `steps` steps and these weights lead to from an exact one. */
static double error_of(const Run *r, const PoissonWeights *w, int64_t steps, double stationary)
{
    return 2 * w->missing + stationary + (double)steps * uniform_rounding(r->uniform) +
           (double)(w->right - w->left + 2) * DBL_EPSILON;
}

/* The same of the integral: each of the tails 0 .. right, of weight 1 / rate, may be off by so much.
 */
static double error_over(const PoissonWeights *w, double rate, double error)
{
    return (((double)w->right + 1) * error + w->beyond) / rate;
}

/* Whether x may stand for all iterates of the steps that are left: the bound of the error that this
 * makes is small, or no larger than that of the rounding which the steps would add. */
static bool stands(const Run *r, int64_t left, double change)
{
    return (double)left * change <= r->error || change <= uniform_rounding(r->uniform);
}

/* ---- from one time to the next --------------------------------------------------------------- */

/* x becomes the distribution `length` later; integral, if it is wanted, what was passed through. */
static PepaStatus interval(Run *r, double length, PepaError *err)
{
    const size_t n = states(r);
    const double rate = r->found.rate;
    PoissonWeights w;
    if (r->integral)
        memset(r->integral, 0, n * sizeof *r->integral);
    if (rate * length == 0) {
        add(r->integral, r->integral ? length : 0, r->x, n);
        return PEPA_OK;
    }
    PepaStatus status = poisson_new(&w, rate * length, r->error / 2, err);
    if (status != PEPA_OK)
        return status;
    double left = 1, change, stationary = 0; /* left: P(N > k), of the weights */
    int64_t k = 0;
    memset(r->sum, 0, n * sizeof *r->sum);
    for (; status == PEPA_OK && k <= w.right; k++) {
        double weight = k < w.left ? 0 : w.weight[k - w.left];
        if (k == 0)
            add(r->sum, weight, r->x, n);
        else
            status = step(r, weight, &change, err);
        left -= weight;
        add(r->integral, r->integral ? fmax(left, 0) / rate : 0, r->x, n);
        if (k > 0 && stands(r, w.right - k, change))
            break;
    }
    if (status == PEPA_OK && k < w.right) { /* x stands for all later iterates */
        double rest = 0, tails = 0;         /* before the first weight nothing changes rest */
        const int64_t first = k + 1 > w.left ? k + 1 : w.left;
        for (int64_t i = w.right; i >= first; i--) {
            tails += rest;
            rest += w.weight[i - w.left];
        }
        tails += rest * (double)(first - k - 1);
        add(r->sum, rest, r->x, n);
        add(r->integral, r->integral ? tails / rate : 0, r->x, n);
        stationary = (double)(w.right - k) * change;
        if (r->found.stationary < 0)
            r->found.stationary = r->found.steps;
    }
    r->error_now += error_of(r, &w, k, stationary);
    r->found.error_bound =
        r->integral ? r->found.error_bound + error_over(&w, rate, r->error_now) : r->error_now;
    mem_free(w.weight);
    swap(&r->x, &r->sum);
    return status;
}

static int64_t steps_of(const Run *r, double length)
{
    double mean = fmin(r->found.rate * length, POISSON_MOST); /* more is refused */
    return (int64_t)(mean + 7 * sqrt(mean) + 12);
}

/* Through all times; then `task` with what r->x and r->integral are. */
typedef PepaStatus AtTime(void *user, const Run *r, size_t point, PepaError *err);

static PepaStatus go(Run *r, AtTime *task, void *user, PepaError *err)
{
    const TransientJob *job = r->job;
    PepaStatus status = PEPA_OK;
    r->error /= (double)job->count;
    r->planned = 0;
    for (size_t j = 0; j < job->count; j++)
        r->planned += steps_of(r, job->time[j] - (j ? job->time[j - 1] : 0));
    for (size_t j = 0; j < job->count && status == PEPA_OK; j++) {
        status = interval(r, job->time[j] - (j ? job->time[j - 1] : 0), err);
        if (status == PEPA_OK)
            status = task(user, r, j, err);
    }
    return status;
}

/* ---- one sequence of steps for all times ----------------------------------------------------- */

typedef struct {
    double *vector; /* states x functionals */
    double *after;  /* functionals after each step: steps x functionals */
    int64_t last;   /* the last step taken: it stands for all later ones */
    double change;  /* |x P^last - x P^(last - 1)|_1 */
} Sequence;

static void apply(const Run *r, const Sequence *s, int32_t functionals, int64_t k)
{
    double *out = s->after + (size_t)k * (size_t)functionals;
    memset(out, 0, (size_t)functionals * sizeof *out);
    for (size_t i = 0; i < states(r); i++) {
        const double *row = s->vector + i * (size_t)functionals;
        for (int32_t f = 0; f < functionals && r->x[i] != 0; f++)
            out[f] += r->x[i] * row[f];
    }
}

static PepaStatus record(Run *r, Sequence *s, int32_t functionals, int64_t right, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    s->change = HUGE_VAL;
    for (s->last = 0; status == PEPA_OK; s->last++) {
        apply(r, s, functionals, s->last);
        if (s->last == right || stands(r, right - s->last, s->change))
            break;
        status = step(r, 0, &s->change, err);
    }
    if (status == PEPA_OK && s->last < right)
        r->found.stationary = s->last;
    return status;
}

/* The functionals at a time, or their integrals up to it. */
static PepaStatus weigh(Run *r, const Sequence *s, int32_t functionals, double time,
                        bool accumulated, double *mean, PepaError *err)
{
    PoissonWeights w;
    const double rate = r->found.rate;
    PepaStatus status = poisson_new(&w, rate * time, r->error / 2, err);
    if (status != PEPA_OK)
        return status;
    double left = 1;
    memset(mean, 0, (size_t)functionals * sizeof *mean);
    for (int64_t k = accumulated ? 0 : w.left; k <= w.right; k++) {
        const double *after = s->after + (size_t)(k < s->last ? k : s->last) * (size_t)functionals;
        double weight = k < w.left ? 0 : w.weight[k - w.left];
        left -= weight;
        double factor = accumulated ? fmax(left, 0) / rate : weight;
        for (int32_t f = 0; f < functionals; f++)
            mean[f] += factor * after[f];
    }
    const int64_t steps = w.right < s->last ? w.right : s->last;
    double error =
        error_of(r, &w, steps, w.right > steps ? (double)(w.right - steps) * s->change : 0);
    error = accumulated ? error_over(&w, rate, error) : error;
    r->found.error_bound = fmax(r->found.error_bound, error);
    mem_free(w.weight);
    return status;
}

/* ---- measures -------------------------------------------------------------------------------- */

typedef struct {
    const Expressions *measures;
    int32_t functionals, items;
    double *mean, *value;
} Output;

static PepaStatus put_values(void *user, const Run *r, size_t point, PepaError *err)
{
    Output *o = user;
    const double *p = r->integral ? r->integral : r->x;
    double *sum = o->mean + o->functionals; /* integrals up to now */
    PepaStatus status = expressions_means(o->measures, r->job->at, p, o->mean, err);
    for (int32_t f = 0; f < o->functionals; f++)
        sum[f] = o->mean[f] + (r->integral ? sum[f] : 0);
    if (status == PEPA_OK)
        status = expressions_combine(o->measures, r->job->at, sum,
                                     o->value + point * (size_t)o->items, err);
    return status;
}

/* Whether one sequence of steps takes less than steps from each time to the next. */
static bool dense(const Run *r, const Output *o)
{
    const TransientJob *job = r->job;
    const double n = (double)states(r), f = o->functionals;
    const double last = (double)steps_of(r, job->time[job->count - 1]);
    const double product = n + (double)job->chain->transitions;
    double apart = 2 * product * (double)job->count; /* and the functionals at each */
    for (size_t j = 0; j < job->count; j++)
        apart += product * (double)steps_of(r, job->time[j] - (j ? job->time[j - 1] : 0));
    return (n + last) * f * sizeof(double) <= DENSE_BYTES && last * (product + n * f) < apart;
}

static PepaStatus by_sequence(Run *r, const Output *o, bool accumulated, PepaError *err)
{
    const TransientJob *job = r->job;
    const size_t f = (size_t)o->functionals;
    Sequence s = {0};
    PoissonWeights w = {0};
    PepaStatus status =
        poisson_new(&w, r->found.rate * job->time[job->count - 1], r->error / 2, err);
    bool ok = mem_new(s.vector, states(r) * f) && mem_new(s.after, ((size_t)w.right + 1) * f);
    if (status == PEPA_OK && !ok)
        status = error_memory(err);
    r->planned = w.right;
    if (status == PEPA_OK)
        status = expressions_vectors(o->measures, job->at, s.vector, err);
    if (status == PEPA_OK)
        status = record(r, &s, o->functionals, w.right, err);
    for (size_t j = 0; j < job->count && status == PEPA_OK; j++) {
        status = weigh(r, &s, o->functionals, job->time[j], accumulated, o->mean, err);
        if (status == PEPA_OK)
            status = expressions_combine(o->measures, job->at, o->mean,
                                         o->value + j * (size_t)o->items, err);
    }
    mem_free_all(s.vector, s.after, w.weight);
    return status;
}

PepaStatus transient_measures(const TransientJob *job, const Expressions *measures,
                              bool accumulated, double *value, TransientFound *found,
                              PepaError *err)
{
    Run r;
    Output o = {measures, expressions_functionals(measures), expressions_items(measures), NULL,
                value};
    PepaStatus status = run_open(&r, job, accumulated, err);
    if (status == PEPA_OK && !mem_new_zeroed(o.mean, 2 * (size_t)o.functionals))
        status = error_memory(err);
    if (status == PEPA_OK)
        status = r.found.rate > 0 && dense(&r, &o) ? by_sequence(&r, &o, accumulated, err)
                                                   : go(&r, put_values, &o, err);
    *found = r.found;
    mem_free(o.mean);
    run_close(&r);
    return status;
}

static PepaStatus put_distribution(void *user, const Run *r, size_t point, PepaError *err)
{
    (void)err;
    if (point + 1 == r->job->count)
        memcpy(user, r->x, states(r) * sizeof *r->x);
    return PEPA_OK;
}

PepaStatus transient_distribution(const TransientJob *job, double *p, TransientFound *found,
                                  PepaError *err)
{
    Run r;
    PepaStatus status = run_open(&r, job, false, err);
    if (status == PEPA_OK)
        status = go(&r, put_distribution, p, err);
    *found = r.found;
    run_close(&r);
    return status;
}
