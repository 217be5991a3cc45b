/* Words the syntax errors of queries, and appends nodes and items: what scanner and grammar call. */
#include "parser/query/reading.h"

#include <stdarg.h>
#include <string.h>

#include "base/unexpected.h"

void reading_error(Reading *ctx, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!ctx->failed)
        diag_syntax(ctx->diags, span, READING_MOST_ERRORS, &ctx->stop, format, args);
    va_end(args);
}

/* What can stand here, in words: an operand, or an operator, brackets and the end. */
static void list_expected(const char *const *names, int count, Text *out)
{
    static const char *const operators[] =
        {"!=", "<", "<=", ">", ">=", "&&", "||", "==", "+", "-", "*", "/", "the end of the line"};
    /* With which a formula begins, and what goes on with it. */
    static const char *const formulas[] = {"true", "false", "{",  "!",  "(", "P",
                                           "S",    "R",     "&&", "||", "=>"};
    const bool operand = name_among("(", names, count) && name_among("a number", names, count);
    const bool formula = name_among("P", names, count), joint = name_among("=>", names, count);
    const char *const *left_out = formula || joint ? formulas : operators;
    const int left_outs = formula || joint ? (int)(sizeof formulas / sizeof *formulas)
                                           : (int)(sizeof operators / sizeof *operators);
    const char *items[8];
    int listed = 0;
    if (operand)
        items[listed++] = "an expression";
    else if (name_among("=?", names, count))
        items[listed++] = "a comparison, such as `>=0.9` or `=?`";
    else if (formula)
        items[listed++] = "a formula";
    else if (joint)
        items[listed++] = "`&`, `|`, `=>`";
    else if (name_among("*", names, count))
        items[listed++] = "an operator";
    for (int i = 0; i < count && !operand && listed < 8; i++)
        if (!name_among(names[i], left_out, left_outs) && strcmp(names[i], "=?") != 0)
            items[listed++] = names[i];
    unexpected_wanted(items, listed, out);
}

void reading_unexpected(Reading *ctx, const char *found, Span span, const char *const *expected,
                        int count)
{
    Text message = {0};
    unexpected_found(ctx->scan.source, found, span, &message);
    list_expected(expected, count, &message);
    if (strcmp(found, "=") == 0 && !ctx->formula)
        text_add(&message, "; equality is written `==`");
    if (!message.failed)
        reading_error(ctx, span, "%s", message.text);
    ctx->failed = ctx->failed || message.failed;
    text_free(&message);
}

int32_t query_node(Reading *ctx, QueryNode node)
{
    Query *q = ctx->query;
    ctx->failed = ctx->failed || !mem_grow(q->nodes, q->node_cap, q->node_count + 1);
    if (ctx->failed)
        return 0;
    q->nodes[q->node_count] = node;
    return (int32_t)q->node_count++;
}

void query_drop(Reading *ctx)
{
    Query *q = ctx->query;
    q->node_count = q->item_count ? (size_t)q->items[q->item_count - 1].body + 1 : 0;
}

void query_item(Reading *ctx, const char *name, Span span, int32_t body)
{
    Query *q = ctx->query;
    ctx->failed = ctx->failed || !mem_grow(q->items, q->item_cap, q->item_count + 1);
    if (ctx->failed)
        return;
    int32_t first = q->item_count ? q->items[q->item_count - 1].body + 1 : 0;
    q->items[q->item_count++] = (QueryItem){name, span, first, body, ctx->role};
}

int32_t formula_node(Reading *ctx, FormulaNode node)
{
    Query *q = ctx->query;
    ctx->failed = ctx->failed || !mem_grow(q->formula, q->formula_cap, q->formula_count + 1);
    if (ctx->failed)
        return 0;
    q->formula[q->formula_count] = node;
    return (int32_t)q->formula_count++;
}

int32_t formula_item(Reading *ctx, Span span, int32_t body, QueryRole role)
{
    query_item(ctx, NULL, span, body);
    if (ctx->failed)
        return 0;
    ctx->query->items[ctx->query->item_count - 1].role = role;
    return (int32_t)ctx->query->item_count - 1;
}

int32_t formula_compare(Reading *ctx, int32_t node, FormulaTest test, double threshold,
                        bool probability, Span span, Span threshold_span)
{
    if (probability && !(threshold >= 0 && threshold <= 1))
        reading_error(ctx, threshold_span, "probabilities are between 0 and 1");
    if (ctx->failed)
        return node;
    FormulaNode *n = &ctx->query->formula[node];
    n->test = test;
    n->threshold = threshold;
    n->span = span;
    return node;
}
