/* Finds where the populations settle: they are followed until they are near, then Newton's method
 * takes over.
 *
 * Newton's method alone could find an equilibrium to which the initial state does not lead, or an
 * unstable one.  So the populations are followed to times that double.  At each, Newton's method
 * starts from where they are; what it finds counts once the populations have come near it and are
 * coming nearer, and return to it after a disturbance.
 *
 * Newton's method is globalised by pseudo-transient continuation: steps of the linearly implicit
 * Euler method whose length grows as the residual falls, so that the last ones are Newton's.
 * Source: Kelley, Keyes, Convergence analysis of pseudo-transient continuation, SIAM J. Numer. Anal.
 * 35, 1998. */
#include "fluid/settle.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"

enum {
    MOST_DOUBLINGS = 80,
    MOST_STEPS = 60000,  /* of integration, in all */
    MOST_ITERATIONS = 60 /* of Newton's method, from one place */
};
#define FOLLOW 1e-7 /* tolerance while following: only the way matters */
#define NEAR   1e-3 /* in shares of each slot's components: near enough to believe Newton */
#define PUSH   1e-5 /* of the way back to the initial state: a small disturbance */

typedef struct {
    FluidField *f;
    const PepaSettings *set;
    double tolerance;
    double *start, *found, *now, *next, *change, *flow;
    double *sums;   /* per row of the Jacobian */
    bool no_memory; /* for a factorisation */
    double peak;    /* the most that has flowed through a coordinate, in shares */
    Settled done;
} Settling;

/* What rounding of z alone can change coordinate i by; the field and its Jacobian are those of z. */
static double rounding(const Settling *s, int32_t i)
{
    return 4 * DBL_EPSILON * s->sums[i] * s->f->scale[i];
}

/* The residual at z, where the field is evaluated; change, flow and the Jacobian as well. */
static double residual(Settling *s, const double *z)
{
    double worst = 0;
    field_evaluate(s->f, z, NULL);
    field_change(s->f, s->change, s->flow);
    field_jacobian(s->f, NULL);
    jacobian_sums(&s->f->jacobian, s->sums);
    for (int32_t i = 0; i < s->f->r; i++) {
        /* What hardly moves at all is measured by what has moved most. */
        const double flow = s->flow[i] + 1e-6 * s->peak * s->f->scale[i];
        const double change = fabs(s->change[i]) - rounding(s, i);
        const double share = flow > 0 ? fmax(change, 0) / flow : change > 0 ? INFINITY : 0;
        if (!(share <= worst)) /* also if it is not a number */
            worst = share;
    }
    return worst;
}

static double distance(const Settling *s, const double *a, const double *b)
{
    double most = 0;
    for (int32_t i = 0; i < s->f->r; i++)
        most = fmax(most, fabs(a[i] - b[i]) / s->f->scale[i]);
    return most;
}

/* No population below 0 by more than rounding. */
static bool feasible(const Settling *s, const double *z)
{
    const Population *p = s->f->p;
    field_expand(s->f, z, s->f->x);
    for (int32_t k = 0; k < p->variables; k++)
        if (!(s->f->x[k] >= -1e-9 * p->total[k]))
            return false;
    return true;
}

/* next = now + (1/length - J)^-1 f(now), after residual(now).  False: singular, or out of memory. */
static bool newton_step(Settling *s, double length)
{
    const int32_t r = s->f->r;
    for (int32_t i = 0; i < r; i++)
        s->next[i] = s->change[i] / s->f->scale[i];
    const PepaStatus status = resolvent_factor(s->f->resolvent, 1 / length);
    s->no_memory = status == PEPA_ENOMEM;
    if (status != PEPA_OK)
        return false;
    resolvent_solve(s->f->resolvent, s->next);
    for (int32_t i = 0; i < r; i++)
        s->next[i] = s->now[i] + s->next[i] * s->f->scale[i];
    return true;
}

