/* Means after a time by starting state: uniformisation backwards, v -> P v.
 *
 * Changes are computed as sums of q_ij (v_j - v_i), so that their rounding errors are in proportion
 * to differences, which vanish as all states come to agree; that is what a long time needs. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "measure/csl_private.h"
#include "solvers/transient/poisson.h"

typedef struct {
    Csl *c;
    int32_t *active, count; /* the states that change */
    double rate;
    double *x, *next, *sum; /* n each */
    double size;            /* the largest |x| */
    double change;          /* bound of the exact |P x - x| of the last step, in any state */
    double off;             /* bound of what x is off after the steps until now */
} Run;

/* x is that after the step; what it is off grows. */
static void step(Run *r)
{
    const CslRows *q = &r->c->rows;
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

static bool open_run(Run *r, Csl *c, const uint8_t *frozen, const double *x)
{
    const size_t n = (size_t)c->rows.n;
    *r = (Run){.c = c};
    if (!(mem_new(r->active, n) && mem_new(r->x, n) && mem_new(r->next, n) && mem_new(r->sum, n)))
        return false;
    memcpy(r->x, x, n * sizeof *x);
    for (int32_t i = 0; i < c->rows.n; i++) {
        r->size = fmax(r->size, fabs(x[i]));
        if ((frozen && frozen[i]) || c->rows.exit[i] == 0)
            continue;
        r->active[r->count++] = i;
        r->rate = fmax(r->rate, c->rows.exit[i]);
    }
    r->rate *= 1.02; /* so that P has no period */
    return true;
}

/* Whether x stands for all iterates that are left: they differ by so little, or by no more than the
 * steps would be off by rounding. */
static bool stands(const Run *r, double left, double error)
{
    return left * r->change <= error || r->change <= DBL_EPSILON * r->size;
}

/* Add what x counts at a step: its weight, and its share of the integral's time. */
static void add(Run *r, double weight, double time, double *integral)
{
    for (int32_t k = 0; k < r->count; k++) {
        const int32_t i = r->active[k];
        r->sum[i] += weight * r->x[i];
        if (integral)
            integral[i] += time * r->x[i];
    }
}

static PepaStatus take_steps(Run *r, const PoissonWeights *w, double time, double *integral,
                             double *error, PepaError *err)
{
    Csl *c = r->c;
    double left = 1, at_rest = 0, integrated = 0; /* left: P(N > k) */
    int64_t k = 0;
    for (;; k++) {
        const double weight = k < w->left ? 0 : w->weight[k - w->left];
        left = fmax(left - weight, 0);
        if (k > 0 && stands(r, (double)(w->right - k + 1), c->tolerance / 4 * fmax(r->size, 1))) {
            at_rest = (double)(w->right - k + 1) * r->change;
            add(r, fmin(left + weight, 1), fmax(time - integrated, 0), integral);
            break;
        }
        add(r, weight, left / r->rate, integral);
        integrated += left / r->rate;
        if (k == w->right)
            break;
        step(r);
        if (step_clock_stops(&c->clock, c->job->chain, c->steps, c->steps + w->right - k))
            return error_set(err, PEPA_ECANCEL, "cancelled");
    }
    const double sums = (double)(w->right + 4) * DBL_EPSILON * r->size;
    const double mean = 2 * w->missing * r->size + r->off + at_rest +
                        (double)(w->right - w->left + 4) * DBL_EPSILON * r->size;
    /* Each of the tails, of weight 1 / rate, is off by what the weights are, and what is beyond
     * them is left out. */
    const double per = ((double)w->right + 1) / r->rate;
    *error += integral ? (time + per) * (r->off + at_rest) + w->beyond / r->rate * r->size +
                             per * (2 * w->missing * r->size + sums)
                       : mean;
    return PEPA_OK;
}

PepaStatus csl_steps(Csl *c, const uint8_t *frozen, double time, double *x, double *integral,
                     double *error, PepaError *err)
{
    Run r;
    PoissonWeights w = {0};
    const size_t n = (size_t)c->rows.n;
    PepaStatus status = open_run(&r, c, frozen, x) ? PEPA_OK : error_memory(err);
    const double mean = status == PEPA_OK ? r.rate * time : 0;
    for (size_t i = 0; integral && i < n && status == PEPA_OK; i++)
        integral[i] = time * x[i]; /* where nothing changes */
    if (status == PEPA_OK && integral)
        *error += DBL_EPSILON * time * r.size;
    if (status == PEPA_OK && mean > 0) {
        status = poisson_new(&w, mean, c->tolerance / 8, err);
        for (int32_t k = 0; k < r.count; k++) {
            r.sum[r.active[k]] = 0;
            if (integral)
                integral[r.active[k]] = 0;
        }
        if (status == PEPA_OK)
            status = take_steps(&r, &w, time, integral, error, err);
        for (int32_t k = 0; k < r.count && status == PEPA_OK; k++)
            x[r.active[k]] = r.sum[r.active[k]];
    }
    mem_free_all(r.active, r.x, r.next, r.sum, w.weight);
    return status;
}
