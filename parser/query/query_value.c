/* Evaluates what is an expression over the rates of a model. */
#include "parser/query/query.h"

static const ExprOp operators[] = {[QUERY_ADD] = EXPR_ADD,
                                   [QUERY_SUB] = EXPR_SUB,
                                   [QUERY_MUL] = EXPR_MUL,
                                   [QUERY_DIV] = EXPR_DIV,
                                   [QUERY_NEG] = EXPR_NEG};

typedef struct {
    double value;
    bool known; /* rates alone decide it */
} Found;

static Found operate(ExprOp op, const Found *a, const Found *b)
{
    return (Found){model_operate(op, a->value, b ? b->value : 0), a->known && (!b || b->known)};
}

static Found node_value(const Query *q, const Model *model, const QueryNode *n, const Found *each)
{
    switch (n->meaning) {
    case MEANS_RATE:
        return (Found){model->rates[n->id].value.value, true};
    case MEANS_VALUE:
        return each[n->a];
    case MEANS_EARLIER:
        return each[q->items[n->id].body];
    case MEANS_FUNCTION: {
        const int32_t b = q->nodes[n->a].next;
        return operate((ExprOp)n->id, &each[n->a], b < 0 ? NULL : &each[b]);
    }
    case MEANS_NOTHING:
        if (n->kind == QUERY_NUMBER)
            return (Found){n->number, true};
        if (!n->states && n->kind >= QUERY_ADD && n->kind <= QUERY_NEG && operators[n->kind])
            return operate(operators[n->kind], &each[n->a], n->b < 0 ? NULL : &each[n->b]);
        break;
    default:
        break;
    }
    return (Found){0, false};
}

PepaStatus query_value(const Query *q, size_t item, const Model *model, double *value, bool *known)
{
    Found *each = NULL;
    if (!mem_new(each, q->node_count))
        return PEPA_ENOMEM;
    for (int32_t i = 0; i <= q->items[item].body; i++)
        each[i] = node_value(q, model, &q->nodes[i], each);
    *value = each[q->items[item].body].value;
    if (known)
        *known = each[q->items[item].body].known;
    mem_free(each);
    return PEPA_OK;
}
