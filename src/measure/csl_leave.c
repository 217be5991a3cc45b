/* What is earned until some states are left: linear equations x = A x + c over these states, with a
 * bound of the error that is proved whatever the solver did.
 *
 * Let t > 0 have t - A t >= least > 0 in each state.  I - A is a nonsingular M-matrix, since there
 * is a way out of each state, so that its inverse has no negative entry; and from |c + A y - y| <= r
 * follows |x - y| <= (I - A)^-1 r 1 <= (r / least) t.  t is about the mean number of jumps until
 * the states are left.  Defects are computed in long double, as sums of differences.
 * Source: Berman, Plemmons, Nonnegative Matrices in the Mathematical Sciences, 1994, ch. 6. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/csl_private.h"
#include "measure/steady.h"

typedef struct {
    Csl *c;
    const uint8_t *within;
    const double *boundary, *earn;
    int32_t *place, *state; /* per state: its row, or -1; per row: its state */
    int32_t n;
    FlowOwner flow; /* A */
    double *t, *b, *y;
    double least; /* of t - A t */
} Leaving;

static PepaStatus build(Leaving *l, PepaError *err)
{
    const CslRows *q = &l->c->rows;
    for (int32_t i = 0; i < q->n; i++) {
        l->place[i] = l->within[i] ? l->n : -1;
        if (l->within[i])
            l->state[l->n++] = i;
    }
    return csl_rows_jumps(q, l->state, l->place, l->n, &l->flow, err);
}

/* y of y = A y + b, b >= 0, as near as the method comes; b is spoiled. */
static PepaStatus solve(Leaving *l, PepaMethod method, double tolerance, double *y, PepaError *err)
{
    const double most = 2e10; /* multiply-adds of an elimination: some ten seconds */
    double sum = 0;
    for (int32_t i = 0; i < l->n; i++)
        sum += l->b[i];
    memset(y, 0, (size_t)l->n * sizeof *y);
    if (sum == 0)
        return PEPA_OK;
    for (int32_t i = 0; i < l->n; i++)
        y[i] = l->b[i] /= sum;
    Flow view = flow_view(&l->flow, l->b);
    Control control = settings_control(l->c->job->set, l->c->memory);
    Outcome out = {0};
    control.work = most;
    control.tolerance = method == PEPA_DIRECT ? 1e-16 : tolerance;
    PepaStatus status = solve_flow(method, &view, &control, y, &out, err);
    for (int32_t i = 0; i < l->n; i++)
        y[i] *= sum;
    return status == PEPA_ENOMEM || status == PEPA_ECANCEL ? status : PEPA_OK;
}

/* The least that t - A t may be, from the rates themselves. */
static void judge_jumps(Leaving *l)
{
    const CslRows *q = &l->c->rows;
    const long double unit = LDBL_EPSILON;
    l->least = HUGE_VAL;
    for (int32_t i = 0; i < l->n; i++) {
        const int32_t s = l->state[i];
        const long double here = l->t[i];
        long double sum = 0, all = 0;
        for (int64_t k = q->row[s]; k < q->row[s + 1]; k++) {
            const int32_t j = l->place[q->col[k]];
            const long double part = q->val[k] * (j < 0 ? here : here - l->t[j]);
            sum += part;
            all += fabsl(part);
        }
        sum -= all * (q->roundings * DBL_EPSILON + (q->roundings + 4) * unit);
        const double least = (double)(sum / q->exit[s] * (1 - q->roundings * DBL_EPSILON));
        if (!isfinite(l->t[i]) || !(l->t[i] > 0) || !(least > 0)) { /* NaN is no bound */
            l->least = -HUGE_VAL;
            return;
        }
        l->least = fmin(l->least, least);
    }
}

/* c + A y - y of a row, times the rate at which its state is left; *all: the sum of the sizes of its
 * terms but for what is earned. */
static long double lack(const Leaving *l, int32_t i, long double *all)
{
    const CslRows *q = &l->c->rows;
    const int32_t s = l->state[i];
    const long double here = l->y[i];
    long double sum = l->earn ? l->earn[s] : 0;
    *all = 0;
    for (int64_t k = q->row[s]; k < q->row[s + 1]; k++) {
        const int32_t j = l->place[q->col[k]];
        const long double part =
            q->val[k] * ((j < 0 ? (long double)l->boundary[q->col[k]] : l->y[j]) - here);
        sum += part;
        *all += fabsl(part);
    }
    return sum;
}

/* The most that |c + A y - y| may be. */
static double defect(const Leaving *l, double earn_error)
{
    const CslRows *q = &l->c->rows;
    const long double unit = LDBL_EPSILON;
    double most = 0;
    for (int32_t i = 0; i < l->n; i++) {
        const int32_t s = l->state[i];
        long double all;
        const long double sum = lack(l, i, &all);
        const long double rounding =
            all * (q->roundings * DBL_EPSILON + (q->roundings + 4) * unit) + fabsl(sum) * 4 * unit +
            (l->earn ? fabs(l->earn[s]) * (q->roundings + 4) * unit : 0);
        /* NaN is no bound, nor is infinity. */
        const long double here_off = (fabsl(sum) + rounding + earn_error) / q->exit[s];
        if (!(here_off <= DBL_MAX / 2))
            return HUGE_VAL;
        most = fmax(most, (double)here_off * (1 + (q->roundings + 4) * DBL_EPSILON));
    }
    return most;
}

/* Add to y what it lacks, as near as the method comes.  The solvers take no negative numbers: the
 * positive part and the negative part apart.  part: 2 n, scratch */
