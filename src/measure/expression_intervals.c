/* Intervals that contain the exact values of measures. */
#include "measure/expression_intervals.h"

#include <math.h>

#include "base/budget.h"
#include "base/mem.h"
#include "measure/expression_private.h"

typedef struct {
    int64_t from;
    double here, most; /* transitions out of the state at hand; out of any */
} Degree;

static void count_transition(void *user, const Transition *t)
{
    Degree *d = user;
    d->here = t->from == d->from ? d->here + 1 : 1;
    d->from = t->from;
    d->most = fmax(d->most, d->here);
}

/* Of what expressions_vectors has.  Numbers of components are exact, and other functions of states
 * count as computed.  What flows in are sums over transitions and places, of rates times numbers. */
static PepaStatus vector_roundings(const Bounding *b, const Functional *f, double *roundings)
{
    const Chain *chain = b->by.chain;
    Degree degree = {.from = -1};
    double *each = NULL, most = 0;
    long double *value = NULL;
    *roundings = 0;
    if (f->kind != FUNCTIONAL_INFLOW)
        return PEPA_OK;
    bool ok = mem_new(each, chain->rates.count) && mem_new(value, chain->rates.count);
    if (ok)
        rates_precisely(&chain->rates, b->at, value, each);
    for (int32_t k = 0; ok && k < chain->rates.count; k++)
        most = fmax(most, each[k]);
    mem_free_all(each, value);
    PepaStatus status =
        ok ? chain_each_transition(chain, count_transition, &degree, b->err) : error_memory(b->err);
    *roundings = most + 1 + degree.most * (f->end - f->first);
    return status;
}

typedef struct {
    double *all, *one; /* of all functionals, as expressions_vectors has them; of one */
    double *by_action; /* one entry per action of the model */
} Vectors;

static PepaStatus enclose_functional(const Bounding *b, const Vectors *v, int32_t f, Interval *out)
{
    const Functional *functional = &b->expressions->functional[f];
    const int32_t count = expressions_functionals(b->expressions);
    const bool flows = functional->kind == FUNCTIONAL_FLOW;
    double roundings;
    PepaStatus status =
        chain_agree(b->by.chain, vector_roundings(b, functional, &roundings), b->err);
    if (flows)
        v->by_action[functional->a] = 1;
    for (int64_t s = 0; s < b->by.chain->state_count && !flows; s++)
        v->one[s] = v->all[s * count + f];
    const Reward reward =
        flows ? (Reward){.by_action = v->by_action} : (Reward){.by_state = v->one};
    if (status == PEPA_OK)
        status = enclose(&b->by, b->at, b->set, b->pi, &reward, roundings, out, b->info, b->err);
    if (flows)
        v->by_action[functional->a] = 0;
    return status;
}

static PepaStatus enclose_functionals(const Bounding *bounding, Interval *mean)
{
    const size_t states = (size_t)bounding->by.chain->state_count;
    const int32_t count = expressions_functionals(bounding->expressions);
    const double bytes = (double)states * sizeof(double) * (count + 1.0);
    PepaSettings within = *bounding->set;
    Bounding b = *bounding;
    Vectors v = {0};
    b.set = &within;
    const bool fits = budget_allows(within.memory, bytes);
    bool ok = fits && mem_new(v.all, states * (size_t)count) && mem_new(v.one, states) &&
              mem_new_zeroed(v.by_action, b.by.chain->model->action_count);
    PepaStatus status =
        ok     ? PEPA_OK
        : fits ? error_memory(b.err)
               : budget_exceeded(b.err, bytes, within.memory, "intervals for measures");
    within.memory = budget_left(within.memory, bytes);
    status = chain_agree(b.by.chain, status, b.err);
    if (status == PEPA_OK)
        status =
            chain_agree(b.by.chain, expressions_vectors(b.expressions, b.at, v.all, b.err), b.err);
    for (int32_t f = 0; f < count && status == PEPA_OK; f++)
        status = enclose_functional(&b, &v, f, &mean[f]);
    mem_free_all(v.all, v.one, v.by_action);
    return status;
}

static Interval operate(ExprOp op, Interval a, Interval b)
{
    const Interval zero = interval_of(0), all = {-HUGE_VAL, HUGE_VAL};
    switch (op) {
    case EXPR_ADD:
        return interval_add(a, b);
    case EXPR_SUB:
        return interval_subtract(a, b);
    case EXPR_MUL:
        return interval_multiply(a, b);
    case EXPR_DIV:
        return interval_divide(a, b);
    case EXPR_MIN:
        return interval_min(a, b);
    case EXPR_MAX:
        return interval_max(a, b);
    case EXPR_NEG:
        return interval_subtract(zero, a);
    default:
        return all;
    }
}

PepaStatus expressions_intervals(const Bounding *b, Interval *item)
{
    const Expressions *e = b->expressions;
    Interval *mean = NULL, *each = NULL;
    bool ok = mem_new(mean, e->functional_count) && mem_new(each, e->each_count);
    PepaStatus status = chain_agree(b->by.chain, ok ? PEPA_OK : error_memory(b->err), b->err);
    if (status == PEPA_OK)
        status = enclose_functionals(b, mean);
    for (size_t i = 0; i < e->each_count && status == PEPA_OK; i++) {
        const Each *n = &e->each[i];
        each[i] = n->kind == EACH_NUMBER ? interval_of(n->number)
                  : n->kind == EACH_RATE ? interval_of(b->at->rate[n->a].value)
                  : n->kind == EACH_FUNCTIONAL
                      ? mean[n->a]
                      : operate(n->op, each[n->a], n->b < 0 ? each[n->a] : each[n->b]);
    }
    for (size_t i = 0; i < e->query->item_count && status == PEPA_OK; i++)
        item[i] = e->query->items[i].name ? each[e->node[e->query->items[i].body]]
                                          : (Interval){-HUGE_VAL, HUGE_VAL};
    mem_free_all(mean, each);
    return status;
}
