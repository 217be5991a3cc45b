/* The best point met so far. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "optimise/program.h"

#define NEAR  1e-6  /* a share so near to an end is tried at the end */
#define EQUAL 1e-12 /* of the objective: no difference */
#define EXACT 1e-6  /* of the objective: what it may cost to satisfy constraints exactly */

PepaStatus optimiser_new(Optimiser *s, const Program *p, PepaError *err)
{
    const int32_t rows = 1 + p->constraints;
    *s = (Optimiser){.program = p, .smooth = true, .size = 1, .violation = INFINITY};
    if (mem_new_zeroed(s->x, p->variables) && mem_new_zeroed(s->at, p->variables) &&
        mem_new(s->low, p->variables) && mem_new(s->high, p->variables) &&
        mem_new_zeroed(s->worth, rows) && mem_new_zeroed(s->slope, rows * p->variables)) {
        memcpy(s->at, p->low, (size_t)p->variables * sizeof *s->at);
        window_open(s);
        return PEPA_OK;
    }
    optimiser_free(s);
    return error_memory(err);
}

void optimiser_free(Optimiser *s)
{
    mem_free_all(s->x, s->at, s->low, s->high, s->worth, s->slope);
    *s = (Optimiser){0};
}

double optimiser_violation(const Optimiser *s, const double *value)
{
    double most = 0;
    for (int32_t c = 1; c <= s->program->constraints; c++)
        most = fmax(most, value[c]);
    return most;
}

bool optimiser_feasible(const Optimiser *s)
{
    return s->met && s->violation <= PROGRAM_TOLERANCE;
}

/* Whether a point is to be remembered in place of the best one.  To satisfy the constraints exactly,
 * and not just to the tolerance, is worth a little of the objective. */
static bool is_better(const Optimiser *s, double value, double violation)
{
    const double worth = EXACT * fabs(s->value);
    if (!s->met)
        return true;
    if (!optimiser_feasible(s))
        return violation < s->violation;
    if (violation > PROGRAM_TOLERANCE)
        return false;
    if ((violation > 0) == (s->violation > 0))
        return value < s->value;
    return violation > 0 ? value < s->value - worth : value < s->value + worth;
}

static void take(Optimiser *s, const double *x, double value, double violation)
{
    memcpy(s->x, x, (size_t)s->program->variables * sizeof *x);
    s->met = true;
    s->value = value;
    s->violation = violation;
}

static void remember(Optimiser *s, const double *x, double value, double violation)
{
    if (is_better(s, value, violation))
        take(s, x, value, violation);
}

/* The point cannot be evaluated; false. */
static bool fail(Optimiser *s, const double *x, PepaStatus status, const PepaError *err)
{
    if (status == PEPA_EMODEL) {
        if (s->wrong++ == 0)
            s->first_wrong = *err;
        return false;
    }
    s->status = status;
    s->err = *err;
    memcpy(s->x, x, (size_t)s->program->variables * sizeof *x);
    return false;
}

static bool all_finite(const double *value, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (!isfinite(value[i]))
            return false;
    return true;
}

bool optimiser_evaluate(Optimiser *s, const double *x, double *value, double *slope)
{
    const int32_t rows = 1 + s->program->constraints;
    PepaError err = {0};
    if (s->status != PEPA_OK)
        return false;
    PepaStatus status = s->program->evaluate(s->program->user, x, value, slope, &err);
    if (status != PEPA_OK)
        return fail(s, x, status, &err);
    if (!all_finite(value, rows))
        return false;
    if (slope && !all_finite(slope, rows * s->program->variables)) {
        s->smooth = false;
        memset(slope, 0, (size_t)(rows * s->program->variables) * sizeof *slope);
    }
    remember(s, x, value[0], optimiser_violation(s, value));
    return true;
}

bool optimiser_is_here(const Optimiser *s)
{
    const Program *p = s->program;
    bool here = s->met;
    for (int32_t i = 0; i < p->variables; i++)
        here = here && (!p->whole[i] || s->x[i] == s->at[i]);
    return here;
}

void optimiser_to_ends(Optimiser *s)
{
    const Program *p = s->program;
    bool near = false;
    if (s->status != PEPA_OK || !optimiser_is_here(s))
        return;
    for (int32_t i = 0; i < p->variables; i++) {
        const double share = p->whole[i] ? 0.5 : share_of(s, i, s->x[i]);
        s->at[i] = share < NEAR ? s->low[i] : share > 1 - NEAR ? s->high[i] : s->x[i];
        near = near || s->at[i] != s->x[i];
    }
    if (!near || !optimiser_evaluate(s, s->at, s->worth, NULL))
        return;
    const double violation = optimiser_violation(s, s->worth);
    if (s->worth[0] <= s->value + EQUAL * fabs(s->value) && violation <= fmax(s->violation, EQUAL))
        take(s, s->at, s->worth[0], violation);
}

bool optimiser_rules_out(Optimiser *s, const double *x, const double *value)
{
    double violation = 0;
    for (int32_t c = 1; c <= s->program->constraints; c++)
        violation = fmax(violation, value[c]); /* NaN: not known */
    const bool out =
        violation > PROGRAM_TOLERANCE || (optimiser_feasible(s) && value[0] >= s->value);
    if (violation > PROGRAM_TOLERANCE)
        remember(s, x, value[0], violation);
    s->skipped += out;
    return out;
}
