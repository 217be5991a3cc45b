/* Whether a run has come to the long run. */
#include "measure/transient_settled.h"

#include <float.h>
#include <math.h>

#include "base/budget.h"
#include "base/mem.h"
#include "ctmc/operator.h"
#include "measure/longrun.h"
#include "solvers/direct/dense.h"

/* Of the flow that is out of balance, which solvers are asked for at most. */
#define LEAST_TOLERANCE 1e-14

/* The tolerance with which what is out of balance adds up to a share of the error.
 *   flow  out of all states */
static double tolerance(const Run *r, double flow, double length)
{
    const double needed = r->job->error / 8 / (length * flow);
    return fmin(r->job->set->solve.tolerance, fmax(needed, LEAST_TOLERANCE));
}

/* p: the long run, solved for to this tolerance. */
static PepaStatus solve(const Run *r, double to, double *p, PepaError *err)
{
    const Chain *c = r->job->chain;
    PepaSettings set = *r->job->set;
    LongRun *run = NULL;
    set.solve = (PepaSolve){.tolerance = to};
    set.evidence = NULL;
    PepaStatus status = longrun_check_memory(c, &set, err);
    if (status == PEPA_OK)
        status = longrun_new(&run, c, steady_form(c), err);
    if (status == PEPA_OK)
        status = longrun_solve(run, r->job->at, &set, p, NULL, err);
    longrun_free(run);
    return status;
}

/* ---- few states, eliminated ------------------------------------------------------------------ */

enum { FEW_STATES = 500 }; /* a tenth of a second */

typedef struct {
    const double *value;
    int32_t *place; /* per state: its row, or -1 */
    int32_t n, *met;
    long double *rate;
} Matrix;

static void add_rate(void *user, const Transition *t)
{
    Matrix *m = user;
    const int32_t row = m->place[t->from];
    if (row < 0)
        return;
    m->met[row]++;
    if (t->to != t->from)
        m->rate[(size_t)row * (size_t)m->n + (size_t)m->place[t->to]] += m->value[t->term];
}

/* y: the long run of the states that are left, from the last one that was left out to the first. */
static void find_again(const DenseChain *d, long double *y)
{
    long double sum = y[0] = 1;
    for (int32_t k = 1; k < d->n; k++) {
        long double in = 0;
        for (int32_t j = 0; j < k; j++)
            in += y[j] * d->rate[(size_t)j * (size_t)d->n + (size_t)k];
        y[k] = in / dense_way_out(d, k);
        sum += y[k];
    }
    for (int32_t k = 0; k < d->n; k++)
        y[k] /= sum;
}

/* p: the long run, of which every digit is right; *off: a bound of |p - exact|_1.  *few: false if there are many
 * states, several ways to end, or too little memory. */
static PepaStatus eliminate(const Run *r, double *p, double *off, bool *few, PepaError *err)
{
    const Chain *c = r->job->chain;
    const size_t all = (size_t)c->state_count;
    Matrix m = {.value = r->job->at->term};
    *few = false;
    if (c->bottom_count != 1)
        return PEPA_OK;
    for (size_t s = 0; s < all; s++)
        m.n += chain_component(c, (int64_t)s) >= 0;
    const size_t n = (size_t)m.n;
    if (m.n > FEW_STATES ||
        !budget_allows(r->job->set->memory,
                       chain_bytes(c) + (double)((n + 1) * n * sizeof(long double))))
        return PEPA_OK;
    long double *y = NULL;
    int32_t longest = 0;
    const bool ok = mem_new(m.place, all) && mem_new_zeroed(m.met, n) &&
                    mem_new_zeroed(m.rate, n * n) && mem_new(y, n);
    PepaStatus status = ok ? PEPA_OK : error_memory(err);
    for (size_t s = 0, row = 0; s < all && ok; s++)
        m.place[s] = chain_component(c, (int64_t)s) >= 0 ? (int32_t)row++ : -1;
    if (status == PEPA_OK)
        status = chain_each_transition(c, add_rate, &m, err);
    const DenseChain dense = {.n = m.n, .rate = m.rate};
    const Control control = settings_control(r->job->set, 0);
    if (status == PEPA_OK)
        status = dense_censor_all(&dense, 1, &control, err);
    *few = status == PEPA_OK;
    if (*few)
        find_again(&dense, y);
    for (size_t k = 0; k < n && *few; k++)
        longest = m.met[k] > longest ? m.met[k] : longest;
    for (size_t s = 0; s < all && *few; s++)
        p[s] = m.place[s] >= 0 ? (double)y[m.place[s]] : 0;
    *off = dense_rounding((double)n) + (double)n * longest * (double)LDBL_EPSILON + DBL_EPSILON;
    mem_free_all(m.place, m.met, m.rate, y);
    return status == PEPA_ENOCONV ? PEPA_OK : status;
}

/* ---- the distance ---------------------------------------------------------------------------- */

static double distance(const Run *r)
{
    double apart = 0;
    for (size_t i = 0; i < transient_states(r); i++)
        apart += fabs(r->x[i] - r->sum[i]);
    return apart;
}

/* r->sum stands for all that follows, as it is so far from x. */
static void settle(Run *r, double apart)
{
    double *x = r->x;
    r->x = r->sum;
    r->sum = x;
    r->rests = true;
    r->error_now += apart;
    r->found.stationary = r->found.steps;
}

PepaStatus transient_settle(Run *r, double length, double little, bool *settled, PepaError *err)
{
    const double allowed = fmax(r->job->error / 4, r->error_now);
    double off, drift;
    bool few;
    *settled = false;
    PepaStatus status = eliminate(r, r->sum, &off, &few, err);
    if (status != PEPA_OK)
        return status;
    if (few) {
        const double apart = distance(r) + 2 * off;
        *settled = apart <= allowed;
        if (*settled)
            settle(r, apart);
        return PEPA_OK;
    }
    status = solve(r, tolerance(r, uniform_flow(r->uniform, r->x), length), r->sum, err);
    if (status != PEPA_OK)
        return status == PEPA_ECANCEL ? status : PEPA_OK;
    const double apart = distance(r);
    status = uniform_drift(r->uniform, r->job->set, r->sum, &drift, err);
    if (status != PEPA_OK)
        return status == PEPA_ELIMIT ? PEPA_OK : status;
    drift *= length;
    *settled = apart <= allowed && drift <= fmax(allowed, little);
    if (*settled)
        settle(r, apart + drift);
    return PEPA_OK;
}
