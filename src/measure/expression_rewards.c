/* Measures as rewards: what a state earns per unit of time, so that the measure is the mean. */
#include "measure/expression_private.h"

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

/* All probability in one state: the value of the measure then is the state's reward. */
PepaStatus expressions_rewards(const Expressions *e, const RateValues *at, double *reward,
                               PepaError *err)
{
    const size_t n = (size_t)e->chain->state_count, items = e->query->item_count;
    uint8_t *degree = NULL;
    double *vector = NULL, *each = NULL;
    bool ok = mem_new(degree, e->each_count) && mem_new(each, e->each_count) &&
              mem_new(vector, n * e->functional_count);
    PepaStatus status = ok ? check_degrees(e, degree, err) : error_memory(err);
    if (status == PEPA_OK)
        status = expressions_vectors(e, at, vector, err);
    for (size_t s = 0; s < n && status == PEPA_OK; s++) {
        expressions_each(e, at, vector + s * e->functional_count, each);
        for (size_t i = 0; i < items; i++)
            reward[s * items + i] = each[e->node[e->query->items[i].body]];
    }
    mem_free_all(degree, vector, each);
    return status;
}
