/* BiCGSTAB, preconditioned by ILU(0) or by a Gauss-Seidel sweep. */
#include "solvers/internal.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

/* r: residual of (I - P') d = defect(x); shadow: fixed; h: a preconditioned direction. */
typedef struct {
    Attempt *try;
    bool swept; /* preconditioned by a sweep; ilu is then empty */
    Ilu ilu;
    double *x, *r, *shadow, *p, *v, *t, *h;
    double rho, alpha, omega;
} Bicgstab;

/* Where row i passes the diagonal. */
static int64_t diagonal(const Flow *flow, int32_t i)
{
    int64_t k = flow->row[i];
    while (k < flow->row[i + 1] && flow->col[k] < i)
        k++;
    return k;
}

/* h = M^-1 in, out = (I - P') h.  A sweep from 0 has M = I - L, L the part of P' below the diagonal
 * and U that above, and (I - P') h = in - U h: both together take no more than one pass. */
static void operate(const Bicgstab *s, const double *in, double *h, double *out)
{
    const Flow *flow = s->try->flow;
    if (!s->swept) {
        ilu_solve(&s->ilu, in, h);
        flow_apply(flow, h, out);
        return;
    }
    for (int32_t i = 0; i < flow->n; i++)
        h[i] = flow_more(flow, h, flow->row[i], diagonal(flow, i), in[i]);
    for (int32_t i = 0; i < flow->n; i++)
        out[i] = in[i] - flow_more(flow, h, diagonal(flow, i), flow->row[i + 1], 0);
}

/* One step; false when a scalar vanishes that must not (relative to its factors), or is NaN. */
static bool advance(Bicgstab *s)
{
    const double tiny = 1e-15;
    int32_t n = s->try->flow->n;
    double rho = dot(n, s->shadow, s->r);
    double scale = sqrt(dot(n, s->shadow, s->shadow) * dot(n, s->r, s->r));
    if (!(fabs(rho) > tiny * scale))
        return false;
    double beta = rho / s->rho * (s->alpha / s->omega);
    for (int32_t i = 0; i < n; i++)
        s->p[i] = s->r[i] + beta * (s->p[i] - s->omega * s->v[i]);
    operate(s, s->p, s->h, s->v);
    s->alpha = rho / dot(n, s->shadow, s->v);
    if (!isfinite(s->alpha))
        return false;
    for (int32_t i = 0; i < n; i++) {
        s->x[i] += s->alpha * s->h[i];
        s->r[i] -= s->alpha * s->v[i];
    }
    operate(s, s->r, s->h, s->t);
    double tt = dot(n, s->t, s->t);
    s->omega = tt > 0 ? dot(n, s->t, s->r) / tt : 0;
    s->rho = rho;
    if (!isfinite(s->omega))
        return false;
    for (int32_t i = 0; i < n; i++) {
        s->x[i] += s->omega * s->h[i];
        s->r[i] -= s->omega * s->t[i];
    }
    return s->omega != 0;
}

/* |r|_1 as the recurrence has it, in the terms of the tolerance. */
static double measured(const Bicgstab *s)
{
    double off = 0, sum = 0;
    for (int32_t i = 0; i < s->try->flow->n; i++) {
        off += fabs(s->r[i]);
        sum += fabs(s->x[i]);
    }
    return s->try->flow->b ? off : off / sum;
}

/* Steps from one true residual to the next: at most 250, as the recurrence's residual drifts away
 * from the true one.  On a near-critical tandem of three queues it would reach 2e-10 and blow up.
 * False: no iteration left, or no hope. */
