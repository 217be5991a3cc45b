/* BiCGSTAB. */
#include "solvers/krylov/krylov.h"

#include <math.h>
#include <string.h>

#include "solvers/rows/rows.h"

static void begin(Recurrence *s)
{
    Bicgstab *own = s->own;
    size_t bytes = (size_t)s->try->flow->n * sizeof *s->r;
    memcpy(own->shadow, s->r, bytes);
    memset(own->p, 0, bytes);
    memset(own->v, 0, bytes);
    own->rho = own->alpha = own->omega = 1;
    own->square = own->rr = own->shadowed = flow_dot(s->try->flow, s->r, s->r);
}

/* p = r + beta (p - omega v). */
static void turn(void *user, int32_t first, int32_t end, double *sum)
{
    const Recurrence *s = user;
    const Bicgstab *own = s->own;
    const double *r = s->r, *v = own->v, beta = own->beta, omega = own->omega;
    double *p = own->p;
    (void)sum;
    for (int32_t i = first; i < end; i++)
        p[i] = r[i] + beta * (p[i] - omega * v[i]);
}

/* One step; false when a scalar vanishes that must not (relative to its factors), or is NaN. */
static bool advance(Recurrence *s, int32_t k)
{
    const double tiny = 1e-15;
    Bicgstab *own = s->own;
    double *r = s->r, *h = s->spare, *p = own->p, *v = own->v, *t = own->t;
    const Flow *flow = s->try->flow;
    (void)k;
    const double rho = own->shadowed;
    if (!(fabs(rho) > tiny * sqrt(own->square * own->rr)))
        return false;
    own->beta = rho / own->rho * (own->alpha / own->omega);
    rows_each(flow, false, turn, s, NULL);
    precondition_operate(&s->m, p, h, v);
    double alpha = own->alpha = rho / flow_dot(flow, own->shadow, v);
    if (!isfinite(alpha))
        return false;
    krylov_go(s, alpha, v);
    precondition_operate(&s->m, r, h, t);
    double tt, tr;
    flow_dots(flow, t, r, &tt, &tr);
    const double omega = tt > 0 ? tr / tt : 0;
    own->omega = omega;
    own->rho = rho;
    if (!isfinite(omega))
        return false;
    krylov_go_last(s, omega, t, own->shadow, &own->rr, &own->shadowed);
    return omega != 0;
}

Recurrence bicgstab_recurrence(Attempt *try, Bicgstab *own, double *vectors)
{
    const bool swept = try->control->precondition == PEPA_PRECONDITION_SWEEP;
    Recurrence s = {.try = try,
                    .passes = swept ? 1 : 2,
                    .solves = 2,
                    .begin = begin,
                    .advance = advance,
                    .own = own};
    double **const each[BICGSTAB_VECTORS] = {&s.x,    &s.r,    &s.spare, &own->shadow,
                                             &own->p, &own->v, &own->t};
    for (size_t k = 0; k < BICGSTAB_VECTORS; k++)
        *each[k] = vectors + k * (size_t)try->flow->n;
    return s;
}

static void run(Attempt *try, double *vectors)
{
    Bicgstab own;
    Recurrence s = bicgstab_recurrence(try, &own, vectors);
    recurrence_run(&s, BICGSTAB_ROUND);
}

/* Steady state or visits by BiCGSTAB, right-preconditioned, by ILU(0) unless asked otherwise; in
 * rounds of 250 steps: on a near-critical tandem of three queues the recurrence would reach 2e-10
 * and blow up.  Two products with the matrix and two with the preconditioner per iteration, 7
 * vectors.  Source: van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992); Stewart 1994, ch. 4. */
const Method method_bicgstab = {.name = "bicgstab",
                                .unit = "iterations",
                                .passes = 4,
                                .vectors = BICGSTAB_VECTORS,
                                .bytes = krylov_bytes,
                                .run = run};
