/* Uniformisation over a list of times, by one of two ways. */
#include "measure/transient.h"

#include <math.h>
#include <string.h>

#include "measure/transient_stiff.h"
#include "solvers/transient/poisson.h"

#define DENSE_BYTES 64e6 /* that functionals, as vectors and after each step, may take */

static bool run_reserve(Run *r, bool integral)
{
    const Chain *c = r->job->chain;
    const size_t all = uniform_entries(r->uniform), n = transient_states(r);
    return mem_new_zeroed(r->x, all) && mem_new(r->next, all) && mem_new(r->sum, all) &&
           (!integral || mem_new(r->integral, n)) &&
           (!c->spread || mem_new(r->by_state, c->state_count));
}

static PepaStatus run_open(Run *r, const TransientJob *job, bool integral, PepaError *err)
{
    *r = (Run){.job = job, .found.stationary = -1, .error = job->error / 4};
    r->clock = step_clock_start(job->set);
    PepaStatus status = uniform_new(&r->uniform, job->chain, job->at->term, NULL, job->set, err);
    if (status == PEPA_OK)
        status =
            chain_agree(job->chain, run_reserve(r, integral) ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK)
        status = uniform_start(r->uniform, r->x, err);
    if (status == PEPA_OK)
        r->found.rate = uniform_rate(r->uniform);
    return status;
}

