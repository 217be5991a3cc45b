/* Evaluates an expression over the rates of a model. */
#include "parser/query/query.h"

static const ExprOp operators[] = {[QUERY_ADD] = EXPR_ADD,
                                   [QUERY_SUB] = EXPR_SUB,
                                   [QUERY_MUL] = EXPR_MUL,
                                   [QUERY_DIV] = EXPR_DIV,
                                   [QUERY_NEG] = EXPR_NEG};

static double node_value(const Query *q, const Model *model, const QueryNode *n, const double *each)
{
    if (n->kind == QUERY_NUMBER)
        return n->number;
    if (n->meaning == MEANS_RATE)
        return model->rates[n->id].value.value;
    const bool call = n->meaning == MEANS_FUNCTION;
    const int32_t b = call ? q->nodes[n->a].next : n->b;
    return model_operate(call ? (ExprOp)n->id : operators[n->kind], each[n->a],
                         b < 0 ? 0 : each[b]);
}

PepaStatus query_value(const Query *q, const Model *model, double *value)
{
    const QueryItem *item = &q->items[0];
    double *each = NULL;
    if (!mem_new(each, q->node_count))
        return PEPA_ENOMEM;
    for (int32_t i = item->first; i <= item->body; i++)
        each[i] = node_value(q, model, &q->nodes[i], each);
    *value = each[item->body];
    mem_free(each);
    return PEPA_OK;
}
