/* Means after a time by starting state: uniformisation backwards, v -> P v.
 *
 * Changes are computed as sums of q_ij (v_j - v_i), so that their rounding errors are in proportion
 * to differences, which vanish as all states come to agree; that is what a long time needs. */
#include "measure/csl_interval.h"

#include <float.h>
#include <math.h>

#include "solvers/transient/poisson.h"

/* x is that after the step; what it is off grows. */
static void step(CslRun *r)
{
    const RateRows *q = &r->c->rows;
    double change = 0, differences = 0;
    for (int32_t k = 0; k < r->count; k++) {
        const int32_t i = r->active[k];
        double sum = 0, all = 0;
        for (int64_t e = q->row[i]; e < q->row[i + 1]; e++) {
            const double part = q->val[e] * (r->x[q->col[e]] - r->x[i]);
            sum += part;
            all += fabs(part);
        }
        sum /= r->rate;
        r->next[i] = r->x[i] + sum;
        change = fmax(change, fabs(sum));
        differences = fmax(differences, all / r->rate);
    }
    for (int32_t k = 0; k < r->count; k++)
        r->x[r->active[k]] = r->next[r->active[k]];
    const double rounding = (2 * q->roundings + 8) * (DBL_EPSILON / 2) * 1.01 * differences;
    r->change = change * (1 + DBL_EPSILON) + rounding;
    r->off += rounding + DBL_EPSILON * r->size;
    r->c->steps++;
}

/* Whether x stands for all iterates that are left: they differ by so little, or by no more than the
 * steps would be off by rounding. */
static bool stands(const CslRun *r, double left, double error)
{
    return left * r->change <= error || r->change <= DBL_EPSILON * r->size;
}

/* Add what x counts at a step: its weight, and its share of the integral's time. */
static void add(CslRun *r, double weight, double time)
{
    for (int32_t k = 0; k < r->count; k++) {
        const int32_t i = r->active[k];
        r->sum[i] += weight * r->x[i];
        if (r->integral)
            r->integral[i] += time * r->x[i];
    }
}

static PepaStatus take_steps(CslRun *r, const PoissonWeights *w, double time, PepaError *err)
{
    Csl *c = r->c;
    double left = 1, at_rest = 0, integrated = 0; /* left: P(N > k) */
    int64_t k = 0;
    for (;; k++) {
        const double weight = k < w->left ? 0 : w->weight[k - w->left];
        left = fmax(left - weight, 0);
        const double passing = r->integral ? poisson_tail(w, k) / r->rate : 0;
        const double after = (double)(w->right - k + 1) + r->after;
        if (k > 0 && stands(r, after, r->allowed / 4)) {
            at_rest = (double)(w->right - k + 1) * r->change;
            add(r, fmin(left + weight, 1), fmax(time - integrated, 0));
            break;
        }
        add(r, weight, passing);
        integrated += passing;
        if (k == w->right)
            break;
        step(r);
        if (step_clock_stops(&c->clock, c->job->chain, c->steps, c->steps + w->right - k))
            return error_set(err, PEPA_ECANCEL, "cancelled");
    }
    const double sums = (double)(w->right + 4) * DBL_EPSILON * r->size;
    const double narrow = (double)(w->right - w->left + 4) * DBL_EPSILON * r->size;
    r->integral_off += time * (r->off + at_rest + sums) + poisson_tails_off(w) / r->rate * r->size;
    r->off += 2 * w->missing * r->size + at_rest + narrow;
    return PEPA_OK;
}

PepaStatus csl_interval(CslRun *r, double time, PepaError *err)
{
    PoissonWeights w = {0};
    PepaStatus status = r->integral ? poisson_integral(&w, r->rate * time, r->c->tolerance / 8, err)
                                    : poisson_new(&w, r->rate * time, r->c->tolerance / 8, err);
    for (int32_t k = 0; k < r->count; k++)
        r->sum[r->active[k]] = 0;
    if (status == PEPA_OK)
        status = take_steps(r, &w, time, err);
    for (int32_t k = 0; k < r->count && status == PEPA_OK; k++)
        r->x[r->active[k]] = r->sum[r->active[k]];
    poisson_free(&w);
    return status;
}
