/* A local search: bounds by a change of variables, constraints by an augmented Lagrangian.
 *
 * With x = low + (high - low) sin(t)^2, or its like on a logarithmic scale, every t is within the
 * bounds, and at a bound that binds the function of t is a parabola.  The augmented Lagrangian
 *
 *     f / size + sum_c (max(0, m_c + p c)^2 - m_c^2) / 2p
 *
 * has its minimum where the program has its, once the multipliers m are right; each minimum gives
 * better ones, max(0, m_c + p c).  Where there are no derivatives f / size + P sum_c max(0, c) takes
 * its place: for a large P their minima are the same.
 * Sources: James, MINUIT, 1994, section 1.3 (bounds); Rockafellar, The multiplier method of Hestenes
 * and Powell, 1973; Nocedal and Wright, Numerical Optimization, 2006, ch. 17. */
#include "optimise/descent.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "optimise/minimise.h"

/* ---- tuned numbers --------------------------------------------------------------------------- */

enum {
    MOST_ROUNDS = 20, /* of multipliers: each gains a digit or so */
    MOST_STEPS = 200, /* of a minimiser; quasi-Newton steps need some tens */
    MOST_PASSES = 20, /* at a kink: a few are enough */
    PLAIN_ROUNDS = 2  /* without constraints: a fresh start helps where a line search gave up */
};
#define FIRST_STEP    0.1  /* radians */
#define LATER_STEP    0.01 /* after the first round */
#define COARSE        1e-3 /* the same, after the first round; a tenth of it after each other */
#define FLAT          1e-9 /* derivatives by t, of the objective's size: a minimum */
#define FIRST_PENALTY 10.0 /* multipliers of shares of bounds are of the order of 1 */
#define MOST_PENALTY  1e8
#define GAIN          4.0  /* a round that gains less makes the penalty larger */
#define EXACT_PENALTY 1e3  /* beyond tenfold the multipliers, without derivatives */
#define SHORTEST      1e-9 /* radius at a kink, as a share of a range */
#define SHORT         1e-9 /* steps without derivatives, as shares of the first */
#define MARGIN        0.5  /* of the tolerance: how far inside a point is restored to */

PepaStatus descent_new(Descent *l, Optimiser *search, PepaError *err)
{
    const Program *p = search->program;
    *l = (Descent){.search = search};
    if (!mem_new(l->free, p->variables) || !mem_new(l->t, p->variables) ||
        !mem_new_zeroed(l->multiplier, p->constraints)) {
        descent_free(l);
        return error_memory(err);
    }
    for (int32_t i = 0; i < p->variables; i++)
        if (!p->whole[i] && p->high[i] > p->low[i])
            l->free[l->count++] = i;
    return PEPA_OK;
}

void descent_free(Descent *l)
{
    mem_free_all(l->free, l->t, l->multiplier);
    *l = (Descent){0};
}

static bool ended(void *user)
{
    const Descent *l = user;
    return l->search->status != PEPA_OK;
}

static bool ended_or_rough(void *user)
{
    const Descent *l = user;
    return l->search->status != PEPA_OK || !l->search->smooth;
}

/* What a point without a value is said to have. */
static double beyond(const Descent *l)
{
    return l->worst + 1 + fabs(l->worst);
}

/* ---- the augmented Lagrangian, over angles --------------------------------------------------- */

static double share_at(double t)
{
    return sin(t) * sin(t);
}

/* Add `by` times the derivatives of row `row`, by angles. */
static void add_slopes(const Descent *l, int32_t row, double by, const double *t, double *slope)
{
    const Program *p = l->search->program;
    const double *rows = l->search->slope + (size_t)row * (size_t)p->variables;
    for (int32_t f = 0; f < l->count; f++)
        slope[f] += by * rows[l->free[f]] * share_slope(l->search, l->free[f], share_at(t[f])) *
                    sin(2 * t[f]);
}

static double lagrangian(void *user, const double *t, double *slope)
{
    Descent *l = user;
    Optimiser *s = l->search;
    const Program *p = s->program;
    if (slope)
        memset(slope, 0, (size_t)l->count * sizeof *slope);
    for (int32_t f = 0; f < l->count; f++)
        s->at[l->free[f]] = share_value(s, l->free[f], share_at(t[f]));
    if (!optimiser_evaluate(s, s->at, s->worth, slope ? s->slope : NULL))
        return beyond(l);
    double sum = l->objective * s->worth[0] / s->size;
    if (slope)
        add_slopes(l, 0, l->objective / s->size, t, slope);
    for (int32_t c = 0; c < p->constraints; c++) {
        const double m = l->multiplier[c];
        const double next =
            fmax(0, m + l->penalty * (s->worth[c + 1] + MARGIN * PROGRAM_TOLERANCE));
        sum += (next * next - m * m) / (2 * l->penalty);
        if (slope && next > 0)
            add_slopes(l, c + 1, next, t, slope);
    }
    if (!isfinite(sum))
        return beyond(l);
    l->worst = fmax(l->worst, sum);
    return sum;
}

