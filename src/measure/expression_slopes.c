/* The derivative of a measure, linearised: what its functionals, weighed by their slopes, earn in
 * each state and by each transition.  So two potentials, one of what is positive and one of what is
 * negative, serve a measure of any number of functionals. */
#include <math.h>
#include <string.h>

#include "measure/expression_private.h"

void linearised_free(Linearised *l)
{
    mem_free_all(l->more.by_state, l->more.by_action, l->less.by_state, l->less.by_action);
    mem_free_all(l->by_term, l->by_rate);
    *l = (Linearised){0};
}

void expressions_descend_from(const Expressions *e, int32_t node, const double *each, double *slope)
{
    const Each *n = &e->each[node];
    if (n->kind != EACH_OPERATOR || slope[node] == 0)
        return;
    Slopes by = model_slopes(n->op, each[n->a], n->b < 0 ? 0 : each[n->b]);
    slope[n->a] += slope[node] * by.a;
    if (n->b >= 0)
        slope[n->b] += slope[node] * by.b;
}

void expressions_descend(const Expressions *e, const double *each, double *slope)
{
    for (int32_t i = (int32_t)e->each_count; i-- > 0;)
        expressions_descend_from(e, i, each, slope);
}

/* One functional at work. */
typedef struct {
    const Expressions *e;
    const double *rate, *pi; /* rate: per term */
    const Functional *f;
    double slope;
    Linearised *out;
} Adding;

/* Where such an amount counts. */
static LinearPart *part_of(Linearised *out, double amount)
{
    LinearPart *part = amount < 0 ? &out->less : &out->more;
    part->any |= amount != 0;
    return part;
}

static void add_to_state(Linearised *out, int64_t state, double amount)
{
    part_of(out, amount)->by_state[state] += fabs(amount);
}

static void add_values(void *user, int64_t first, int32_t count, const double *const *value)
{
    const Adding *a = user;
    for (int32_t k = 0; k < count; k++)
        add_to_state(a->out, first + k, a->slope * value[a->f->a][k]);
}

static void add_inflow(void *user, const Transition *t, int32_t count)
{
    const Adding *a = user;
    add_to_state(a->out, t->from, a->slope * a->rate[t->term] * count);
    a->out->by_term[t->term] += a->slope * a->pi[t->from] * count;
}

/* Whether a node's value changes with a rate of the model that it names, but for jumps. */
static bool follows_rate(const StateCode *code, int32_t node)
{
    const StateNode *n = &code->node[node];
    if (n->op == STATE_RATE)
        return true;
    if (n->op < STATE_ADD || (n->op >= STATE_EQ && n->op <= STATE_OR) || n->op == STATE_NOT)
        return false;
    return follows_rate(code, n->a) || (n->b >= 0 && follows_rate(code, n->b));
}

static PepaStatus add_functional(const Adding *a, const RateValues *at, PepaError *err)
{
    const Functional *f = a->f;
    const Expressions *e = a->e;
    switch (f->kind) {
    case FUNCTIONAL_FLOW:
        part_of(a->out, a->slope)->by_action[f->a] += fabs(a->slope);
        return PEPA_OK;
    case FUNCTIONAL_INFLOW:
        return chain_each_inflow(e->chain, e->code.place + f->first, f->end - f->first, add_inflow,
                                 (void *)a, err);
    default:
        if (f->kind == FUNCTIONAL_MEAN && follows_rate(&e->code, f->a))
            return error_set(err, PEPA_EARG,
                             "no derivative of a reward that names a rate: write the rate outside "
                             "the braces");
        return chain_each_value(e->chain, &e->code, at->rate, add_values, (void *)a, err);
    }
}

static bool reserve_part(LinearPart *out, const Chain *c)
{
    return mem_new_zeroed(out->by_state, c->state_count) &&
           mem_new_zeroed(out->by_action, c->model->action_count);
}

static bool reserve(Linearised *out, const Chain *c)
{
    return reserve_part(&out->more, c) && reserve_part(&out->less, c) &&
           mem_new_zeroed(out->by_term, c->rates.count) &&
           mem_new_zeroed(out->by_rate, c->model->rate_count);
}

static PepaStatus add_all(const Expressions *e, const RateValues *at, const double *pi,
                          const double *slope, Linearised *out, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    for (size_t i = 0; i < e->each_count && status == PEPA_OK; i++) {
        const Each *n = &e->each[i];
        const bool functional = n->kind == EACH_FUNCTIONAL;
        /* Numbers have no say: as exponents of what is negative their slope is NaN. */
        if (slope[i] == 0 || (n->kind != EACH_RATE && !functional))
            continue;
        if (!isfinite(slope[i]))
            return error_set(err, PEPA_EARG, "the measure has no derivative here");
        Adding a = {e, at->term, pi, functional ? &e->functional[n->a] : NULL, slope[i], out};
        if (n->kind == EACH_RATE)
            out->by_rate[n->a] += slope[i];
        else
            status = add_functional(&a, at, err);
    }
    return status;
}

PepaStatus expressions_linearise(const Expressions *e, const RateValues *at, const double *pi,
                                 int32_t item, double *value, Linearised *out, PepaError *err)
{
    double *mean = NULL, *each = NULL, *slope = NULL;
    *out = (Linearised){0};
    bool ok = mem_new(mean, e->functional_count) && mem_new(each, e->each_count) &&
              mem_new_zeroed(slope, e->each_count) && reserve(out, e->chain);
    PepaStatus status = ok ? expressions_means(e, at, pi, mean, err) : error_memory(err);
    if (status == PEPA_OK) {
        const int32_t root = e->node[e->query->items[item].body];
        expressions_each(e, at, mean, each);
        *value = each[root];
        slope[root] = 1;
        expressions_descend(e, each, slope);
        status = isnan(*value) ? error_set(err, PEPA_EARG,
                                           "the measure has no value: a division by 0, or a "
                                           "number too large")
                               : add_all(e, at, pi, slope, out, err);
    }
    mem_free_all(mean, each, slope);
    if (status != PEPA_OK)
        linearised_free(out);
    return status;
}
