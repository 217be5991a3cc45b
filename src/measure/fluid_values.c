/* Evaluates measures at populations, and their derivatives. */
#include "measure/fluid_values.h"

#include <math.h>
#include <string.h>

#include "measure/expression_private.h"

/* ---- which measures have a fluid limit --------------------------------------------------------- */

static bool is_of_states(const QueryNode *n)
{
    return n->meaning == MEANS_PROBABILITY || n->meaning == MEANS_ENABLED ||
           n->meaning == MEANS_DEADLOCK || (n->kind >= QUERY_EQ && n->kind <= QUERY_OR) ||
           n->kind == QUERY_NOT;
}

static PepaStatus check_items(const Query *q, PepaError *err)
{
    for (size_t i = 0; i < q->item_count; i++)
        for (int32_t k = q->items[i].first; k <= q->items[i].body; k++)
            if (is_of_states(&q->nodes[k]))
                return error_set(err, PEPA_EARG,
                                 "measure `%s` asks in which states the model is; the fluid limit "
                                 "has populations only: ask for throughputs and populations, or "
                                 "use a chain or simulation",
                                 q->items[i].name ? q->items[i].name : "");
    return PEPA_OK;
}

/* ---- life -------------------------------------------------------------------------------------- */

PepaStatus fluid_values_new(FluidValues *out, const Expressions *e, const RateValues *at,
                            FluidField *field, PepaError *err)
{
    *out = (FluidValues){.e = e, .at = at, .field = field};
    PepaStatus status = check_items(e->query, err);
    if (status != PEPA_OK)
        return status;
    if (mem_new(out->functional, e->functional_count) && mem_new(out->each, e->each_count) &&
        mem_new(out->slope, e->each_count) && mem_new(out->weight, field->p->move_count) &&
        mem_new(out->by_z, field->r) && mem_new(out->sum, field->r) &&
        mem_new(out->state, e->code.node_count) && mem_new(out->by_state, e->code.node_count))
        return PEPA_OK;
    fluid_values_free(out);
    return error_memory(err);
}

void fluid_values_free(FluidValues *v)
{
    mem_free_all(v->functional, v->each, v->slope, v->weight, v->by_z, v->sum, v->state,
                 v->by_state);
    *v = (FluidValues){0};
}

/* ---- functions of states, at populations ------------------------------------------------------- */

static const ExprOp expr_op[] =
    {[STATE_ADD] = EXPR_ADD, [STATE_SUB] = EXPR_SUB, [STATE_MUL] = EXPR_MUL, [STATE_DIV] = EXPR_DIV,
     [STATE_MIN] = EXPR_MIN, [STATE_MAX] = EXPR_MAX, [STATE_NEG] = EXPR_NEG};

static int32_t variable_of(const FluidValues *v, int32_t place)
{
    const StatePlace *p = &v->e->code.place[place];
    return v->field->p->variable[p->slot] + p->local;
}

static double count(const FluidValues *v, int32_t first, int32_t end)
{
    double sum = 0;
    for (int32_t k = first; k < end; k++)
        sum += v->field->x[variable_of(v, k)];
    return sum;
}

static void evaluate_states(FluidValues *v)
{
    for (size_t i = 0; i < v->e->code.node_count; i++) {
        const StateNode *n = &v->e->code.node[i];
        if (n->op == STATE_NUMBER)
            v->state[i] = n->number;
        else if (n->op == STATE_RATE)
            v->state[i] = v->at->rate[n->a].value;
        else if (n->op == STATE_COUNT)
            v->state[i] = count(v, n->a, n->b);
        else
            v->state[i] =
                model_operate(expr_op[n->op], v->state[n->a], n->b < 0 ? 0 : v->state[n->b]);
    }
}

/* by_z += slope x that of the sum of the places. */
static void add_count(const FluidValues *v, int32_t first, int32_t end, double slope, double *by_z)
{
    const FluidField *f = v->field;
    for (int32_t k = first; k < end; k++) {
        const double *row = f->basis + (ptrdiff_t)variable_of(v, k) * f->r;
        for (int32_t i = 0; i < f->r; i++)
            by_z[i] += slope * row[i];
    }
}

