/* Uniformisation from one time to the next. */
#include "measure/transient_steps.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

size_t transient_states(const Run *r)
{
    return uniform_states(r->uniform);
}

static void add(double *y, double factor, const double *x, size_t n)
{
    for (size_t i = 0; i < n && factor != 0; i++)
        y[i] += factor * x[i];
}

PepaStatus transient_step(Run *r, double weight, double *change, PepaError *err)
{
    const UniformStep step = uniform_step(r->uniform, r->x, r->next, weight, r->sum);
    *change = r->change = step.change;
    swap(&r->x, &r->next);
    r->found.steps++;
    bool stops = step_clock_stops(&r->clock, r->job->chain, r->found.steps, r->planned);
    if (r->job->chain->share) { /* with the next step, all of them */
        if (stops)
            uniform_stop(r->uniform);
        stops = step.stopped;
    }
    return stops ? error_set(err, PEPA_ECANCEL, "cancelled") : PEPA_OK;
}

double transient_error(const Run *r, const PoissonWeights *w, int64_t steps, double stationary)
{
    return 2 * w->missing + stationary + (double)steps * uniform_rounding(r->uniform) +
           (double)(w->right - w->left + 2) * DBL_EPSILON;
}

double transient_error_over(const PoissonWeights *w, double rate, double length, double error)
{
    return length * (error + ((double)w->right + 4) * DBL_EPSILON) + poisson_tails_off(w) / rate;
}

bool transient_stands(const Run *r, int64_t left, double change)
{
    return (double)left * change <= r->error || change <= uniform_rounding(r->uniform);
}

/* over: of the integral over the interval at hand. */
static void add_error(Run *r, double over)
{
    double *bound = &r->found.error_bound;
    *bound = r->integral ? *bound + over : fmax(*bound, r->error_now);
}

PepaStatus transient_interval(Run *r, double length, PepaError *err)
{
    const size_t n = transient_states(r);
    const double rate = r->found.rate;
    PoissonWeights w = {0};
    if (r->integral)
        memset(r->integral, 0, n * sizeof *r->integral);
    if (rate * length == 0 || r->rests) {
        add(r->integral, r->integral ? length : 0, r->x, n);
        add_error(r, length * r->error_now);
        return PEPA_OK;
    }
    PepaStatus status = r->integral ? poisson_integral(&w, rate * length, r->error / 2, err)
                                    : poisson_new(&w, rate * length, r->error / 2, err);
    status = chain_agree(r->job->chain, status, err);
    if (status != PEPA_OK) {
        poisson_free(&w);
        return status;
    }
    double change, stationary = 0;
    int64_t k = 0;
    memset(r->sum, 0, n * sizeof *r->sum);
    for (; status == PEPA_OK && k <= w.right; k++) {
        double weight = k < w.left ? 0 : w.weight[k - w.left];
        if (k == 0)
            add(r->sum, weight, r->x, n);
        else
            status = transient_step(r, weight, &change, err);
        add(r->integral, r->integral ? poisson_tail(&w, k) / rate : 0, r->x, n);
        if (k > 0 && transient_stands(r, w.right - k + r->after, change))
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
    const double off = r->error_now + stationary + (double)k * uniform_rounding(r->uniform);
    r->error_now += transient_error(r, &w, k, stationary);
    add_error(r, transient_error_over(&w, rate, length, off));
    poisson_free(&w);
    swap(&r->x, &r->sum);
    return status;
}

int64_t transient_steps_of(const Run *r, double length)
{
    double mean = fmin(r->found.rate * length, POISSON_MOST); /* more is refused */
    return (int64_t)(mean + 7 * sqrt(mean) + 12);
}

PepaStatus transient_go(Run *r, double now, size_t first, TransientTask *task, void *user,
                        PepaError *err)
{
    const TransientJob *job = r->job;
    PepaStatus status = PEPA_OK;
    r->error /= (double)(job->count - first);
    r->planned = r->found.steps;
    for (size_t j = first; j < job->count; j++)
        r->planned += transient_steps_of(r, job->time[j] - (j > first ? job->time[j - 1] : now));
    for (size_t j = first; j < job->count && status == PEPA_OK; j++) {
        status = transient_interval(r, job->time[j] - (j > first ? job->time[j - 1] : now), err);
        if (status == PEPA_OK)
            status = task(user, r, j, err);
    }
    return status;
}
