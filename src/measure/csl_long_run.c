/* Means in the long run by starting state: that of each bottom component, and the mean of these
 * over where a state leads to.
 *
 * Of one component with steady state pi, and any vector h,
 *     pi r = pi (r + Q h)   is between the least and the greatest entry of r + Q h,
 * so that a potential h gives bounds whatever solved for it (see enclosure.h). */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "measure/csl_private.h"
#include "measure/interval.h"
#include "measure/steady.h"

/* One bottom component. */
typedef struct {
    Csl *c;
    const double *earn;
    double earn_error;
    const int32_t *state, *place; /* per row: its state; per state: its row */
    int32_t n;
    FlowOwner jumps, back; /* P and P' */
    double *y, *reward, *h, *part;
} Bottom;

static PepaStatus build_back(Bottom *p, PepaError *err)
{
    const FlowOwner *f = &p->jumps;
    FlowOwner *b = &p->back;
    const int64_t entries = f->row[p->n];
    b->n = p->n;
    if (!(mem_new_zeroed(b->row, (size_t)p->n + 2) && mem_new(b->col, entries) &&
          mem_new(b->val, entries) && mem_new(b->exit, p->n)))
        return error_memory(err);
    memcpy(b->exit, f->exit, (size_t)p->n * sizeof *b->exit);
    for (int64_t k = 0; k < entries; k++)
        b->row[f->col[k] + 2]++;
    for (int32_t i = 0; i < p->n; i++)
        b->row[i + 2] += b->row[i + 1];
    for (int32_t i = 0; i < p->n; i++)
        for (int64_t k = f->row[i]; k < f->row[i + 1]; k++) {
            const int64_t at = b->row[f->col[k] + 1]++;
            b->col[at] = i;
            b->val[at] = f->val[k];
        }
    return PEPA_OK;
}

/* Between which pi r is, by h; reward: r + Q h less its least entry. */
static Interval spread(Bottom *p)
{
    const RateRows *q = &p->c->rows;
    const long double unit = LDBL_EPSILON;
    Interval all = {HUGE_VAL, -HUGE_VAL};
    double least = HUGE_VAL;
    for (int32_t i = 0; i < p->n; i++) {
        const int32_t s = p->state[i];
        const long double here = p->h[i];
        long double sum = p->earn[s], size = fabs(p->earn[s]);
        long double off = p->earn_error;
        for (int64_t k = q->row[s]; k < q->row[s + 1]; k++) {
            const long double part = q->val[k] * (p->h[p->place[q->col[k]]] - here);
            sum += part;
            size += fabsl(part);
            off += fabsl(part) * (q->roundings + 1) * DBL_EPSILON / 2;
        }
        off += size * (q->roundings + 6) * unit;
        if (!(off <= DBL_MAX / 2)) /* infinite, or NaN */
            return (Interval){-HUGE_VAL, HUGE_VAL};
        p->reward[i] = (double)sum;
        least = fmin(least, p->reward[i]);
        all.low = fmin(all.low, nextafter((double)(sum - off), -HUGE_VAL));
        all.high = fmax(all.high, nextafter((double)(sum + off), HUGE_VAL));
    }
    for (int32_t i = 0; i < p->n; i++)
        p->reward[i] -= least;
    return all;
}

/* Bounds are narrowed by potentials of what earlier ones have left uneven. */
static PepaStatus narrow(Bottom *p, Interval *out, PepaError *err)
{
    const int most = 4;
    Control control = settings_control(p->c->job->set, p->c->memory);
    Outcome found = {0};
    Poisson problem = {.jumps = flow_view(&p->jumps, NULL),
                       .pi = p->y,
                       .reward = p->reward,
                       .everywhere = true};
    control.tolerance = 1e-13;
    *out = spread(p);
    for (int k = 0; k < most; k++) {
        const double before = out->high - out->low;
        if (!(before > p->c->tolerance / 2))
            return PEPA_OK;
        memset(p->part, 0, (size_t)p->n * sizeof *p->part);
        PepaStatus status = solve_potential(&problem, PEPA_AUTO, &control, p->part, &found, err);
        if (status == PEPA_ENOMEM || status == PEPA_ECANCEL)
            return status;
        for (int32_t i = 0; i < p->n; i++)
            p->h[i] += p->part[i];
        Interval now = spread(p);
        *out = (Interval){fmax(out->low, now.low), fmin(out->high, now.high)};
        if (!(out->high - out->low < before / 2))
            break;
    }
    return PEPA_OK;
}

