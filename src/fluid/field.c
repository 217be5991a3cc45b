/* Evaluates the right-hand side and its derivatives: forwards and backwards over the flows. */
#include "fluid/field.h"

#include <math.h>
#include <string.h>

/* ---- invariants -------------------------------------------------------------------------------- */

/* The change of one move: dense. */
static void change_of(const Population *p, const PopulationMove *m, double *change)
{
    for (int32_t k = m->first; k < m->end; k++) {
        change[p->steps[k].from] -= 1;
        change[p->steps[k].to] += 1;
    }
}

/* Vectors of `basis` have 1 at their own pivot and 0 at those of the others. */
typedef struct {
    int32_t n, r;
    double *vector; /* r x n */
    int32_t *pivot; /* r */
} Range;

/* Subtract what the span has of v; the pivot of the rest, or -1. */
static int32_t rest_of(const Range *s, double *v)
{
    int32_t pivot = -1;
    for (int32_t i = 0; i < s->r; i++) {
        const double *u = s->vector + (size_t)i * (size_t)s->n, share = v[s->pivot[i]];
        for (int32_t k = 0; k < s->n && share != 0; k++)
            v[k] -= share * u[k];
    }
    for (int32_t k = s->n; k-- > 0;) {
        if (fabs(v[k]) < 1e-9) /* entries are small whole numbers, or near them */
            v[k] = 0;
        if (v[k] != 0 && (pivot < 0 || fabs(v[k]) > fabs(v[pivot]) + 1e-9))
            pivot = k;
    }
    return pivot;
}

static void span_add(Range *s, const double *v, int32_t pivot)
{
    double *to = s->vector + (size_t)s->r * (size_t)s->n;
    for (int32_t k = 0; k < s->n; k++)
        to[k] = v[k] / v[pivot];
    for (int32_t i = 0; i < s->r; i++) {
        double *u = s->vector + (size_t)i * (size_t)s->n, share = u[pivot];
        for (int32_t k = 0; k < s->n && share != 0; k++)
            u[k] -= share * to[k];
    }
    s->pivot[s->r++] = pivot;
}

static bool find_span(Range *s, const Population *p)
{
    double *v = NULL;
    s->n = p->variables;
    /* Each slot keeps its total, so that the rank is smaller than n. */
    const size_t most = (size_t)(p->variables - p->slots);
    bool ok = mem_new(v, s->n) && mem_new(s->vector, (most + 1) * (size_t)s->n) &&
              mem_new(s->pivot, most + 1);
    for (size_t m = 0; m < p->move_count && ok && (size_t)s->r < most; m++) {
        memset(v, 0, (size_t)s->n * sizeof *v);
        change_of(p, &p->moves[m], v);
        int32_t pivot = rest_of(s, v);
        if (pivot >= 0)
            span_add(s, v, pivot);
    }
    mem_free(v);
    return ok;
}

/* ---- making ------------------------------------------------------------------------------------ */

static bool put_coordinates(FluidField *f, const Range *s)
{
    const Population *p = f->p;
    f->n = s->n;
    f->r = s->r;
    if (!mem_new(f->free, f->r) || !mem_new(f->basis, (size_t)f->n * (size_t)f->r) ||
        !mem_new(f->base, f->n) || !mem_new(f->scale, f->r))
        return false;
    memcpy(f->base, p->initial, (size_t)f->n * sizeof *f->base);
    for (int32_t i = 0; i < f->r; i++) {
        f->free[i] = s->pivot[i];
        for (int32_t k = 0; k < f->n; k++) {
            const double b = s->vector[(size_t)i * (size_t)f->n + (size_t)k];
            f->basis[(size_t)k * (size_t)f->r + (size_t)i] = b;
            f->base[k] -= b * p->initial[f->free[i]];
        }
        f->scale[i] = p->total[f->free[i]];
    }
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

PepaStatus field_new(FluidField *out, const Population *p, PepaError *err)
{
    Range span = {0};
    *out = (FluidField){.p = p};
    bool ok = find_span(&span, p) && put_coordinates(out, &span) && put_changes(out) &&
              name_kinks(out) && mem_new(out->value, p->rates.count) &&
              mem_new(out->slope, p->rates.count) && mem_new(out->x, p->variables) &&
              mem_new(out->by_x, p->variables);
    mem_free_all(span.vector, span.pivot);
    if (ok)
        return PEPA_OK;
    field_free(out);
    return error_memory(err);
}

void field_free(FluidField *f)
{
    mem_free_all(f->free, f->basis, f->base, f->scale, f->row, f->change, f->used_by, f->value,
                 f->slope, f->x, f->by_x);
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
        const double *b = f->basis + (size_t)k * (size_t)f->r;
        x[k] = f->base[k];
        for (int32_t i = 0; i < f->r; i++)
            x[k] += b[i] * z[i];
    }
}

/* Rounding, and a step that an integrator tries, can leave counts a little below 0.  Rates are then
 * what their expressions say, so that they agree with their derivatives. */
void field_evaluate(FluidField *f, const double *z, const uint8_t *side)
{
    const Flows *flows = &f->p->rates;
    const size_t count = side ? f->p->flow_count : flows->count;
    field_expand(f, z, f->x);
    for (size_t i = 0; i < count; i++)
        f->value[i] = flow_value(flows, &flows->flow[i], f->value, f->x, side);
}

void field_evaluate_at(FluidField *f, const double *x)
{
    const Flows *flows = &f->p->rates;
    for (size_t i = 0; i < flows->count; i++)
        f->value[i] = flow_value(flows, &flows->flow[i], f->value, x, NULL);
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

/* ---- derivatives ------------------------------------------------------------------------------- */

/* From the slopes in f->slope to those by x, and by z. */
static void descend(FluidField *f, const uint8_t *side, double *by_z)
{
    const Flows *flows = &f->p->rates;
    memset(f->by_x, 0, (size_t)f->n * sizeof *f->by_x);
    for (size_t i = flows->count; i-- > 0;) {
        const Flow *flow = &flows->flow[i];
        const double slope = f->slope[i];
        if (slope == 0 || flow->op == EXPR_NUMBER)
            continue;
        if (flow->op == EXPR_COUNT)
            f->by_x[flow->a] += slope;
        else
            flow_descend(flows, flow, f->value, side, slope, f->slope);
    }
    for (int32_t i = 0; i < f->r; i++)
        by_z[i] = 0;
    for (int32_t k = 0; k < f->n; k++)
        for (int32_t i = 0; i < f->r && f->by_x[k] != 0; i++)
            by_z[i] += f->by_x[k] * f->basis[(size_t)k * (size_t)f->r + (size_t)i];
}

void field_jacobian(FluidField *f, const uint8_t *side, double *jacobian)
{
    for (int32_t i = 0; i < f->r; i++) {
        memset(f->slope, 0, f->p->rates.count * sizeof *f->slope);
        for (int32_t k = f->row[i]; k < f->row[i + 1]; k++)
            f->slope[f->p->moves[f->change[k].move].rate] += f->change[k].by;
        descend(f, side, jacobian + (size_t)i * (size_t)f->r);
    }
}

double field_gap(const FluidField *f, int32_t kink, double *size)
{
    const Kink *k = &f->p->rates.kink[kink];
    const double first = f->value[k->a], second = f->value[k->b];
    *size = fabs(first) + fabs(second);
    return first - second;
}
