/* Evaluates measures under a distribution: first the functionals, each by what computes it fastest,
 * then the expressions over them. */
#include <math.h>
#include <string.h>

#include "base/processes.h"
#include "base/sorted.h"
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
    ok = ok && mem_new_zeroed(mean, offset[s->position_count]);
    PepaStatus status =
        ok ? chain_mean_counts(v->e->chain, offset, v->pi, mean, err) : error_memory(err);
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

/* One functional, and where its value is. */
typedef struct {
    const double *pi, *rate;
    double *value;
    const Chain *chain;
} Sum;

static void add_inflow(void *user, const Transition *t, int32_t count)
{
    const Sum *sum = user;
    *sum->value += sum->pi[chain_entry(sum->chain, t->from)] * sum->rate[t->term] * count;
}

static PepaStatus find_inflows(Evaluation *v, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    for (size_t i = 0; i < v->e->functional_count && status == PEPA_OK; i++) {
        const Functional *f = &v->e->functional[i];
        if (f->kind == FUNCTIONAL_INFLOW)
            status = chain_each_inflow(v->e->chain, v->e->code.place + f->first, f->end - f->first,
                                       add_inflow,
                                       &(Sum){v->pi, v->at->term, &v->value[i], v->e->chain}, err);
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
    if (e->chain->spread && v->wanted[FUNCTIONAL_INFLOW])
        status = processes_agree(e->chain->spread->processes, status, err);
    if (status == PEPA_OK && v->wanted[FUNCTIONAL_INFLOW])
        status = find_inflows(v, err);
    return status;
}

static double each_value(const RateValues *at, const double *mean, const Each *n,
                         const double *each)
{
    switch (n->kind) {
    case EACH_NUMBER:
        return n->number;
    case EACH_RATE:
        return at->rate[n->a].value;
    case EACH_FUNCTIONAL:
        return isfinite(mean[n->a]) ? mean[n->a] : NAN;
    default:
        return model_operate(n->op, each[n->a], n->b < 0 ? 0 : each[n->b]);
    }
}

int32_t expressions_functionals(const Expressions *e)
{
    return (int32_t)e->functional_count;
}

bool expressions_never_negative(const Expressions *e, int32_t functional)
{
    const Functional *f = &e->functional[functional];
    return f->kind != FUNCTIONAL_MEAN || e->code.node[f->a].op == STATE_OR;
}

int32_t expressions_items(const Expressions *e)
{
    return (int32_t)e->query->item_count;
}

PepaStatus expressions_means(const Expressions *e, const RateValues *at, const double *pi,
                             double *mean, PepaError *err)
{
    memset(mean, 0, e->functional_count * sizeof *mean);
    return find_functionals(&(Evaluation){.e = e, .at = at, .pi = pi, .value = mean}, err);
}

void expressions_each(const Expressions *e, const RateValues *at, const double *mean, double *each)
{
    for (size_t i = 0; i < e->each_count; i++)
        each[i] = each_value(at, mean, &e->each[i], each);
}

PepaStatus expressions_combine(const Expressions *e, const RateValues *at, const double *mean,
                               double *value, PepaError *err)
{
    double *each = mem_alloc(e->each_count, sizeof *each);
    if (!each)
        return error_memory(err);
    expressions_each(e, at, mean, each);
    for (size_t i = 0; i < e->query->item_count; i++) {
        const QueryItem *item = &e->query->items[i];
        value[i] = item->name ? each[e->node[item->body]] : NAN;
    }
    mem_free(each);
    return PEPA_OK;
}

PepaStatus expressions_values(const Expressions *e, const RateValues *at, const double *pi,
                              double *value, PepaError *err)
{
    double *mean = mem_alloc(e->functional_count, sizeof *mean);
    PepaStatus status = mean ? expressions_means(e, at, pi, mean, err) : error_memory(err);
    if (status == PEPA_OK)
        status = expressions_combine(e, at, mean, value, err);
    mem_free(mean);
    return status;
}

/* ---- vectors --------------------------------------------------------------------------------- */

typedef struct {
    const Expressions *e;
    const double *rate; /* per term */
    double *vector;
    size_t functional; /* at hand */
} Vectors;

static double *vector_at(const Vectors *v, int64_t state)
{
    return v->vector + (size_t)state * v->e->functional_count;
}

static void put_flows(void *user, const Transition *t)
{
    const Vectors *v = user;
    for (size_t i = 0; i < v->e->functional_count; i++)
        if (v->e->functional[i].kind == FUNCTIONAL_FLOW && v->e->functional[i].a == t->action)
            vector_at(v, chain_entry(v->e->chain, t->from))[i] += v->rate[t->term];
}

static void put_values(void *user, int64_t first, int32_t count, const double *const *value)
{
    const Vectors *v = user;
    for (size_t i = 0; i < v->e->functional_count; i++) {
        const Functional *f = &v->e->functional[i];
        for (int32_t k = 0; k < count; k++)
            if (f->kind == FUNCTIONAL_COUNT || f->kind == FUNCTIONAL_MEAN)
                vector_at(v, first + k)[i] = value[f->a][k];
    }
}

static void put_inflow(void *user, const Transition *t, int32_t count)
{
    const Vectors *v = user;
    vector_at(v, chain_entry(v->e->chain, t->from))[v->functional] += v->rate[t->term] * count;
}

PepaStatus expressions_vectors(const Expressions *e, const RateValues *at, double *vector,
                               PepaError *err)
{
    Vectors v = {e, at->term, vector, 0};
    memset(vector, 0, (size_t)e->chain->state_count * e->functional_count * sizeof *vector);
    PepaStatus status = chain_each_transition(e->chain, put_flows, &v, err);
    if (status == PEPA_OK)
        status = chain_each_value(e->chain, &e->code, at->rate, put_values, &v, err);
    status = chain_agree(e->chain, status, err);
    for (; v.functional < e->functional_count && status == PEPA_OK; v.functional++) {
        const Functional *f = &e->functional[v.functional];
        if (f->kind == FUNCTIONAL_INFLOW)
            status = chain_each_inflow(e->chain, e->code.place + f->first, f->end - f->first,
                                       put_inflow, &v, err);
    }
    return status;
}

/* ---- predicates ------------------------------------------------------------------------------ */

typedef struct {
    const Expressions *e;
    const int32_t *item;
    size_t items;
    uint8_t *const *out;
} Truth;

static void store_truth(void *user, int64_t first, int32_t count, const double *const *value)
{
    const Truth *t = user;
    for (size_t i = 0; i < t->items; i++) {
        const double *of = value[t->e->node[t->e->query->items[t->item[i]].body]];
        for (int32_t k = 0; k < count; k++)
            t->out[i][first + k] = of[k] != 0;
    }
}

PepaStatus expressions_states(const Expressions *e, const RateValues *at, const int32_t *item,
                              size_t count, uint8_t *const *true_in, PepaError *err)
{
    Truth t = {e, item, count, true_in};
    return chain_each_value(e->chain, &e->code, at->rate, store_truth, &t, err);
}

PepaStatus expressions_probe(StateProbe **out, const Expressions *e, const Value *rate,
                             PepaError *err)
{
    return state_probe_new(out, e->chain, &e->code, rate, err);
}

bool expressions_hold(const Expressions *e, StateProbe *probe, int32_t item, const uint64_t *packed,
                      const uint8_t *enabled, bool deadlock)
{
    const int32_t node = e->node[e->query->items[item].body];
    return state_probe_value(probe, packed, enabled, deadlock, node) != 0;
}