static PepaStatus solve(Bottom *p, Interval *out, PepaError *err)
{
    const size_t n = (size_t)p->n;
    Control control = settings_control(p->c->job->set, p->c->memory);
    Outcome found = {0};
    control.tolerance = 1e-12;
    bool ok =
        mem_new(p->y, n) && mem_new(p->reward, n) && mem_new_zeroed(p->h, n) && mem_new(p->part, n);
    /* All that a state of a bottom component leads to is in it. */
    PepaStatus status = ok ? rate_rows_jumps(&p->c->rows, p->state, p->place, p->n, &p->jumps, err)
                           : error_memory(err);
    if (status == PEPA_OK)
        status = build_back(p, err);
    for (size_t i = 0; i < n && status == PEPA_OK; i++)
        p->y[i] = 1 / (double)n;
    Flow view = flow_view(&p->back, NULL);
    if (status == PEPA_OK)
        status = solve_flow(PEPA_AUTO, &view, &control, p->y, &found, err);
    if (status == PEPA_ENOCONV || status == PEPA_ELIMIT)
        status = PEPA_OK; /* the potential is then less good, and the bounds say how good it is */
    for (size_t i = 0; i < n && status == PEPA_OK; i++)
        p->y[i] /= p->jumps.exit[i];
    if (status == PEPA_OK)
        status = narrow(p, out, err);
    flow_free(&p->jumps);
    flow_free(&p->back);
    mem_free_all(p->y, p->reward, p->h, p->part);
    return status;
}

/* Of few states by elimination without subtractions, however rare some jumps are: a sum of products of rates over another
 * one, off by 2 n d if these are by d each, relative to themselves (O'Cinneide, Numer. Math. 65, 1993). */
static PepaStatus eliminate(const Bottom *p, Interval *x, PepaError *err)
{
    enum { ABOVE, BELOW, SIDES };
    const RateRows *q = &p->c->rows;
    const size_t n = (size_t)p->n;
    const Control control = settings_control(p->c->job->set, p->c->memory);
    long double *rate = NULL, *earned = NULL, mean[SIDES];
    double off;
    if (p->n > CENSOR_FIRST ||
        !budget_allows(p->c->memory, (double)(n * (n + 2 * SIDES + 1) * sizeof *rate)))
        return PEPA_OK;
    const bool ok = mem_new_zeroed(rate, n * n) && mem_new_zeroed(earned, n * SIDES);
    PepaStatus status = ok ? PEPA_OK : error_memory(err);
    for (size_t i = 0; i < n && ok; i++) {
        const int32_t s = p->state[i];
        earned[i * SIDES + (p->earn[s] > 0 ? ABOVE : BELOW)] = fabs(p->earn[s]);
        for (int64_t k = q->row[s]; k < q->row[s + 1]; k++)
            rate[i * n + (size_t)p->place[q->col[k]]] = q->val[k];
    }
    if (status == PEPA_OK)
        status = means_gth(p->n, SIDES, rate, earned, &control, mean, &off, err);
    if (status == PEPA_OK) {
        const double all = off + ((double)n + 1) * (q->roundings + 2) * DBL_EPSILON;
        const long double error = (mean[ABOVE] + mean[BELOW]) * 1.01L * all + p->earn_error;
        const long double middle = mean[ABOVE] - mean[BELOW];
        const Interval found =
            interval_outwards((double)(middle - error), (double)(middle + error));
        *x = (Interval){fmax(x->low, found.low), fmin(x->high, found.high)};
    }
    mem_free_all(rate, earned);
    return status == PEPA_ENOCONV ? PEPA_OK : status;
}