/* New multipliers from the constraints at l->t, and how far they and these are from agreeing. */
static bool update_multipliers(Descent *l, double *off)
{
    Optimiser *s = l->search;
    const Program *p = s->program;
    *off = 0;
    for (int32_t f = 0; f < l->count; f++)
        s->at[l->free[f]] = share_value(s, l->free[f], share_at(l->t[f]));
    if (!optimiser_evaluate(s, s->at, s->worth, NULL))
        return false;
    for (int32_t c = 0; c < p->constraints; c++) {
        const double excess = s->worth[c + 1] + MARGIN * PROGRAM_TOLERANCE;
        *off = fmax(*off, fabs(fmax(excess, -l->multiplier[c] / l->penalty)));
        l->multiplier[c] = fmax(0, l->multiplier[c] + l->penalty * excess);
    }
    return true;
}

static void begin(Descent *l, const double *share, double objective)
{
    for (int32_t f = 0; f < l->count; f++)
        l->t[f] = asin(sqrt(share[f]));
    memset(l->multiplier, 0, (size_t)l->search->program->constraints * sizeof *l->multiplier);
    l->penalty = FIRST_PENALTY;
    l->objective = objective;
    l->worst = 0;
}

bool descent_run(Descent *l, const double *share)
{
    const int32_t constraints = l->search->program->constraints;
    const int32_t rounds = constraints ? MOST_ROUNDS : PLAIN_ROUNDS;
    const Smooth f = {l->count, l, lagrangian, ended_or_rough};
    double last = INFINITY, off;
    begin(l, share, 1);
    for (int32_t k = 0; k < rounds && !ended_or_rough(l); k++) {
        const double flat = constraints ? fmax(FLAT, COARSE * pow(10, -k)) : FLAT;
        if (!minimise_smooth(&f, l->t, k == 0 ? FIRST_STEP : LATER_STEP, flat, MOST_STEPS))
            return false;
        if (!update_multipliers(l, &off) || (constraints && off <= PROGRAM_TOLERANCE / 10))
            break;
        if (off > last / GAIN)
            l->penalty = fmin(10 * l->penalty, MOST_PENALTY);
        last = off;
    }
    optimiser_to_ends(l->search);
    return true;
}

bool descent_restore(Descent *l, const double *share)
{
    const Smooth f = {l->count, l, lagrangian, ended_or_rough};
    begin(l, share, 0);
    return minimise_smooth(&f, l->t, FIRST_STEP, 0, MOST_STEPS);
}

/* ---- at kinks, over shares ------------------------------------------------------------------- */

/* Add `by` times the derivatives of row `row`, by shares; beyond the ends there are none. */
static void add_share_slopes(const Descent *l, int32_t row, double by, const double *t,
                             double *slope)
{
    const Program *p = l->search->program;
    const double *rows = l->search->slope + (size_t)row * (size_t)p->variables;
    for (int32_t f = 0; f < l->count; f++)
        if (t[f] >= 0 && t[f] <= 1)
            slope[f] += by * rows[l->free[f]] * share_slope(l->search, l->free[f], t[f]);
}

static double penalised(void *user, const double *t, double *slope)
{
    Descent *l = user;
    Optimiser *s = l->search;
    const Program *p = s->program;
    if (slope)
        memset(slope, 0, (size_t)l->count * sizeof *slope);
    for (int32_t f = 0; f < l->count; f++)
        s->at[l->free[f]] = share_value(s, l->free[f], t[f]);
    if (!optimiser_evaluate(s, s->at, s->worth, slope ? s->slope : NULL))
        return beyond(l);
    double sum = s->worth[0] / s->size;
    if (slope)
        add_share_slopes(l, 0, 1 / s->size, t, slope);
    for (int32_t c = 0; c < p->constraints; c++) {
        const double penalty = EXACT_PENALTY + 10 * l->multiplier[c];
        if (!(s->worth[c + 1] > 0))
            continue;
        sum += penalty * s->worth[c + 1];
        if (slope)
            add_share_slopes(l, c + 1, penalty, t, slope);
    }
    for (int32_t f = 0; f < l->count; f++) { /* beyond an end it rises, so that minima are within */
        sum += fmax(0, fmax(-t[f], t[f] - 1));
        if (slope && (t[f] < 0 || t[f] > 1))
            slope[f] = t[f] < 0 ? -1 : 1;
    }
    if (!isfinite(sum))
        return beyond(l);
    l->worst = fmax(l->worst, sum);
    return sum;
}

bool descent_kinked(Descent *l, const double *share, double step)
{
    const Smooth f = {l->count, l, penalised, ended_or_rough};
    memcpy(l->t, share, (size_t)l->count * sizeof *share);
    l->worst = 0;
    return minimise_kinked(&f, l->t, step, SHORTEST, STATIONARY / 10, MOST_PASSES);
}

bool descent_polish(Descent *l, const double *share, double step)
{
    const Smooth f = {l->count, l, penalised, ended};
    memcpy(l->t, share, (size_t)l->count * sizeof *share);
    l->worst = 0;
    return minimise_rough(&f, l->t, step, SHORT * step, MOST_STEPS);
}
