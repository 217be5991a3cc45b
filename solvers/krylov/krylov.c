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

void krylov_measure(Recurrence *s, double off, double all)
{
    s->size = s->try->flow->b ? off : off / all;
}

typedef struct {
    const Recurrence *s;
    double length;
    const double *image, *shadow;
} Step;

static void go_rows(void *user, int32_t first, int32_t end, double *sum)
{
    const Step *step = user;
    const double length = step->length, *h = step->s->spare, *image = step->image;
    double *x = step->s->x, *r = step->s->r;
    (void)sum;
    for (int32_t i = first; i < end; i++) {
        x[i] += length * h[i];
        r[i] -= length * image[i];
    }
}

void krylov_go(Recurrence *s, double length, const double *image)
{
    rows_each(s->try->flow, false, go_rows, &(Step){s, length, image, NULL}, NULL);
}

enum { OFF, ALL, SQUARE, SHADOWED };

static void go_and_sum_rows(void *user, int32_t first, int32_t end, double *sum)
{
    const Step *step = user;
    const double length = step->length, *h = step->s->spare, *image = step->image;
    const double *shadow = step->shadow;
    double *x = step->s->x, *r = step->s->r;
    double off = 0, all = 0, square = 0, shadowed = 0;
    for (int32_t i = first; i < end; i++) {
        const double here = x[i] + length * h[i], left = r[i] - length * image[i];
        x[i] = here;
        r[i] = left;
        off += fabs(left);
        all += fabs(here);
        square += left * left;
        shadowed += shadow[i] * left;
    }
    sum[OFF] = off;
    sum[ALL] = all;
    sum[SQUARE] = square;
    sum[SHADOWED] = shadowed;
}

void krylov_go_last(Recurrence *s, double length, const double *image, const double *shadow,
                    double *rr, double *shadowed)
{
    double sum[SUMS];
    Step step = {s, length, image, shadow ? shadow : s->r};
    rows_each(s->try->flow, false, go_and_sum_rows, &step, sum);
    krylov_measure(s, sum[OFF], sum[ALL]);
    if (shadow) {
        *rr = sum[SQUARE];
        *shadowed = sum[SHADOWED];
    }
}

/* False: no iteration left, or no hope. */
static bool run_round(Recurrence *s, int32_t longest, double start, Trend *within)
{
    Attempt *try = s->try;
    double kept = try->criterion, now = start, least = start;
    s->size = start;
    s->begin(s);
    for (int32_t k = 0; k < longest; k++) {
        if (!attempt_step(try, s->passes, now))
            return false;
        bool sound = s->advance(s, k);
        now = s->size;
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