/* From now to the solution, in `now`.  length: of the first step, in time.  The residual. */
static double newton(Settling *s, double length)
{
    const size_t bytes = (size_t)s->f->r * sizeof *s->now;
    double at = residual(s, s->now);
    for (int32_t i = 0; i < MOST_ITERATIONS && at > 0 && !s->no_memory; i++) {
        const double then = newton_step(s, length) ? residual(s, s->next) : INFINITY;
        const bool there = at <= s->tolerance; /* go on while it helps: all digits that there are */
        s->done.newton++;
        if (there && !(then < at))
            break;
        if (then < 2 * at || then < NEAR) {
            memcpy(s->now, s->next, bytes);
            length *= fmin(fmax(at / then, 2), 1e6);
            at = then;
        } else {
            length /= 8;
            (void)residual(s, s->now);
        }
    }
    return residual(s, s->now);
}

/* Whether populations near `found` return, from a place on the way to the initial state. */
static PepaStatus returns(Settling *s, double time, bool *out, PepaError *err)
{
    Mean mean;
    for (int32_t i = 0; i < s->f->r; i++)
        s->next[i] = s->found[i] + PUSH * (s->start[i] - s->found[i]);
    PepaStatus status = mean_new(&mean, s->f, s->next, FOLLOW, err);
    if (status != PEPA_OK)
        return status;
    status = mean_run(&mean, time, MOST_STEPS, s->set, err);
    *out = status == PEPA_OK && distance(s, mean.z, s->found) < NEAR;
    s->done.steps += ode_steps(mean.ode);
    mean_free(&mean);
    return status == PEPA_ENOCONV ? PEPA_OK : status;
}

static PepaStatus restless(const Settling *s, double time, PepaError *err)
{
    return error_set(err, PEPA_ENOCONV,
                     "the populations do not settle until time %.3g: they may go round a limit "
                     "cycle, or creep (%.1e of what flows is left over); look at them in time, "
                     "or simulate",
                     time, s->done.residual);
}

/* Follow the populations, and try Newton's method at times that double. */
static PepaStatus follow(Settling *s, Mean *mean, PepaError *err)
{
    const int32_t r = s->f->r;
    double before = INFINITY, time;
    s->done.residual = residual(s, s->start);
    for (int32_t i = 0; i < r; i++)
        s->peak = fmax(s->peak, s->flow[i] / s->f->scale[i]);
    time = s->peak > 0 ? 1 / s->peak : 1;
    for (int32_t i = 0; i < MOST_DOUBLINGS; i++, time *= 2) {
        bool stays = false;
        PepaStatus status = mean_run(mean, time, MOST_STEPS - ode_steps(mean->ode), s->set, err);
        if (status == PEPA_ENOCONV && mean->missing < 0)
            return restless(s, ode_reached(mean->ode), err);
        if (status != PEPA_OK)
            return status;
        s->done.time = time;
        memcpy(s->now, mean->z, (size_t)r * sizeof *s->now);
        s->done.residual = newton(s, time);
        if (s->no_memory)
            return error_memory(err);
        if (!(s->done.residual <= s->tolerance) || !feasible(s, s->now))
            continue;
        const double away = distance(s, mean->z, s->now);
        memcpy(s->found, s->now, (size_t)r * sizeof *s->found);
        if (away <= NEAR && (away < 0.6 * before || away <= 10 * FOLLOW))
            status = returns(s, time, &stays, err);
        if (status != PEPA_OK || stays)
            return status;
        before = away;
    }
    return restless(s, time, err);
}

PepaStatus settle(FluidField *f, double tolerance, const PepaSettings *set, double *z, Settled *out,
                  PepaError *err)
{
    const size_t r = (size_t)f->r;
    Settling s = {.f = f, .set = set, .tolerance = tolerance};
    Mean mean = {0};
    bool ok = mem_new(s.start, r) && mem_new(s.found, r) && mem_new(s.now, r) &&
              mem_new(s.next, r) && mem_new(s.change, r) && mem_new(s.flow, r) &&
              mem_new(s.sums, f->jacobian.m.rows);
    PepaStatus status = ok ? PEPA_OK : error_memory(err);
    if (ok) {
        field_start(f, s.start);
        status = mean_new(&mean, f, s.start, FOLLOW, err);
    }
    if (status == PEPA_OK) {
        status = follow(&s, &mean, err);
        s.done.steps += ode_steps(mean.ode);
        mean_free(&mean);
    }
    if (status == PEPA_OK) {
        memcpy(z, s.found, r * sizeof *z);
        s.done.residual = residual(&s, z);
    }
    *out = s.done;
    mem_free_all(s.start, s.found, s.now, s.next, s.change, s.flow, s.sums);
    return status;
}
