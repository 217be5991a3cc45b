/* Linear equations y = A y + c over transient states: by factors, or by a solver of steady states, with
 * defects in long double. */
#include "measure/leave_solve.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "measure/leave_eliminate.h"
#include "measure/steady.h"

/* Each is tried where those before it do not come near enough: factors first. */
static const PepaMethod methods[] = {PEPA_DIRECT, PEPA_BICGSTAB, PEPA_GAUSS_SEIDEL};
enum { METHODS = sizeof methods / sizeof *methods };

PepaStatus leaving_build(Leaving *l, const uint8_t *within, bool eliminates, PepaError *err)
{
    const RateRows *q = l->job->rows;
    const size_t n = (size_t)q->n;
    if (!(mem_new(l->place, n) && mem_new(l->state, n)))
        return error_memory(err);
    for (int32_t i = 0; i < q->n; i++) {
        l->place[i] = within[i] ? l->n : -1;
        if (within[i])
            l->state[l->n++] = i;
    }
    l->methods = eliminates && leave_eliminates(l->n, l->job->memory) ? 1 : METHODS;
    const size_t rows = (size_t)l->n;
    if (!(mem_new(l->b, rows) && mem_new(l->weight, rows) && mem_new(l->part, 2 * rows) &&
          mem_new(l->kept, rows) && mem_new(l->x.at, rows) && mem_new(l->t.at, rows)))
        return error_memory(err);
    l->t.visit = l->weight;
    return rate_rows_jumps(q, l->state, l->place, l->n, &l->flow, err);
}

void leaving_free(Leaving *l)
{
    factors_free(&l->factors);
    flow_factors_free(l->incomplete);
    flow_free(&l->flow);
    mem_free_all(l->place, l->state, l->b, l->weight, l->part, l->kept, l->x.at, l->t.at);
}

/* ---- solution -------------------------------------------------------------------------------- */

/* The chance to leave these states from that of a row. */
static double leave_chance(const Leaving *l, int32_t i)
{
    const RateRows *q = l->job->rows;
    const int32_t s = l->state[i];
    double sum = 0;
    for (int64_t k = q->row[s]; k < q->row[s + 1]; k++)
        if (l->place[q->col[k]] < 0)
            sum += q->val[k];
    return sum / q->exit[s];
}

/* Factors of I - A, unless they would take too much. */
static PepaStatus make_factors(Leaving *l, PepaError *err)
{
    const double most = 5e10; /* multiply-adds: some ten seconds */
    Control control = settings_control(l->job->set, l->job->memory);
    const Flow view = flow_view(&l->flow, NULL);
    control.work = most;
    for (int32_t i = 0; i < l->n; i++)
        l->part[i] = leave_chance(l, i);
    PepaStatus status = factors_analyse(&l->factors, &view, ROWS_OF_TARGETS, -1, &control);
    if (status == PEPA_OK)
        status = factors_make(&l->factors, l->part, &control);
    l->has = status == PEPA_OK ? HAS_FACTORS : REFUSED_FACTORS;
    if (status != PEPA_OK)
        factors_free(&l->factors);
    return status == PEPA_ENOMEM    ? error_memory(err)
           : status == PEPA_ECANCEL ? error_set(err, status, "cancelled")
                                    : PEPA_OK;
}

/* y of y = A y + b, b >= 0, as near as the method comes; b is spoiled. */
static PepaStatus solve(Leaving *l, PepaMethod method, double tolerance, double *y, PepaError *err)
{
    double sum = 0;
    for (int32_t i = 0; i < l->n; i++)
        sum += l->b[i];
    memset(y, 0, (size_t)l->n * sizeof *y);
    if (sum == 0)
        return PEPA_OK;
    for (int32_t i = 0; i < l->n; i++)
        y[i] = l->b[i] /= sum;
    Flow view = flow_view(&l->flow, l->b);
    Control control = settings_control(l->job->set, l->job->memory);
    Outcome out = {0};
    control.factors = &l->incomplete;
    control.tolerance = tolerance;
    PepaStatus status = solve_flow(method, &view, &control, y, &out, err);
    for (int32_t i = 0; i < l->n; i++)
        y[i] *= sum;
    return status == PEPA_ENOMEM || status == PEPA_ECANCEL ? status : PEPA_OK;
}

long double leaving_lack(const Leaving *l, const Unknown *u, int32_t i, long double *off)
{
    const RateRows *q = l->job->rows;
    const int32_t s = l->state[i];
    const long double unit = LDBL_EPSILON,
                      visit = u->visit ? (long double)u->visit[i] * q->exit[s] : 0;
    const double earned = u->earn ? u->earn[s] : 0;
    const Twofold here = u->at[i];
    long double sum = earned + visit, all = 0;
    for (int64_t k = q->row[s]; k < q->row[s + 1]; k++) {
        const int32_t j = l->place[q->col[k]];
        const Twofold there = j >= 0        ? u->at[j]
                              : u->boundary ? (Twofold){u->boundary[q->col[k]], 0}
                                            : (Twofold){0, 0};
        const long double high = (long double)there.hi - here.hi,
                          low = (long double)there.lo - here.lo;
        sum += q->val[k] * (high + low);
        all += q->val[k] * (fabsl(high) + fabsl(low));
    }
    *off = (all + fabsl(visit)) * (q->roundings * DBL_EPSILON + (q->roundings + 6) * unit) +
           fabsl(sum) * 4 * unit + fabs(earned) * (q->roundings + 6) * unit;
    return sum;
}

static void add(Twofold *x, double more)
{
    const Twofold sum = twofold_sum(x->hi, more);
    *x = twofold_sum(sum.hi, x->lo + sum.lo);
}

/* Add to u what it lacks, by factors. */
static PepaStatus improve_directly(Leaving *l, Unknown *u, PepaError *err)
{
    PepaStatus status = l->has == NO_FACTORS ? make_factors(l, err) : PEPA_OK;
    if (l->has != HAS_FACTORS)
        return status;
    for (int32_t i = 0; i < l->n; i++) {
        long double off;
        l->b[i] = (double)(leaving_lack(l, u, i, &off) / l->job->rows->exit[l->state[i]]);
        l->part[i] = 0;
    }
    factors_correct(&l->factors, l->b, l->part);
    for (int32_t i = 0; i < l->n; i++)
        add(&u->at[i], l->part[i]);
    return PEPA_OK;
}

/* Other solvers than factors take no negative numbers: the
 * positive part and the negative part apart. */
PepaStatus leaving_improve(Leaving *l, Unknown *u, int method, double tolerance, PepaError *err)
{
    if (methods[method] == PEPA_DIRECT)
        return improve_directly(l, u, err);
    double *const sides[] = {l->part, l->part + l->n};
    PepaStatus status = PEPA_OK;
    for (int side = 0; side < 2 && status == PEPA_OK; side++) {
        for (int32_t i = 0; i < l->n; i++) {
            long double off;
            const double here =
                (double)(leaving_lack(l, u, i, &off) / l->job->rows->exit[l->state[i]]);
            l->b[i] = fmax(side ? -here : here, 0);
        }
        status = solve(l, methods[method], tolerance, sides[side], err);
    }
    for (int32_t i = 0; i < l->n && status == PEPA_OK; i++)
        add(&u->at[i], sides[0][i] - sides[1][i]);
    return status;
}
