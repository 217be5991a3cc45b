/* Measures that are linear in the distribution as rewards: what each state earns per unit of time.
 * Such a measure is a constant plus a sum of functionals, each times its slope. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "measure/expression_private.h"

/* One functional at work. */
typedef struct {
    const double *rate; /* per term */
    const Functional *f;
    double slope;
    double terms;         /* operations that an addend may come from */
    double *reward, *off; /* off: bound of the rounding errors, in units of 2^-52 */
} Adding;

static void add(const Adding *a, int64_t state, double value)
{
    const double part = a->slope * value;
    a->reward[state] += part;
    a->off[state] += fabs(part) * a->terms + fabs(a->reward[state]);
}

static void add_flow(void *user, const Transition *t)
{
    const Adding *a = user;
    if (t->action == a->f->a)
        add(a, t->from, a->rate[t->term]);
}

static void add_values(void *user, int64_t first, int32_t count, const double *const *value)
{
    const Adding *a = user;
    for (int32_t k = 0; k < count; k++)
        add(a, first + k, value[a->f->a][k]);
}

static PepaStatus add_functional(const Expressions *e, const RateValues *at, Adding *a,
                                 PepaError *err)
{
    if (a->f->kind == FUNCTIONAL_FLOW)
        return chain_each_transition(e->chain, add_flow, a, err);
    return chain_each_value(e->chain, &e->code, at->rate, add_values, a, err);
}

PepaStatus expressions_reward(const Expressions *e, const RateValues *at, int32_t item,
                              double *reward, double *off, PepaError *err)
{
    const size_t n = (size_t)e->chain->state_count;
    const int32_t body = e->node[e->query->items[item].body];
    double *none = NULL, *each = NULL, *slope = NULL;
    const double terms = (double)(e->each_count + e->code.node_count + 4);
    bool ok = mem_new_zeroed(none, e->functional_count + 1) && mem_new(each, e->each_count) &&
              mem_new_zeroed(slope, e->each_count);
    PepaStatus status = ok ? PEPA_OK : error_memory(err);
    if (ok) {
        expressions_each(e, at, none, each);
        slope[body] = 1;
        expressions_descend(e, each, slope);
        for (size_t i = 0; i < n; i++) {
            reward[i] = each[body];
            off[i] = fabs(each[body]) * terms;
        }
    }
    for (size_t i = 0; i < e->each_count && status == PEPA_OK; i++) {
        const Each *node = &e->each[i];
        if (node->kind != EACH_FUNCTIONAL || slope[i] == 0)
            continue;
        Adding a = {at->term, &e->functional[node->a], slope[i], terms, reward, off};
        status = add_functional(e, at, &a, err);
    }
    for (size_t i = 0; i < n && status == PEPA_OK; i++) {
        off[i] *= DBL_EPSILON;
        if (!isfinite(reward[i]))
            status = error_set(err, PEPA_EARG, "the reward `%s` has no finite value in some state",
                               e->query->items[item].name);
    }
    mem_free_all(none, each, slope);
    return status;
}

/* Of a node in the functionals: a number, a sum of multiples of them, or neither. */
enum { CONSTANT, LINEAR, OTHER };

static uint8_t degree_of(const Each *n, const uint8_t *degree)
{
    if (n->kind == EACH_FUNCTIONAL)
        return LINEAR;
    if (n->kind != EACH_OPERATOR)
        return CONSTANT;
    const uint8_t a = degree[n->a], b = n->b < 0 ? CONSTANT : degree[n->b];
    const uint8_t larger = a > b ? a : b;
    if (larger == CONSTANT || n->op == EXPR_ADD || n->op == EXPR_SUB || n->op == EXPR_NEG)
        return larger;
    if (n->op == EXPR_MUL)
        return a == CONSTANT || b == CONSTANT ? larger : OTHER;
    return n->op == EXPR_DIV && b == CONSTANT ? larger : OTHER;
}

static PepaStatus check_degrees(const Expressions *e, uint8_t *degree, PepaError *err)
{
    for (size_t i = 0; i < e->each_count; i++)
        degree[i] = degree_of(&e->each[i], degree);
    for (size_t i = 0; i < e->query->item_count; i++) {
        const QueryItem *item = &e->query->items[i];
        if (item->name && degree[e->node[item->body]] == OTHER)
            return error_set(
                err, PEPA_EARG,
                "measure `%.100s` is no sum of means over the states, and gives states "
                "no rewards",
                item->name);
    }
    return PEPA_OK;
}

PepaStatus expressions_rewards(const Expressions *e, const RateValues *at, double *reward,
                               PepaError *err)
{
    const size_t n = (size_t)e->chain->state_count, items = e->query->item_count;
    uint8_t *degree = NULL;
    double *one = NULL, *off = NULL;
    bool ok = mem_new(degree, e->each_count) && mem_new(one, n) && mem_new(off, n);
    PepaStatus status = ok ? check_degrees(e, degree, err) : error_memory(err);
    for (size_t i = 0; i < items && status == PEPA_OK; i++) {
        status = expressions_reward(e, at, (int32_t)i, one, off, err);
        for (size_t s = 0; s < n && status == PEPA_OK; s++)
            reward[s * items + i] = one[s];
    }
    mem_free_all(degree, one, off);
    return status;
}