static void descend_states(FluidValues *v, int32_t node, double slope, double *by_z)
{
    memset(v->by_state, 0, v->e->code.node_count * sizeof *v->by_state);
    v->by_state[node] = slope;
    for (int32_t i = node; i >= 0; i--) {
        const StateNode *n = &v->e->code.node[i];
        if (v->by_state[i] == 0 || n->op == STATE_NUMBER || n->op == STATE_RATE)
            continue;
        if (n->op == STATE_COUNT) {
            add_count(v, n->a, n->b, v->by_state[i], by_z);
            continue;
        }
        const Slopes by =
            model_slopes(expr_op[n->op], v->state[n->a], n->b < 0 ? 0 : v->state[n->b]);
        v->by_state[n->a] += v->by_state[i] * by.a;
        if (n->b >= 0)
            v->by_state[n->b] += v->by_state[i] * by.b;
    }
}

/* ---- functionals ------------------------------------------------------------------------------- */

static bool is_among(const FluidValues *v, const Functional *f, int32_t variable)
{
    for (int32_t k = f->first; k < f->end; k++)
        if (variable_of(v, k) == variable)
            return true;
    return false;
}

/* How often a move counts: completions of an action, or components that enter the places. */
static void put_weights(FluidValues *v, const Functional *f)
{
    const Population *p = v->field->p;
    for (size_t m = 0; m < p->move_count; m++) {
        const PopulationMove *move = &p->moves[m];
        v->weight[m] = f->kind == FUNCTIONAL_FLOW && move->action == f->a;
        for (int32_t k = move->first; k < move->end && f->kind == FUNCTIONAL_INFLOW; k++)
            v->weight[m] += is_among(v, f, p->steps[k].to) && !is_among(v, f, p->steps[k].from);
    }
}

static double functional(FluidValues *v, const Functional *f)
{
    const Population *p = v->field->p;
    double sum = 0;
    if (f->kind == FUNCTIONAL_COUNT)
        return count(v, f->first, f->end);
    if (f->kind == FUNCTIONAL_MEAN)
        return v->state[f->a];
    put_weights(v, f);
    for (size_t m = 0; m < p->move_count; m++)
        sum += v->weight[m] * v->field->value[p->moves[m].rate];
    return sum;
}

static void add_functional(FluidValues *v, const Functional *f, double slope, double *by_z)
{
    if (f->kind == FUNCTIONAL_COUNT) {
        add_count(v, f->first, f->end, slope, by_z);
    } else if (f->kind == FUNCTIONAL_MEAN) {
        descend_states(v, f->a, slope, by_z);
    } else {
        put_weights(v, f);
        field_gradient(v->field, NULL, v->weight, v->sum);
        for (int32_t i = 0; i < v->field->r; i++)
            by_z[i] += slope * v->sum[i];
    }
}

/* ---- items ------------------------------------------------------------------------------------- */

void fluid_values_at(FluidValues *v, double *value)
{
    const Expressions *e = v->e;
    evaluate_states(v);
    for (size_t i = 0; i < e->functional_count; i++)
        v->functional[i] = functional(v, &e->functional[i]);
    expressions_each(e, v->at, v->functional, v->each);
    for (size_t i = 0; i < e->query->item_count; i++)
        value[i] = v->each[e->node[e->query->items[i].body]];
}

void fluid_values_slopes(FluidValues *v, double *by_z)
{
    const Expressions *e = v->e;
    const int32_t r = v->field->r;
    for (size_t item = 0; item < e->query->item_count; item++) {
        double *to = by_z + (ptrdiff_t)item * r;
        memset(to, 0, (size_t)r * sizeof *to);
        memset(v->slope, 0, e->each_count * sizeof *v->slope);
        v->slope[e->node[e->query->items[item].body]] = 1;
        expressions_descend(e, v->each, v->slope);
        for (size_t i = 0; i < e->each_count; i++)
            if (e->each[i].kind == EACH_FUNCTIONAL && v->slope[i] != 0)
                add_functional(v, &e->functional[e->each[i].a], v->slope[i], to);
    }
}