static void run_close(Run *r)
{
    uniform_free(r->uniform);
    mem_free_all(r->x, r->next, r->sum, r->integral, r->by_state);
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

/* Some thousands at a time. */
static void sum_of_all(const Chain *chain, double *x, int64_t count)
{
    const int32_t most = 8192;
    for (int64_t k = 0; k < count; k += most)
        chain_sum(chain, x + k, (int32_t)(count - k < most ? count - k : most));
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
    if (status == PEPA_OK)
        sum_of_all(r->job->chain, s->after, (s->last + 1) * functionals);
    return status;
}

static PepaStatus weights_at(PoissonWeights *w, const Run *r, double time, bool accumulated,
                             PepaError *err)
{
    const double mean = r->found.rate * time, share = r->error / 2;
    return accumulated ? poisson_integral(w, mean, share, err) : poisson_new(w, mean, share, err);
}

/* The functionals at a time, or their integrals up to it. */
static PepaStatus weigh(Run *r, const Sequence *s, int32_t functionals, double time,
                        bool accumulated, double *mean, PepaError *err)
{
    PoissonWeights w = {0};
    const double rate = r->found.rate;
    PepaStatus status = weights_at(&w, r, time, accumulated, err);
    if (status != PEPA_OK)
        return status;
    memset(mean, 0, (size_t)functionals * sizeof *mean);
    for (int64_t k = accumulated ? 0 : w.left; k <= w.right; k++) {
        const double *after = s->after + (size_t)(k < s->last ? k : s->last) * (size_t)functionals;
        double weight = k < w.left ? 0 : w.weight[k - w.left];
        double factor = accumulated ? poisson_tail(&w, k) / rate : weight;
        for (int32_t f = 0; f < functionals; f++)
            mean[f] += factor * after[f];
    }
    const int64_t steps = w.right < s->last ? w.right : s->last;
    const double rest = w.right > steps ? (double)(w.right - steps) * s->change : 0;
    const double off = rest + (double)steps * uniform_rounding(r->uniform);
    const double error = accumulated ? transient_error_over(&w, rate, time, off)
                                     : transient_error(r, &w, steps, rest);
    r->found.error_bound = fmax(r->found.error_bound, error);
    poisson_free(&w);
    return status;
}

/* ---- measures -------------------------------------------------------------------------------- */

static PepaStatus put_values(void *user, const Run *r, size_t point, PepaError *err)
{
    Output *o = user;
    const double *p = r->integral ? r->integral : r->x;
    PepaStatus status = uniform_to_states(r->uniform, p, r->by_state, &p, err);
    if (status == PEPA_OK)
        status = expressions_means(o->measures, r->job->at, p, o->mean, err);
    status = chain_agree(r->job->chain, status, err);
    if (status == PEPA_OK)
        chain_sum(r->job->chain, o->mean, o->functionals);
    for (int32_t f = 0; f < o->functionals; f++)
        o->total[f] = o->mean[f] + (r->integral ? o->total[f] : 0);
    if (status == PEPA_OK && point < r->job->count)
        status = expressions_combine(o->measures, r->job->at, o->total,
                                     o->value + point * (size_t)o->items, err);
    return chain_agree(r->job->chain, status, err);
}

/* Whether one sequence of steps takes less than steps from each time to the next; for all processes. */
static bool dense(const Run *r, const Output *o)
{
    const TransientJob *job = r->job;
    const double n = (double)transient_states(r), f = o->functionals;
    const double last = (double)transient_steps_of(r, job->time[job->count - 1]);
    const double product = n + (double)job->chain->transitions;
    double apart = 2 * product * (double)job->count; /* and the functionals at each */
    for (size_t j = 0; j < job->count; j++)
        apart += product * (double)transient_steps_of(r, job->time[j] - (j ? job->time[j - 1] : 0));
    double fails =
        (n + last) * f * sizeof(double) > DENSE_BYTES || last * (product + n * f) >= apart;
    chain_sum(job->chain, &fails, 1);
    return fails == 0;
}

/* One row of functionals for each entry of a distribution. */
static PepaStatus list_vectors(const Run *r, const Output *o, double *vector, PepaError *err)
{
    const TransientJob *job = r->job;
    const size_t n = transient_states(r), f = (size_t)o->functionals;
    double *by_state = NULL, *one = NULL;
    if (!job->chain->spread)
        return chain_agree(job->chain, expressions_vectors(o->measures, job->at, vector, err), err);
    const bool ok = mem_new(by_state, (size_t)job->chain->state_count * f) && mem_new(one, n);
    PepaStatus status = chain_agree(job->chain, ok ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK)
        status =
            chain_agree(job->chain, expressions_vectors(o->measures, job->at, by_state, err), err);
    for (size_t k = 0; k < f && status == PEPA_OK; k++) {
        status = uniform_from_states(r->uniform, by_state + k, f, one, err);
        for (size_t i = 0; i < n; i++)
            vector[i * f + k] = one[i];
    }
    mem_free_all(by_state, one);
    return status;
}

static PepaStatus by_sequence(Run *r, const Output *o, bool accumulated, PepaError *err)
{
    const TransientJob *job = r->job;
    const size_t f = (size_t)o->functionals;
    Sequence s = {0};
    PoissonWeights w = {0};
    PepaStatus status = weights_at(&w, r, job->time[job->count - 1], accumulated, err);
    bool ok =
        mem_new(s.vector, transient_states(r) * f) && mem_new(s.after, ((size_t)w.right + 1) * f);
    if (status == PEPA_OK && !ok)
        status = error_memory(err);
    status = chain_agree(job->chain, status, err);
    r->planned = r->found.steps + w.right;
    if (status == PEPA_OK)
        status = list_vectors(r, o, s.vector, err);
    if (status == PEPA_OK)
        status = record(r, &s, o->functionals, w.right, err);
    for (size_t j = 0; j < job->count && status == PEPA_OK; j++) {
        status = weigh(r, &s, o->functionals, job->time[j], accumulated, o->mean, err);
        if (status == PEPA_OK)
            status = expressions_combine(o->measures, job->at, o->mean,
                                         o->value + j * (size_t)o->items, err);
    }
    mem_free_all(s.vector, s.after);
    poisson_free(&w);
    return status;
}

/* At the initial state again; the steps count on. */
static PepaStatus run_restart(Run *r, Output *o, PepaError *err)
{
    memset(o->total, 0, (size_t)o->functionals * sizeof *o->total);
    r->error = r->job->error / 4;
    r->error_now = 0;
    r->rests = false;
    r->found.error_bound = 0;
    r->found.stationary = -1;
    return uniform_start(r->uniform, r->x, err);
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
        if (status == PEPA_OK && !done)
            status = run_restart(r, o, err);
        if (status != PEPA_OK || done)
            return status;
    }
    return dense(r, o) && r->found.rate > 0 ? by_sequence(r, o, accumulated, err)
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
    const bool ok = mem_new_zeroed(o.mean, o.functionals) && mem_new_zeroed(o.total, o.functionals);
    if (status == PEPA_OK)
        status = chain_agree(job->chain, ok ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK)
        status = chain_agree(job->chain, measure(&r, &o, accumulated, err), err);
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
    if (job->time[job->count - 1] == 0) { /* needs no steps, nor memory for them */
        chain_begin(job->chain, job->at->term, p);
        *found = (TransientFound){.stationary = -1};
        return PEPA_OK;
    }
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
