/* Integrates by a Rosenbrock method. */
#include "fluid/integrate.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

/* The coefficients of RODAS, in the form of its source: stage i solves
 *     (1 / (gamma h) - J) u_i = f(y + sum_j a_ij u_j) + sum_j c_ij u_j / h. */
enum { STAGES = 6 };
static const double gamma_h = 0.25;
static const double stage_a[STAGES][STAGES - 1] =
    {{0},
     {1.544},
     {0.9466785280815826, 0.2557011698983284},
     {3.314825187068521, 2.896124015972201, 0.9986419139977817},
     {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
     {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1}};
static const double stage_c[STAGES][STAGES - 1] =
    {{0},
     {-5.6688},
     {-2.430093356833875, -0.2063599157091915},
     {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
     {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
     {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
      -6.058818238834054}};
/* The cubic within a step: y(s) = (1-s) y0 + s (y1 + (1-s) (p + s q)). */
static const double cubic_p[STAGES - 1] = {10.12623508344586, -7.487995877610167,
                                           -34.80091861555747, -7.992771707568823,
                                           1.025137723295662};
static const double cubic_q[STAGES - 1] = {-0.6762803392801253, 6.087714651680015,
                                           16.43084320892478, 24.76722511418386,
                                           -6.594389125716872};

#define SHARP 1e-9 /* of a step: how well the end of a piece is found */
enum { STEPS_A_LOOK = 64 /* at the clock */ };

struct Ode {
    OdeSystem s;
    double *y, *from; /* the state, and that before the last step */
    double *p, *q;    /* of the cubic of the last step */
    double *u;        /* STAGES x size */
    double *next, *at;
    bool no_memory; /* for a factorisation */
    double t, step, tolerance;
    int64_t steps, turns;
};

/* A first step after which the state has hardly moved. */
static void start_small(Ode *o)
{
    double most = 0;
    o->s.change(o->s.user, o->y, o->at);
    for (int32_t i = 0; i < o->s.size; i++)
        most = fmax(most, fabs(o->at[i]));
    o->step = most > 0 && isfinite(most) ? 1e-3 * sqrt(sqrt(o->tolerance)) / most : 1;
}

PepaStatus ode_new(Ode **out, const OdeSystem *system, const double *y, double tolerance,
                   PepaError *err)
{
    const size_t n = (size_t)system->size;
    Ode *o = mem_calloc(1, sizeof *o);
    if (!o)
        return error_memory(err);
    o->s = *system;
    o->tolerance = tolerance;
    if (!mem_new(o->y, n) || !mem_new(o->p, n) || !mem_new(o->q, n) || !mem_new(o->u, STAGES * n) ||
        !mem_new(o->next, n) || !mem_new(o->at, n)) {
        ode_free(o);
        return error_memory(err);
    }
    memcpy(o->y, y, n * sizeof *y);
    start_small(o);
    *out = o;
    return PEPA_OK;
}

void ode_free(Ode *o)
{
    if (!o)
        return;
    mem_free_all(o->y, o->p, o->q, o->u, o->next, o->at, o);
}

/* ---- one step ---------------------------------------------------------------------------------- */

/* sum_j weight_j u_j of the first `count` stages. */
static double stages(const Ode *o, const double *weight, int32_t count, int32_t i)
{
    double sum = 0;
    for (int32_t j = 0; j < count; j++)
        sum += weight[j] * o->u[(ptrdiff_t)j * o->s.size + i];
    return sum;
}

/* Errors of variable i are relative to this. */
static double size_of(const Ode *o, int32_t i)
{
    const double small = 1e-3;
    return fmax(fmax(fabs(o->y[i]), fabs(o->next[i])), small);
}

/* o->next: the state after a step of length h from o->y, whose Jacobian is known.  Its error
 * relative to the tolerance; not finite if the step failed. */
static double try_step(Ode *o, double h)
{
    const int32_t n = o->s.size;
    double worst = 0;
    const PepaStatus status = resolvent_factor(o->s.resolvent, 1 / (gamma_h * h));
    o->no_memory = status == PEPA_ENOMEM;
    if (status != PEPA_OK)
        return INFINITY;
    for (int32_t k = 0; k < STAGES; k++) {
        double *u = o->u + (ptrdiff_t)k * n;
        for (int32_t i = 0; i < n; i++)
            o->next[i] = o->y[i] + stages(o, stage_a[k], k, i);
        o->s.change(o->s.user, o->next, u);
        for (int32_t i = 0; i < n; i++)
            u[i] += stages(o, stage_c[k], k, i) / h;
        resolvent_solve(o->s.resolvent, u);
    }
    for (int32_t i = 0; i < n; i++) {
        const double error = o->u[(ptrdiff_t)(STAGES - 1) * n + i];
        o->next[i] += error;
        const double share = fabs(error) / (o->tolerance * size_of(o, i));
        if (!(share <= worst)) /* also if it is not a number */
            worst = share;
    }
    return worst;
}

static void put_cubic(Ode *o)
{
    for (int32_t i = 0; i < o->s.size; i++) {
        o->p[i] = stages(o, cubic_p, STAGES - 1, i);
        o->q[i] = stages(o, cubic_q, STAGES - 1, i);
    }
}

/* The state at a share of a step from y0 to y1. */
static void between(const Ode *o, const double *y0, const double *y1, const double *p,
                    const double *q, double s, double *y)
{
    for (int32_t i = 0; i < o->s.size; i++)
        y[i] = (1 - s) * y0[i] + s * (y1[i] + (1 - s) * (p[i] + s * q[i]));
}

/* The share of the step just tried, to a state beyond the end of the piece, after which its cubic is
 * beyond; the state there in o->at. */
static double end_of_piece(Ode *o)
{
    double within = 0, beyond = 1;
    put_cubic(o);
    while (beyond - within > SHARP) {
        const double middle = within + (beyond - within) / 2;
        between(o, o->y, o->next, o->p, o->q, middle, o->at);
        *(o->s.beyond(o->s.user, o->at) ? &beyond : &within) = middle;
    }
    between(o, o->y, o->next, o->p, o->q, beyond, o->at);
    return beyond;
}

/* Shorten the step of length *h just tried to the end of the piece.  A step as long as stiff
 * equations allow has a poor cubic, so that the shorter one is tried, until its end is where the
 * cubic had it.  False: the piece does not end within the step. */
static bool shorten(Ode *o, double *h)
{
    enum { MOST_TRIES = 40 };
    bool ends = o->s.beyond && o->s.beyond(o->s.user, o->next);
    for (int32_t i = 0; i < MOST_TRIES && ends && !o->no_memory; i++) {
        double away = 0;
        *h *= end_of_piece(o);
        (void)try_step(o, *h); /* the error of a shorter step is smaller */
        o->steps++;
        for (int32_t k = 0; k < o->s.size; k++)
            away = fmax(away, fabs(o->next[k] - o->at[k]) / size_of(o, k));
        if (away <= o->tolerance)
            return true;
        ends = o->s.beyond(o->s.user, o->next);
    }
    return ends;
}

static PepaStatus no_step(const Ode *o, PepaError *err)
{
    return error_set(err, PEPA_ENOCONV,
                     "the populations cannot be followed beyond time %g: no step succeeds, however "
                     "short; do rates grow without limit, or divide by a population that ends?",
                     o->t);
}

static PepaStatus may_go_on(const Ode *o, PepaError *err)
{
    return !o->s.goes_on || o->s.goes_on(o->s.user, o->y)
               ? PEPA_OK
               : error_set(err, PEPA_ENOCONV, "the solution ends at time %g", o->t);
}

/* One step that is short enough, to `end` or the end of the piece at most. */
static PepaStatus advance(Ode *o, double end, PepaError *err)
{
    const double order = 4, shrink = 0.2, grow = 6, safety = 0.9;
    o->s.jacobian(o->s.user, o->y);
    for (;;) {
        bool last = o->t + o->step >= end;
        double h = last ? end - o->t : o->step;
        const double error = try_step(o, h);
        if (o->no_memory)
            return error_memory(err);
        o->steps++;
        const double factor =
            isfinite(error) ? safety * pow(fmax(error, 1e-9), -1 / order) : shrink;
        if (!last || !(error <= 1))
            o->step = h * fmin(fmax(factor, shrink), grow);
        if (!(error <= 1) && !(o->t + o->step > o->t))
            return no_step(o, err);
        if (!(error <= 1))
            continue;
        const double tried = h;
        const bool ends = shorten(o, &h);
        if (o->no_memory)
            return error_memory(err);
        last = last && h == end - o->t;
        memcpy(o->y, o->next, (size_t)o->s.size * sizeof *o->y);
        o->t = last ? end : o->t + h;
        if (ends && o->s.turn(o->s.user, o->y))
            o->turns++;
        else if (ends || h < tried) /* the cubic was wrong about where the piece ends */
            o->step = fmin(o->step, tried / 2);
        return may_go_on(o, err);
    }
}

/* ---- many steps -------------------------------------------------------------------------------- */

static PepaStatus tell(const Ode *o, double began, double time, const PepaSettings *set,
                       PepaError *err)
{
    const PepaProgress now = {.phase = "fluid",
                              .count = o->steps,
                              .measure = o->t / time,
                              .seconds = clock_seconds() - began,
                              .left = -1};
    return set->progress(set->user, &now) ? error_set(err, PEPA_ECANCEL, "cancelled") : PEPA_OK;
}

PepaStatus ode_run(Ode *o, double time, int64_t steps, const PepaSettings *set, double *y,
                   PepaError *err)
{
    const double began = set->progress ? clock_seconds() : 0;
    const int64_t most = o->steps + steps;
    PepaStatus status = PEPA_OK;
    if (o->s.size == 0)
        o->t = time;
    while (o->t < time && status == PEPA_OK) {
        if (o->steps >= most)
            return error_set(
                err, PEPA_ENOCONV,
                "%lld steps have come to time %g, not to %g: give a shorter time, or simulate",
                (long long)o->steps, o->t, time);
        status = advance(o, time, err);
        if (status == PEPA_OK && set->progress && o->steps % STEPS_A_LOOK == 0)
            status = tell(o, began, time, set, err);
    }
    if (status == PEPA_OK)
        memcpy(y, o->y, (size_t)o->s.size * sizeof *y);
    return status;
}

double ode_reached(const Ode *o)
{
    return o->t;
}

int64_t ode_steps(const Ode *o)
{
    return o->steps;
}

int64_t ode_turns(const Ode *o)
{
    return o->turns;
}