/* Of the component of state[0 .. n - 1]. */
static PepaStatus component_mean(Csl *c, const double *earn, double earn_error,
                                 const int32_t *state, int32_t n, int32_t *place, double *value,
                                 double *error, PepaError *err)
{
    Bottom p =
        {.c = c, .earn = earn, .earn_error = earn_error, .state = state, .place = place, .n = n};
    bool same = true;
    for (int32_t i = 0; i < n; i++) {
        place[state[i]] = i;
        same = same && earn[state[i]] == earn[state[0]];
    }
    *value = earn[state[0]];
    *error = earn_error;
    if (same)
        return PEPA_OK;
    Interval x;
    PepaStatus status = solve(&p, &x, err);
    if (status == PEPA_OK && !(x.high - x.low <= c->tolerance))
        status = eliminate(&p, &x, err);
    if (status != PEPA_OK)
        return status;
    *value = x.low / 2 + x.high / 2;
    *error = (x.high - x.low) / 2 * (1 + 4 * DBL_EPSILON) + fabs(*value) * DBL_EPSILON;
    if (!(*error <= fmax(1e-6, c->job->set->solve.tolerance) * fmax(1, fabs(*value))))
        return error_set(
            err, PEPA_ENOCONV,
            "a mean in the long run is known to %.1e only: rates too far apart, or try "
            "a larger --tolerance",
            *error);
    return PEPA_OK;
}

/* The states of bottom components by component: first[k] .. first[k + 1] - 1. */
static bool sort_components(const Chain *chain, int32_t **state, int32_t **first)
{
    const int32_t n = (int32_t)chain->state_count, count = chain->bottom_count;
    if (!(mem_new(*state, n) && mem_new_zeroed(*first, (size_t)count + 2)))
        return false;
    for (int32_t i = 0; i < n; i++)
        if (!chain->bottom || chain->bottom[i] >= 0)
            (*first)[(chain->bottom ? chain->bottom[i] : 0) + 2]++;
    for (int32_t k = 0; k < count; k++)
        (*first)[k + 2] += (*first)[k + 1];
    for (int32_t i = 0; i < n; i++)
        if (!chain->bottom || chain->bottom[i] >= 0)
            (*state)[(*first)[(chain->bottom ? chain->bottom[i] : 0) + 1]++] = i;
    return true;
}

PepaStatus csl_long_run(Csl *c, const double *earn, double earn_error, CslNumbers *out,
                        PepaError *err)
{
    const Chain *chain = c->job->chain;
    const int32_t n = c->rows.n;
    int32_t *state = NULL, *first = NULL, *place = NULL;
    uint8_t *within = NULL;
    double worst = 0;
    bool ok =
        sort_components(chain, &state, &first) && mem_new(place, n) && mem_new_zeroed(within, n);
    PepaStatus status = ok ? PEPA_OK : error_memory(err);
    for (int32_t k = 0; k < chain->bottom_count && status == PEPA_OK; k++) {
        double value = 0, error = 0;
        status = component_mean(c, earn, earn_error, state + first[k], first[k + 1] - first[k],
                                place, &value, &error, err);
        for (int32_t i = first[k]; i < first[k + 1]; i++) {
            out->value[state[i]] = value;
            out->error[state[i]] = error;
        }
        worst = fmax(worst, error);
    }
    for (int32_t i = 0; i < n && ok; i++)
        within[i] = chain->bottom && chain->bottom[i] < 0;
    const LeaveJob job = csl_leaving(c);
    if (status == PEPA_OK && chain->bottom)
        status = leave(&job, within, out->value, worst, NULL, NULL, out->value, out->error, err);
    mem_free_all(state, first, place, within);
    return status;
}

PepaStatus csl_long_run_sure(Csl *c, const uint8_t *right, CslNumbers *out, PepaError *err)
{
    const Chain *chain = c->job->chain;
    const int32_t n = c->rows.n;
    uint8_t *some = mem_calloc((size_t)n, 1), *other = mem_calloc((size_t)n, 1);
    for (int32_t i = 0; i < n && some && other; i++) {
        const bool stays = !chain->bottom || chain->bottom[i] >= 0;
        some[i] = stays && right[i];
        other[i] = stays && !right[i];
    }
    if (some && other) {
        rate_rows_spread(&c->rows, NULL, c->stack, some);
        rate_rows_spread(&c->rows, NULL, c->stack, other);
    }
    for (int32_t i = 0; i < n && some && other; i++) {
        out->sure[i] = !some[i] ? CSL_ZERO : !other[i] ? CSL_ONE : CSL_BETWEEN;
        if (out->sure[i] == CSL_BETWEEN) {
            out->value[i] = fmin(fmax(out->value[i], 0), 1);
            continue;
        }
        out->value[i] = out->sure[i] == CSL_ONE;
        out->error[i] = 0;
    }
    const bool ok = some && other;
    mem_free_all(some, other);
    return ok ? PEPA_OK : error_memory(err);
}
