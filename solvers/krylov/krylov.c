/* Restarts Krylov methods, and runs those of short recurrences. */
#include "solvers/krylov/krylov.h"

#include <math.h>
#include <string.h>

#include "solvers/rows/rows.h"

PepaPrecondition krylov_kind(const Control *control)
{
    return precondition_kind(control, PEPA_PRECONDITION_ILU0);
}

double krylov_bytes(const Flow *flow, const Control *control)
{
    return precondition_bytes(krylov_kind(control), flow);
}

/* Clipping negative entries leaves rough spots, which the sweeps smooth out. */
double krylov_restart(Attempt *try, double *x, double *r)
{
    if (flow_normalise(try->flow, x))
        for (int32_t k = 0; k < RESTART_SWEEPS; k++)
            (void)flow_sweep(try->flow, x);
    if (!(attempt_offer(try, x) <= 100 * try->criterion))
        memcpy(x, try->y, (size_t)try->flow->n * sizeof *x);
    try->why = NULL;
    return flow_defect(try->flow, x, r);
}

void krylov_go_along(Recurrence *s, double length, const double *image)
{
    flow_axpy(s->try->flow, length, s->spare, s->x);
    flow_axpy(s->try->flow, -length, image, s->r);
}

static void add_sizes(void *user, int32_t first, int32_t end, double *sum)
{
    const Recurrence *s = user;
    const double *r = s->r, *x = s->x;
    double off = 0, all = 0;
    for (int32_t i = first; i < end; i++) {
        off += fabs(r[i]);
        all += fabs(x[i]);
    }
    sum[0] = off;
    sum[1] = all;
}

/* |r|_1 as the recurrence has it, in the terms of the tolerance. */
static double measured(Recurrence *s)
{
    double sum[SUMS];
    rows_each(s->try->flow, false, add_sizes, s, sum);
    return s->try->flow->b ? sum[0] : sum[0] / sum[1];
}

/* False: no iteration left, or no hope. */
static bool run_round(Recurrence *s, int32_t longest, double start, Trend *within)
{
    Attempt *try = s->try;
    double kept = try->criterion, now = start, least = start;
    s->begin(s);
    for (int32_t k = 0; k < longest; k++) {
        if (!attempt_step(try, s->passes, now))
            return false;
        bool sound = s->advance(s, k);
        now = measured(s);
        least = fmin(least, now);
        if (attempt_stalls_by(try, within, least))
            return false;
        if (!sound || !(now <= 1e4 * start))
            break;
        if (now <= 0.5 * try->control->tolerance)
            break;
        if (now < 0.1 * kept) {
            memcpy(s->spare, s->x, (size_t)try->flow->n * sizeof *s->x);
            kept = attempt_offer(try, s->spare);
        }
    }
    return true;
}

/* Within a round the residual goes up and down: what counts there is the least so far.  Sweeps for
 * a start or an end, where a sweep is the preconditioner, would be more of the same. */
static void iterate(Recurrence *s, int32_t longest)
{
    Attempt *try = s->try;
    const bool swept = s->m.kind == PEPA_PRECONDITION_SWEEP;
    Trend within = {0};
    for (bool left = true, first = true;; first = false) {
        const char *why = try->why;
        if (!left && swept) {
            (void)attempt_offer(try, s->x);
            return;
        }
        double start =
            first && swept ? flow_defect(try->flow, s->x, s->r) : krylov_restart(try, s->x, s->r);
        if (attempt_met(try))
            return;
        if (!left) {
            try->why = why;
            return;
        }
        if (attempt_stalls(try, try->criterion))
            return;
        if (!first && !precondition_renew(&s->m, s->x, try))
            return;
        left = run_round(s, longest, start, &within);
        if (try->status != PEPA_OK)
            return;
    }
}

void recurrence_run(Recurrence *s, int32_t longest)
{
    PepaPrecondition kind = krylov_kind(s->try->control);
    s->passes += s->solves * precondition_passes(kind);
    bool made = precondition_take(&s->m, kind, s->try);
    s->try->effort = flow_largest(s->try->flow, s->try->effort);
    made = attempt_agree(s->try, made);
    if (made) {
        memcpy(s->x, s->try->y, (size_t)s->try->flow->n * sizeof *s->x);
        iterate(s, longest);
    }
    precondition_return(&s->m, made, s->try);
}
