/* Evaluates measures at populations, and their derivatives. */
#include "measure/fluid_values.h"

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

/* ---- functions of states, at populations ------------------------------------------------------- */

static const ExprOp expr_op[] =
    {[STATE_ADD] = EXPR_ADD, [STATE_SUB] = EXPR_SUB, [STATE_MUL] = EXPR_MUL, [STATE_DIV] = EXPR_DIV,
     [STATE_MIN] = EXPR_MIN, [STATE_MAX] = EXPR_MAX, [STATE_NEG] = EXPR_NEG};

static int32_t none(Flows *flows)
{
    return flow_number(flows, 0, FLOW_ACTIVE);
}

static int32_t plus(Flows *flows, int32_t sum, int32_t term)
{
    return sum < 0 ? term : flow_operate(flows, EXPR_ADD, sum, term);
}

/* -1: of a copy that another slot stands for. */
static int32_t variable_of(const Expressions *e, const Population *p, int32_t place)
{
    const StatePlace *at = &e->code.place[place];
    return p->variable[at->slot] < 0 ? -1 : p->variable[at->slot] + at->local;
}

static int32_t count(const Expressions *e, Population *p, int32_t first, int32_t end)
{
    int32_t sum = -1;
    for (int32_t k = first; k < end; k++) {
        const int32_t variable = variable_of(e, p, k);
        const int32_t one = variable < 0 ? -1 : flow_count(&p->rates, variable);
        if (one >= 0)
            sum = plus(&p->rates, sum, one);
    }
    return sum < 0 ? none(&p->rates) : sum;
}

static void put_states(const FluidValues *v, Population *p, int32_t *state)
{
    const StateCode *code = &v->e->code;
    for (size_t i = 0; i < code->node_count; i++) {
        const StateNode *n = &code->node[i];
        if (n->op == STATE_NUMBER || n->op == STATE_RATE)
            state[i] =
                flow_number(&p->rates, n->op == STATE_NUMBER ? n->number : v->at->rate[n->a].value,
                            FLOW_ACTIVE);
        else if (n->op == STATE_COUNT)
            state[i] = count(v->e, p, n->a, n->b);
        else
            state[i] =
                flow_operate(&p->rates, expr_op[n->op], state[n->a], n->b < 0 ? -1 : state[n->b]);
    }
}

/* ---- functionals ------------------------------------------------------------------------------- */

static bool is_among(const Expressions *e, const Population *p, const Functional *f,
                     int32_t variable)
{
    for (int32_t k = f->first; k < f->end; k++)
        if (variable_of(e, p, k) == variable)
            return true;
    return false;
}

/* How many components a move takes into the places. */
static double entries(const Expressions *e, const Population *p, const Functional *f,
                      const PopulationMove *move)
{
    double in = 0;
    for (int32_t k = move->first; k < move->end; k++)
        in += is_among(e, p, f, p->steps[k].to) && !is_among(e, p, f, p->steps[k].from);
    return in;
}

static int32_t sum_entries(const Expressions *e, Population *p, const Functional *f)
{
    Flows *flows = &p->rates;
    int32_t sum = -1;
    for (size_t m = 0; m < p->move_count; m++) {
        const double times = entries(e, p, f, &p->moves[m]);
        if (times == 0)
            continue;
        const int32_t rate = p->moves[m].rate,
                      term = times == 1 ? rate
                                        : flow_operate(flows, EXPR_MUL, rate,
                                                       flow_number(flows, times, FLOW_ACTIVE));
        sum = plus(flows, sum, term);
    }
    return sum;
}

/* How often each action that is asked for is completed; by_action: scratch, per action of the model. */
static void put_flows(FluidValues *v, Population *p, int32_t *by_action)
{
    enum { ASKED = -1, OTHER = -2 };
    const Expressions *e = v->e;
    for (int32_t a = 0; a < p->system->model->action_count; a++)
        by_action[a] = OTHER;
    for (size_t i = 0; i < e->functional_count; i++)
        if (e->functional[i].kind == FUNCTIONAL_FLOW)
            by_action[e->functional[i].a] = ASKED;
    for (size_t m = 0; m < p->move_count; m++) {
        const int32_t action = p->moves[m].action;
        if (by_action[action] != OTHER)
            by_action[action] = plus(&p->rates, by_action[action], p->moves[m].rate);
    }
    for (size_t i = 0; i < e->functional_count; i++)
        if (e->functional[i].kind == FUNCTIONAL_FLOW)
            v->flow[i] = by_action[e->functional[i].a];
}

static bool put_functionals(FluidValues *v, Population *p)
{
    const Expressions *e = v->e;
    int32_t *state = NULL, *by_action = NULL;
    const bool ok =
        mem_new(state, e->code.node_count) && mem_new(by_action, p->system->model->action_count);
    if (ok) {
        put_states(v, p, state);
        put_flows(v, p, by_action);
    }
    for (size_t i = 0; i < e->functional_count && ok; i++) {
        const Functional *f = &e->functional[i];
        if (f->kind == FUNCTIONAL_COUNT)
            v->flow[i] = count(e, p, f->first, f->end);
        else if (f->kind == FUNCTIONAL_MEAN)
            v->flow[i] = state[f->a];
        else if (f->kind != FUNCTIONAL_FLOW)
            v->flow[i] = sum_entries(e, p, f);
        if (v->flow[i] < 0)
            v->flow[i] = none(&p->rates);
    }
    mem_free_all(state, by_action);
    return ok && !p->rates.no_memory;
}

/* ---- life -------------------------------------------------------------------------------------- */

PepaStatus fluid_values_new(FluidValues *out, const Expressions *e, const RateValues *at,
                            Population *population, PepaError *err)
{
    *out = (FluidValues){.e = e, .at = at};
    PepaStatus status = check_items(e->query, err);
    if (status != PEPA_OK)
        return status;
    if (mem_new(out->flow, e->functional_count) && mem_new(out->functional, e->functional_count) &&
        mem_new(out->each, e->each_count) && mem_new(out->slope, e->each_count) &&
        put_functionals(out, population))
        return PEPA_OK;
    fluid_values_free(out);
    return error_memory(err);
}

void fluid_values_free(FluidValues *v)
{
    mem_free_all(v->flow, v->functional, v->each, v->slope);
    *v = (FluidValues){0};
}

/* ---- items ------------------------------------------------------------------------------------- */

void fluid_values_at(FluidValues *v, const double *flow, double *value)
{
    const Expressions *e = v->e;
    for (size_t i = 0; i < e->functional_count; i++)
        v->functional[i] = flow[v->flow[i]];
    expressions_each(e, v->at, v->functional, v->each);
    for (size_t i = 0; i < e->query->item_count; i++)
        value[i] = v->each[e->node[e->query->items[i].body]];
}

void fluid_values_slopes(FluidValues *v, size_t item, double *by_functional)
{
    const Expressions *e = v->e;
    memset(by_functional, 0, e->functional_count * sizeof *by_functional);
    memset(v->slope, 0, e->each_count * sizeof *v->slope);
    v->slope[e->node[e->query->items[item].body]] = 1;
    expressions_descend(e, v->each, v->slope);
    for (size_t i = 0; i < e->each_count; i++)
        if (e->each[i].kind == EACH_FUNCTIONAL && v->slope[i] != 0)
            by_functional[e->each[i].a] += v->slope[i];
}
