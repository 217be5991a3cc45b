/* Uniformisation over a list of times, by one of two ways. */
#include "measure/transient.h"

#include <math.h>
#include <string.h>

#include "measure/transient_stiff.h"
#include "solvers/transient/poisson.h"

#define DENSE_BYTES 64e6 /* that functionals, as vectors and after each step, may take */

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
        chain_begin(job->chain, job->at->term, r->x);
        r->found.rate = uniform_rate(r->uniform);
    }
    return status;
}

static void run_close(Run *r)
{
    uniform_free(r->uniform);
    mem_free_all(r->x, r->next, r->sum, r->integral);
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
    for (size_t i = 0; i < transient_states(r); i++) {
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
        if (s->last == right || transient_stands(r, right - s->last, s->change))
            break;
        status = transient_step(r, 0, &s->change, err);
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
        transient_error(r, &w, steps, w.right > steps ? (double)(w.right - steps) * s->change : 0);
    error = accumulated ? transient_error_over(&w, rate, error) : error;
    r->found.error_bound = fmax(r->found.error_bound, error);
    mem_free(w.weight);
    return status;
}

/* ---- measures -------------------------------------------------------------------------------- */

static PepaStatus put_values(void *user, const Run *r, size_t point, PepaError *err)
{
    Output *o = user;
    const double *p = r->integral ? r->integral : r->x;
    PepaStatus status = expressions_means(o->measures, r->job->at, p, o->mean, err);
    for (int32_t f = 0; f < o->functionals; f++)
        o->total[f] = o->mean[f] + (r->integral ? o->total[f] : 0);
    if (status == PEPA_OK && point < r->job->count)
        status = expressions_combine(o->measures, r->job->at, o->total,
                                     o->value + point * (size_t)o->items, err);
    return status;
}

/* Whether one sequence of steps takes less than steps from each time to the next. */
static bool dense(const Run *r, const Output *o)
{
    const TransientJob *job = r->job;
    const double n = (double)transient_states(r), f = o->functionals;
    const double last = (double)transient_steps_of(r, job->time[job->count - 1]);
    const double product = n + (double)job->chain->transitions;
    double apart = 2 * product * (double)job->count; /* and the functionals at each */
    for (size_t j = 0; j < job->count; j++)
        apart += product * (double)transient_steps_of(r, job->time[j] - (j ? job->time[j - 1] : 0));
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
    bool ok =
        mem_new(s.vector, transient_states(r) * f) && mem_new(s.after, ((size_t)w.right + 1) * f);
    if (status == PEPA_OK && !ok)
        status = error_memory(err);
    r->planned = r->found.steps + w.right;
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

/* At the initial state again; the steps count on. */
static void run_restart(Run *r, Output *o)
{
    chain_begin(r->job->chain, r->job->at->term, r->x);
    memset(o->total, 0, (size_t)o->functionals * sizeof *o->total);
    r->error = r->job->error / 4;
    r->error_now = 0;
    r->found.error_bound = 0;
    r->found.stationary = -1;
}

static PepaStatus early_values(const TransientJob *job, const Output *o, bool accumulated,
                               TransientFound *found, PepaError *err)
{
    return transient_measures(job, o->measures, accumulated, o->value, found, err);
}

static PepaStatus measure(Run *r, Output *o, bool accumulated, PepaError *err)
{
    if (stiff_suits(r)) {
        bool done;
        PepaStatus status = stiff_run(r, o, put_values, o, &done, err);
        if (status != PEPA_OK || done)
            return status;
        run_restart(r, o);
    }
    return r->found.rate > 0 && dense(r, o) ? by_sequence(r, o, accumulated, err)
                                            : transient_go(r, 0, 0, put_values, o, err);
}

PepaStatus transient_measures(const TransientJob *job, const Expressions *measures,
                              bool accumulated, double *value, TransientFound *found,
                              PepaError *err)
{
    Run r;
    Output o = {.measures = measures,
                .functionals = expressions_functionals(measures),
                .items = expressions_items(measures),
                .value = value,
                .early = early_values};
    PepaStatus status = run_open(&r, job, accumulated, err);
    if (status == PEPA_OK &&
        !(mem_new_zeroed(o.mean, o.functionals) && mem_new_zeroed(o.total, o.functionals)))
        status = error_memory(err);
    if (status == PEPA_OK)
        status = measure(&r, &o, accumulated, err);
    const double last = job->count > 0 ? job->time[job->count - 1] : 0;
    if (status == PEPA_OK)
        status = uniform_judge(r.found.error_bound, job->error, accumulated ? last : 1, err);
    *found = r.found;
    mem_free_all(o.mean, o.total);
    run_close(&r);
    return status;
}

/* Series can leave entries a little below 0; 0 is nearer to what they should be. */
static PepaStatus put_distribution(void *user, const Run *r, size_t point, PepaError *err)
{
    double *p = user;
    (void)err;
    for (size_t i = 0; i < transient_states(r) && point + 1 == r->job->count; i++)
        p[i] = fmax(r->x[i], 0);
    return PEPA_OK;
}

PepaStatus transient_distribution(const TransientJob *job, double *p, TransientFound *found,
                                  PepaError *err)
{
    Run r;
    bool done;
    PepaStatus status = run_open(&r, job, false, err);
    if (status == PEPA_OK)
        status = stiff_suits(&r) ? stiff_run(&r, NULL, put_distribution, p, &done, err)
                                 : transient_go(&r, 0, 0, put_distribution, p, err);
    if (status == PEPA_OK)
        status = uniform_judge(r.found.error_bound, job->error, 1, err);
    *found = r.found;
    run_close(&r);
    return status;
}
