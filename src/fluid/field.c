/* Finds the coordinates, and evaluates the right-hand side. */
#include "fluid/field.h"

#include <math.h>

#include "fluid/basis.h"

/* ---- making ------------------------------------------------------------------------------------ */

static bool put_coordinates(FluidField *f)
{
    const Population *p = f->p;
    f->n = p->variables;
    if (!basis_new(p, &f->basis, &f->free, &f->r) || !mem_new(f->base, f->n) ||
        !mem_new(f->scale, f->r))
        return false;
    for (int32_t k = 0; k < f->n; k++) {
        f->base[k] = p->initial[k];
        for (int32_t b = f->basis.row[k]; b < f->basis.row[k + 1]; b++)
            f->base[k] -= f->basis.value[b] * p->initial[f->free[f->basis.col[b]]];
    }
    for (int32_t i = 0; i < f->r; i++)
        f->scale[i] = p->total[f->free[i]];
    return true;
}

/* Changes by coordinate, moves ascending. */
static bool put_changes(FluidField *f)
{
    const Population *p = f->p;
    int32_t *coordinate = NULL;
    bool ok = mem_new(coordinate, f->n) && mem_new_zeroed(f->row, f->r + 2) &&
              mem_new(f->change, 2 * p->step_count + 1);
    for (int32_t k = 0; ok && k < f->n; k++)
        coordinate[k] = -1;
    for (int32_t i = 0; ok && i < f->r; i++)
        coordinate[f->free[i]] = i;
    for (int32_t pass = 0; ok && pass < 2; pass++) {
        for (size_t m = 0; m < p->move_count; m++)
            for (int32_t k = p->moves[m].first; k < p->moves[m].end; k++) {
                const int32_t at[] = {coordinate[p->steps[k].from], coordinate[p->steps[k].to]};
                for (int32_t e = 0; e < 2; e++) {
                    if (at[e] >= 0 && pass)
                        f->change[f->row[at[e] + 1]] = (FluidChange){(int32_t)m, e ? 1 : -1};
                    if (at[e] >= 0)
                        f->row[at[e] + (pass ? 1 : 2)]++;
                }
            }
        for (int32_t i = 0; i < f->r && !pass; i++)
            f->row[i + 2] += f->row[i + 1];
    }
    mem_free(coordinate);
    return ok;
}

/* A move for each kink: those of lower numbers take precedence. */
static bool name_kinks(FluidField *f)
{
    const Flows *flows = &f->p->rates;
    int32_t *move = NULL;
    if (!mem_new(f->used_by, flows->kink_count) || !mem_new(move, flows->count))
        return false;
    for (size_t i = 0; i < flows->count; i++)
        move[i] = INT32_MAX;
    for (size_t m = f->p->move_count; m-- > 0;)
        move[f->p->moves[m].rate] = (int32_t)m;
    for (size_t i = 0; i < flows->kink_count; i++)
        f->used_by[i] = 0;
    for (size_t i = flows->count; i-- > 0;) {
        const Flow *flow = &flows->flow[i];
        const int32_t operand[] = {flow->a, flow->b, flow->c};
        if (flow->op == EXPR_NUMBER || flow->op == EXPR_COUNT || move[i] == INT32_MAX)
            continue;
        for (int32_t k = 0; k < 3; k++)
            if (operand[k] >= 0 && move[operand[k]] > move[i])
                move[operand[k]] = move[i];
        if (flow->kink >= 0)
            f->used_by[flow->kink] = move[i];
    }
    mem_free(move);
    return true;
}

static bool put_numbers(FluidField *f)
{
    const Flows *flows = &f->p->rates;
    if (!mem_new(f->value, flows->count) || !mem_new(f->varies, flows->count))
        return false;
    for (size_t i = 0; i < flows->count; i++) {
        f->value[i] = flows->flow[i].number;
        if (flows->flow[i].op == EXPR_NUMBER)
            continue;
        f->varies[f->varying++] = (int32_t)i;
        f->moving += i < f->p->flow_count;
    }
    return true;
}

PepaStatus field_new(FluidField *out, const Population *p, PepaError *err)
{
    *out = (FluidField){.p = p};
    const bool ok = put_coordinates(out) && put_changes(out) && name_kinks(out) &&
                    put_numbers(out) && mem_new(out->x, p->variables) &&
                    scarce_new(&out->scarce, p, out->used_by) && jacobian_new(&out->jacobian, out);
    PepaStatus status = ok ? PEPA_OK : error_memory(err);
    if (ok && out->r > 0)
        status = resolvent_new(&out->resolvent, &out->jacobian.m, out->r, err);
    if (status != PEPA_OK)
        field_free(out);
    return status;
}