static PepaStatus improve(Leaving *l, PepaMethod method, double tolerance, double *part,
                          PepaError *err)
{
    double *const sides[] = {part, part + l->n};
    PepaStatus status = PEPA_OK;
    for (int side = 0; side < 2 && status == PEPA_OK; side++) {
        for (int32_t i = 0; i < l->n; i++) {
            long double all;
            const double here = (double)(lack(l, i, &all) / l->c->rows.exit[l->state[i]]);
            l->b[i] = fmax(side ? -here : here, 0);
        }
        status = solve(l, method, tolerance, sides[side], err);
    }
    for (int32_t i = 0; i < l->n && status == PEPA_OK; i++)
        l->y[i] += sides[0][i] - sides[1][i];
    return status;
}

/* Each is tried where those before it do not come near enough. */
static const PepaMethod methods[] = {PEPA_DIRECT, PEPA_BICGSTAB, PEPA_GAUSS_SEIDEL};
enum { METHODS = sizeof methods / sizeof *methods };

/* t, by the first method, from *method on, that gives it a positive defect: any will do. */
static PepaStatus find_jumps(Leaving *l, int *method, PepaError *err)
{
    const double usual = 0.01;
    for (; *method < METHODS; ++*method) {
        for (int32_t i = 0; i < l->n; i++)
            l->b[i] = 1;
        PepaStatus status = solve(l, methods[*method], usual / l->n, l->t, err);
        if (status != PEPA_OK)
            return status;
        judge_jumps(l);
        if (l->least > 0)
            return PEPA_OK;
    }
    return error_set(err, PEPA_ENOCONV,
                     "the states of an unbounded operator are left too rarely for its linear "
                     "equations to be solved: give it a limit of time");
}

/* The nearest y into `value`, and its defect.  Answers are refined: what one lacks, in long double,
 * is solved for in turn.
 *   *tolerance  that which the error of numbers of 1 or less is to be within; out: of these numbers
 *   *enough     whether it is, or y came as near as rounding lets it */
static PepaStatus find_numbers(Leaving *l, int method, double earn_error, double *tolerance,
                               double *value, double *off, bool *enough, PepaError *err)
{
    const double asked = *tolerance, usual = 1e-12,
                 rounding = 4 * (l->c->rows.roundings + 16) * DBL_EPSILON;
    double *part = NULL, longest = 0, jumps = 0;
    if (!mem_new(part, 2 * (size_t)l->n))
        return error_memory(err);
    for (int32_t i = 0; i < l->n; i++) {
        longest = fmax(longest, l->t[i]);
        jumps += l->t[i];
        l->y[i] = 0;
    }
    const double each = fmax(asked * l->least / jumps, usual);
    PepaStatus status = PEPA_OK;
    *off = HUGE_VAL;
    for (*enough = false; method < METHODS && !*enough && status == PEPA_OK;) {
        status = improve(l, methods[method], each, part, err);
        const double before = *off, now = status == PEPA_OK ? defect(l, 0) : HUGE_VAL;
        double size = 1;
        for (int32_t i = 0; i < l->n; i++) {
            double *kept = &value[l->state[i]];
            if (now < before)
                *kept = l->y[i];
            else
                l->y[i] = isfinite(before) ? *kept : 0;
            size = fmax(size, fabs(l->y[i]));
        }
        *off = fmin(now, before);
        *tolerance = asked * size;
        *enough = *off <= rounding * size || *off / l->least * longest <= *tolerance;
        method += !(now < before / 2);
    }
    if (status == PEPA_OK && isfinite(*off))
        *off = defect(l, earn_error);
    mem_free(part);
    return status;
}

static PepaStatus find(Leaving *l, double boundary_error, double earn_error, double *value,
                       double *error, PepaError *err)
{
    int method = 0;
    bool enough = false;
    double tolerance = l->c->tolerance, off = 0, worst = 0;
    if (!(mem_new(l->t, l->n) && mem_new(l->b, l->n) && mem_new(l->y, l->n)))
        return error_memory(err);
    PepaStatus status = find_jumps(l, &method, err);
    if (status == PEPA_OK)
        status = find_numbers(l, method, earn_error, &tolerance, value, &off, &enough, err);
    if (status != PEPA_OK)
        return status;
    for (int32_t i = 0; i < l->n; i++) {
        /* A mean of what the boundary is off is added. */
        const double here = (off / l->least * l->t[i] + boundary_error) * (1 + 8 * DBL_EPSILON);
        error[l->state[i]] = here;
        worst = fmax(worst, here);
    }
    if (!isfinite(worst))
        return error_set(err, PEPA_ENOCONV, "numbers of an unbounded operator overflow");
    tolerance *= l->c->job->set->solve.tolerance / l->c->tolerance;
    /* A method that stopped early is no reason to fail: what counts is the proved error. */
    if (!enough && worst > tolerance && worst > boundary_error * 2)
        return error_set(err, PEPA_ENOCONV,
                         "the linear equations of an unbounded operator are solved to %.1e only, "
                         "not to %.1e: try a larger --tolerance",
                         worst, tolerance);
    return PEPA_OK;
}

PepaStatus csl_leave(Csl *c, const uint8_t *within, const double *boundary, double boundary_error,
                     const double *earn, double earn_error, double *value, double *error,
                     PepaError *err)
{
    Leaving l = {.c = c, .within = within, .boundary = boundary, .earn = earn};
    const size_t n = (size_t)c->rows.n;
    bool ok = mem_new(l.place, n) && mem_new(l.state, n);
    PepaStatus status = ok ? build(&l, err) : error_memory(err);
    if (status == PEPA_OK && l.n > 0)
        status = find(&l, boundary_error, earn_error, value, error, err);
    flow_free(&l.flow);
    mem_free_all(l.place, l.state, l.t, l.b, l.y);
    return status;
}