static bool run_round(Bicgstab *s, double start, Trend *trend, Resolve resolve)
{
    const int32_t longest = 250;
    int32_t n = s->try->flow->n;
    double kept = s->try->gauge, now = start, least = start;
    memcpy(s->shadow, s->r, (size_t)n * sizeof *s->r);
    memset(s->p, 0, (size_t)n * sizeof *s->p);
    memset(s->v, 0, (size_t)n * sizeof *s->v);
    s->rho = s->alpha = s->omega = 1;
    for (int32_t k = 0; k < longest; k++) {
        if (!attempt_step(s->try, s->swept ? 3 : 4, now))
            return false;
        bool sound = advance(s);
        now = measured(s);
        least = fmin(least, now);
        trend_add(trend, s->try->iterations, least);
        if (attempt_stalls(s->try, trend, resolve))
            return false;
        if (!sound || !(now <= 1e4 * start))
            break;
        if (now <= 0.5 * s->try->control->tolerance)
            break;
        if (now < 0.1 * kept) {
            memcpy(s->h, s->x, (size_t)n * sizeof *s->h);
            kept = attempt_offer(s->try, s->h);
        }
    }
    return true;
}

/* Within a round the residual goes up and down: what counts there is the least so far.  Sweeps for
 * a start or an end, where a sweep is the preconditioner, would be more of the same. */
static void iterate(Bicgstab *s, Resolve resolve)
{
    Attempt *try = s->try;
    const Resolve never = {INT64_MAX, HUGE_VAL};
    Trend trend = {0}, within = {0};
    for (bool left = true, first = s->swept;; first = false) {
        const char *why = try->why;
        if (!left && s->swept) {
            (void)attempt_offer(try, s->x);
            return;
        }
        double start = first ? flow_defect(try->flow, s->x, s->r) : krylov_restart(try, s->x, s->r);
        if (attempt_met(try))
            return;
        if (!left) {
            try->why = why;
            return;
        }
        trend_add(&trend, try->iterations, try->gauge);
        if (attempt_stalls(try, &trend, resolve))
            return;
        left = run_round(s, start, &within, s->swept ? resolve : never);
        if (try->status != PEPA_OK)
            return;
    }
}

/* 2 passes over the matrix and 2 over the factors per iteration, or 2 passes in all if swept;
 * 7 vectors, the factors. */
static PepaStatus solve_with(bool swept, const Flow *flow, const Control *control,
                             const Resolve *resolve, double *y, Outcome *out, PepaError *err)
{
    Attempt try;
    Bicgstab s = {.try = &try, .swept = swept};
    double *vectors = NULL;
    if (attempt_start(&try, "bicgstab", "iterations", 4, flow, control, y) &&
        attempt_affords(&try, (swept ? 0 : ilu_bytes(flow)) + 7.0 * flow->n * sizeof *y) &&
        (vectors = attempt_vectors(&try, 7)) &&
        (swept || (try.status = ilu_factor(&s.ilu, flow)) == PEPA_OK)) {
        double **const each[] = {&s.x, &s.r, &s.shadow, &s.p, &s.v, &s.t, &s.h};
        for (size_t k = 0; k < sizeof each / sizeof *each; k++)
            *each[k] = vectors + k * (size_t)flow->n;
        memcpy(s.x, y, (size_t)flow->n * sizeof *y);
        iterate(&s, resolve ? *resolve : resolve_firm(&try));
    }
    ilu_free(&s.ilu);
    mem_free(vectors);
    return attempt_end(&try, out, err);
}

PepaStatus bicgstab_try(const Flow *flow, const Control *control, const Resolve *resolve, double *y,
                        Outcome *out, PepaError *err)
{
    return solve_with(false, flow, control, resolve, y, out, err);
}

PepaStatus bicgstab_swept_try(const Flow *flow, const Control *control, const Resolve *resolve,
                              double *y, Outcome *out, PepaError *err)
{
    return solve_with(true, flow, control, resolve, y, out, err);
}

/* Steady state or visits by BiCGSTAB on (I - P') d = P'y + b - y for the correction d, right-
 * preconditioned by ILU(0).  The singular system is consistent (both sides sum to 0) and is left
 * as it is: fixing an unknown makes its spectrum worse.
 * Source: van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992); Stewart 1994, ch. 4. */
PepaStatus solve_bicgstab(const Flow *flow, const Control *control, double *y, Outcome *out,
                          PepaError *err)
{
    return bicgstab_try(flow, control, NULL, y, out, err);
}
