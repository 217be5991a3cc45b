/* What is wrong with a formula of CSL beyond names and syntax. */
#include "base/mem.h"
#include "parser/query/query.h"

/* `=?` gives a number, which is no condition. */
static void check_asks(const Query *q, DiagList *diags)
{
    for (size_t i = 0; i + 1 < q->formula_count; i++)
        if (formula_compares(q->formula[i].kind) && q->formula[i].test == FORMULA_ASKS)
            diag_error(diags, q->formula[i].span,
                       "`=?` gives a number, which is no condition: within a formula compare with "
                       "a number, as in `>=0.5`");
}

/* Whether a node of a measure depends on the distribution. */
static bool depends(const Query *q, const uint8_t *does, int32_t i)
{
    const QueryNode *n = &q->nodes[i];
    if (n->kind == QUERY_ATOM)
        return n->meaning != MEANS_VALUE;
    if (n->kind == QUERY_CALL)
        return does[n->a] || (q->nodes[n->a].next >= 0 && does[q->nodes[n->a].next]);
    if (n->kind == QUERY_NAME || n->kind == QUERY_NUMBER)
        return false;
    return does[n->a] || (n->b >= 0 && does[n->b]);
}

/* What is not linear in the distribution has a value in the long run, but none that can be summed
 * up over time. */
static void check_linear(const Query *q, const QueryItem *item, uint8_t *does, DiagList *diags)
{
    for (int32_t i = item->first; i <= item->body; i++) {
        const QueryNode *n = &q->nodes[i];
        does[i] = 0;
        if (n->states || n->meaning == MEANS_ACTION || n->meaning == MEANS_LOCAL)
            continue;
        does[i] = depends(q, does, i);
        const bool quotient = n->kind == QUERY_DIV && does[n->b];
        const bool product = n->kind == QUERY_MUL && does[n->a] && does[n->b];
        const bool function = n->kind == QUERY_CALL && does[i];
        if (n->meaning == MEANS_RESPONSE || quotient || product || function) {
            diag_error(diags, n->span,
                       "a reward is a sum of throughputs, populations and the like, each times a "
                       "number; this is none");
            return;
        }
    }
}

bool query_check_formula(const Query *q, DiagList *diags)
{
    uint8_t *does = mem_calloc(q->node_count + 1, sizeof *does);
    check_asks(q, diags);
    for (size_t i = 0; does && i < q->item_count; i++)
        if (q->items[i].role == ROLE_REWARD)
            check_linear(q, &q->items[i], does, diags);
    mem_free(does);
    return does != NULL;
}
