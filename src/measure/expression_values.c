/* Evaluates measures under a distribution: first the functionals, each by what computes it fastest,
 * then the expressions over them. */
#include <math.h>
#include <string.h>

#include "measure/expression_private.h"
#include "measure/measures.h"

typedef struct {
    const Expressions *e;
    const RateValues *at;
    const double *pi;
    double *value; /* per functional */
    bool wanted[FUNCTIONAL_INFLOW + 1];
} Evaluation;

static PepaStatus find_flows(Evaluation *v, PepaError *err)
{
    const Chain *c = v->e->chain;
    double *flow = mem_alloc((size_t)c->action_count, sizeof *flow);
    if (!flow)
        return error_memory(err);
    chain_action_flow(c, v->at->term, v->pi, flow);
    for (size_t i = 0; i < v->e->functional_count; i++) {
        const Functional *f = &v->e->functional[i];
        int32_t action =
            f->kind == FUNCTIONAL_FLOW ? sorted_find(c->actions, c->action_count, f->a) : -1;
        if (f->kind == FUNCTIONAL_FLOW)
            v->value[i] = action < 0 ? 0 : flow[action];
    }
    mem_free(flow);
    return PEPA_OK;
}

/* The slots of a position have their places together in a functional: the first stands for all. */
static bool first_of_position(const System *s, int32_t slot)
{
    int32_t i = 0;
    while (s->slots[i].position != s->slots[slot].position)
        i++;
    return i == slot;
}

static PepaStatus find_counts(Evaluation *v, PepaError *err)
{
    const System *s = v->e->chain->system;
    int32_t *offset = NULL;
    double *mean = NULL;
    bool ok = mem_new(offset, s->position_count + 1);
    if (ok)
        measure_offsets(s, offset);
    ok = ok && mem_new(mean, offset[s->position_count]);
    PepaStatus status =
        ok ? measure_mean_counts(v->e->chain, offset, v->pi, mean, err) : error_memory(err);
    for (size_t i = 0; i < v->e->functional_count && status == PEPA_OK; i++) {
        const Functional *f = &v->e->functional[i];
        for (int32_t k = f->first; f->kind == FUNCTIONAL_COUNT && k < f->end; k++) {
            const StatePlace *place = &v->e->code.place[k];
            if (first_of_position(s, place->slot))
                v->value[i] += mean[offset[s->slots[place->slot].position] + place->local];
        }
    }
    mem_free_all(offset, mean);
    return status;
}

/* A state of no probability counts nothing, whatever its value is. */
static void add_means(void *user, int64_t first, int32_t count, const double *const *value)
{
    Evaluation *v = user;
    for (size_t i = 0; i < v->e->functional_count; i++) {
        const Functional *f = &v->e->functional[i];
        if (f->kind != FUNCTIONAL_MEAN)
            continue;
        double sum = 0;
        for (int32_t k = 0; k < count; k++)
            sum += v->pi[first + k] != 0 ? v->pi[first + k] * value[f->a][k] : 0;
        v->value[i] += sum;
    }
}

static PepaStatus find_inflows(Evaluation *v, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    for (size_t i = 0; i < v->e->functional_count && status == PEPA_OK; i++) {
        const Functional *f = &v->e->functional[i];
        if (f->kind == FUNCTIONAL_INFLOW)
            status = chain_inflow(v->e->chain, v->at->term, v->pi, v->e->code.place + f->first,
                                  f->end - f->first, &v->value[i], err);
    }
    return status;
}

static PepaStatus find_functionals(Evaluation *v, PepaError *err)
{
    const Expressions *e = v->e;
    PepaStatus status = PEPA_OK;
    for (size_t i = 0; i < e->functional_count; i++)
        v->wanted[e->functional[i].kind] = true;
    if (v->wanted[FUNCTIONAL_FLOW])
        status = find_flows(v, err);
    if (status == PEPA_OK && v->wanted[FUNCTIONAL_COUNT])
        status = find_counts(v, err);
    if (status == PEPA_OK && v->wanted[FUNCTIONAL_MEAN])
        status = chain_each_value(e->chain, &e->code, v->at->rate, add_means, v, err);
    if (status == PEPA_OK && v->wanted[FUNCTIONAL_INFLOW])
        status = find_inflows(v, err);
    return status;
}

static double each_value(const Evaluation *v, const Each *n, const double *each)
{
    switch (n->kind) {
    case EACH_NUMBER:
        return n->number;
    case EACH_RATE:
        return v->at->rate[n->a].value;
    case EACH_FUNCTIONAL:
        return isfinite(v->value[n->a]) ? v->value[n->a] : NAN;
    default:
        return model_operate(n->op, each[n->a], n->b < 0 ? 0 : each[n->b]);
    }
}

PepaStatus expressions_values(const Expressions *e, const RateValues *at, const double *pi,
                              double *value, PepaError *err)
{
    Evaluation v = {.e = e, .at = at, .pi = pi};
    double *each = NULL;
    bool ok = mem_new_zeroed(v.value, e->functional_count) && mem_new(each, e->each_count);
    PepaStatus status = ok ? find_functionals(&v, err) : error_memory(err);
    for (size_t i = 0; i < e->each_count && status == PEPA_OK; i++)
        each[i] = each_value(&v, &e->each[i], each);
    for (size_t i = 0; i < e->query->item_count && status == PEPA_OK; i++) {
        const QueryItem *item = &e->query->items[i];
        value[i] = item->name ? each[e->node[item->body]] : NAN;
    }
    mem_free_all(v.value, each);
    return status;
}

typedef struct {
    int32_t node;
    uint8_t *out;
} Truth;

static void store_truth(void *user, int64_t first, int32_t count, const double *const *value)
{
    const Truth *t = user;
    for (int32_t k = 0; k < count; k++)
        t->out[first + k] = value[t->node][k] != 0;
}

PepaStatus expressions_states(const Expressions *e, const RateValues *at, int32_t item,
                              uint8_t *true_in, PepaError *err)
{
    Truth t = {e->node[e->query->items[item].body], true_in};
    return chain_each_value(e->chain, &e->code, at->rate, store_truth, &t, err);
}