void field_free(FluidField *f)
{
    resolvent_free(f->resolvent);
    jacobian_free(&f->jacobian);
    scarce_free(&f->scarce);
    sparse_free(&f->basis);
    mem_free_all(f->free, f->base, f->scale, f->row, f->change, f->used_by, f->varies, f->value,
                 f->x);
    *f = (FluidField){0};
}

/* ---- values ------------------------------------------------------------------------------------ */

void field_start(const FluidField *f, double *z)
{
    for (int32_t i = 0; i < f->r; i++)
        z[i] = f->p->initial[f->free[i]];
}

void field_expand(const FluidField *f, const double *z, double *x)
{
    for (int32_t k = 0; k < f->n; k++) {
        x[k] = f->base[k];
        for (int32_t b = f->basis.row[k]; b < f->basis.row[k + 1]; b++)
            x[k] += f->basis.value[b] * z[f->basis.col[b]];
    }
}

static void evaluate(FluidField *f, const double *x, size_t count, const uint8_t *side)
{
    const Flows *flows = &f->p->rates;
    for (size_t k = 0; k < count; k++) {
        const int32_t i = f->varies[k];
        f->value[i] = flow_value(flows, &flows->flow[i], f->value, x, side);
    }
}

/* Rounding, and a step that an integrator tries, can leave counts a little below 0.  Rates are then
 * what their expressions say, so that they agree with their derivatives. */
void field_evaluate(FluidField *f, const double *z, const uint8_t *side)
{
    field_expand(f, z, f->x);
    evaluate(f, f->x, side ? f->moving : f->varying, side);
}

void field_evaluate_at(FluidField *f, const double *x)
{
    evaluate(f, x, f->varying, NULL);
}

void field_change(const FluidField *f, double *change, double *flow)
{
    for (int32_t i = 0; i < f->r; i++) {
        double net = 0, sum = 0;
        for (int32_t k = f->row[i]; k < f->row[i + 1]; k++) {
            const double rate = f->value[f->p->moves[f->change[k].move].rate];
            net += f->change[k].by * rate;
            sum += fabs(rate);
        }
        change[i] = net;
        if (flow)
            flow[i] = sum;
    }
}

int32_t field_negative(const FluidField *f)
{
    const double rounding = 1e-6; /* of the largest rate; populations may be below 0 by as little */
    double least = 0, most = 0;
    int32_t move = -1;
    for (size_t i = 0; i < f->p->move_count; i++) {
        const double rate = f->value[f->p->moves[i].rate];
        most = fmax(most, fabs(rate));
        if (rate < least) {
            least = rate;
            move = (int32_t)i;
        }
    }
    return least < -rounding * most ? move : -1;
}

double field_gap(const FluidField *f, int32_t kink, double *size)
{
    const Kink *k = &f->p->rates.kink[kink];
    const double first = f->value[k->a], second = f->value[k->b];
    *size = fabs(first) + fabs(second);
    return first - second;
}

/* ---- what is wrong ----------------------------------------------------------------------------- */

ScarceChoice field_choice(const FluidField *f)
{
    return scarce_find(&f->scarce, f->p, f->value);
}

int32_t field_missing(const FluidField *f, double slack)
{
    for (int32_t k = 0; k < f->n; k++)
        if (!(f->x[k] >= -slack * f->p->total[k]))
            return k;
    return -1;
}

int32_t field_taking(const FluidField *f, int32_t variable)
{
    double most = 0;
    int32_t found = 0;
    for (size_t m = 0; m < f->p->move_count; m++) {
        const PopulationMove *move = &f->p->moves[m];
        double taken = 0;
        for (int32_t k = move->first; k < move->end; k++)
            taken += (f->p->steps[k].from == variable) - (f->p->steps[k].to == variable);
        taken *= f->value[move->rate];
        if (taken > most) {
            most = taken;
            found = (int32_t)m;
        }
    }
    return found;
}

/* ---- names ------------------------------------------------------------------------------------- */

int32_t field_slot(const Population *p, int32_t variable)
{
    int32_t slot = -1;
    for (int32_t i = 0; i < p->system->slot_count; i++)
        if (p->variable[i] >= 0 && p->variable[i] <= variable &&
            (slot < 0 || p->variable[i] > p->variable[slot]))
            slot = i;
    return slot;
}

const char *field_name(const Population *p, int32_t variable)
{
    const System *s = p->system;
    const int32_t slot = field_slot(p, variable);
    const Component *c = &s->components[s->slots[slot].component];
    return s->model->locals[c->local[variable - p->variable[slot]]].name;
}
