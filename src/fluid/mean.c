/* Integrates the fluid limit from piece to piece. */
#include "fluid/mean.h"

#include <math.h>
#include <string.h>

/* A side counts as wrong from here on, relative to the operands: more than the steps' errors, so
 * that operands which stay equal do not turn for ever. */
static double slack(const Mean *m)
{
    return 100 * m->tolerance;
}

static void evaluate(const Mean *m, const double *y, const uint8_t *side)
{
    for (int32_t i = 0; i < m->field->r; i++)
        m->z[i] = y[i] * m->field->scale[i];
    field_evaluate(m->field, m->z, side);
}

static void change_at(void *user, const double *y, double *change)
{
    const Mean *m = user;
    evaluate(m, y, m->side);
    field_change(m->field, change, NULL);
    for (int32_t i = 0; i < m->field->r; i++)
        change[i] /= m->field->scale[i];
}

static void jacobian_at(void *user, const double *y)
{
    const Mean *m = user;
    evaluate(m, y, m->side);
    field_jacobian(m->field, m->side);
}

/* The present evaluation is one of the solution. */
static void look_for_negative(Mean *m)
{
    const int32_t move = m->negative < 0 ? field_negative(m->field) : -1;
    if (move < 0)
        return;
    m->negative = move;
    m->negative_time = ode_reached(m->ode);
}

static void look_for_choice(Mean *m)
{
    if (m->choice.variable >= 0)
        return;
    m->choice = field_choice(m->field);
    m->choice_time = ode_reached(m->ode);
}

/* Rounding, and operands within their slack, can leave a population a little below 0. */
static bool goes_on(void *user, const double *y)
{
    const double rounding = 1e-6;
    Mean *m = user;
    evaluate(m, y, m->side);
    m->missing = field_missing(m->field, fmax(rounding, slack(m)));
    look_for_choice(m);
    return m->missing < 0;
}

static PepaStatus tell_missing(const Mean *m, PepaError *err)
{
    const Population *p = m->field->p;
    const char *name = field_name(p, m->missing);
    const PopulationMove *move = &p->moves[field_taking(m->field, m->missing)];
    const char *action = p->system->model->actions[move->action];
    const double time = ode_reached(m->ode);
    if (m->field->value[move->rate] < 0)
        return error_set(err, PEPA_ENOCONV,
                         "from time %.4g on, the population of `%.100s` is below 0: the rate of "
                         "`%.100s`, which counts local states, is below 0 there; write `max(..., "
                         "0)`, or use pepa simulate",
                         time, name, action);
    return error_set(err, PEPA_ENOCONV,
                     "from time %.4g on, the population of `%.100s` is below 0: the rate of "
                     "`%.100s`, which counts local states, does not fall to 0 where `%.100s` "
                     "ends; write `if %.100s > 0 then ... else 0`, or use pepa simulate",
                     time, name, action, name, name);
}

static bool beyond(void *user, const double *y)
{
    Mean *m = user;
    evaluate(m, y, m->side);
    for (size_t k = 0; k < m->field->p->kink_count; k++) {
        double size, gap = field_gap(m->field, (int32_t)k, &size);
        if ((m->side[k] == SIDE_FIRST ? gap : -gap) > slack(m) * size)
            return true;
    }
    look_for_negative(m);
    return false;
}

/* The sides of y, whose kinks are evaluated with those of before.  Whether some have changed. */
static bool turn_sides(Mean *m, const double *y)
{
    bool changed = false;
    evaluate(m, y, m->side);
    for (size_t k = 0; k < m->field->p->kink_count; k++) {
        const Kink *kink = &m->field->p->rates.kink[k];
        const uint8_t side = kink_side(m->field->value[kink->a], m->field->value[kink->b]);
        if (m->ode && kink->condition && side != m->side[k] && m->jump < 0) {
            m->jump = (int32_t)k;
            m->jump_time = ode_reached(m->ode);
        }
        changed = changed || side != m->side[k];
        m->side[k] = side;
    }
    return changed;
}

static bool turn(void *user, const double *y)
{
    return turn_sides(user, y);
}

PepaStatus mean_new(Mean *out, FluidField *field, const double *z, double tolerance, PepaError *err)
{
    const size_t r = (size_t)field->r;
    *out = (Mean){.field = field,
                  .tolerance = tolerance,
                  .jump = -1,
                  .negative = -1,
                  .choice = {-1, -1, -1},
                  .missing = -1};
    if (!mem_new_zeroed(out->side, field->p->kink_count + 1) || !mem_new(out->z, r) ||
        !mem_new(out->y, r)) {
        mean_free(out);
        return error_memory(err);
    }
    for (int32_t i = 0; i < field->r; i++)
        out->y[i] = z[i] / field->scale[i];
    /* Operands of operands: each turn may show another side. */
    for (size_t k = 0; k <= field->p->kink_count && turn_sides(out, out->y); k++)
        continue;
    const OdeSystem system = {.size = field->r,
                              .change = change_at,
                              .jacobian = jacobian_at,
                              .resolvent = field->resolvent,
                              .beyond = beyond,
                              .turn = turn,
                              .goes_on = goes_on,
                              .user = out};
    PepaStatus status = ode_new(&out->ode, &system, out->y, tolerance, err);
    if (status != PEPA_OK)
        mean_free(out);
    return status;
}

void mean_free(Mean *m)
{
    ode_free(m->ode);
    mem_free_all(m->side, m->z, m->y);
    *m = (Mean){0};
}

PepaStatus mean_run(Mean *m, double time, int64_t steps, const PepaSettings *set, PepaError *err)
{
    const PepaStatus status = ode_run(m->ode, time, steps, set, m->y, err);
    if (m->missing >= 0)
        return tell_missing(m, err);
    evaluate(m, m->y, NULL);
    look_for_negative(m);
    return status;
}
