/* Words the syntax errors of queries, and appends nodes and items: what scanner and grammar call. */
#include "parser/query/reading.h"

#include <stdarg.h>
#include <string.h>

void reading_error(Reading *ctx, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!ctx->failed)
        diag_syntax(ctx->diags, span, READING_MOST_ERRORS, &ctx->stop, format, args);
    va_end(args);
}

static bool one_of(const char *name, const char *const *list, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

/* What can stand here, in words: an operand, or an operator, brackets and the end. */
static void list_expected(const char *const *names, int count, Text *out)
{
    static const char *const operators[] =
        {"!=", "<", "<=", ">", ">=", "&&", "||", "==", "+", "-", "*", "/", "the end of the line"};
    const bool operand = one_of("(", names, count) && one_of("a number", names, count);
    const char *items[8];
    int listed = 0;
    if (operand)
        items[listed++] = "an expression";
    else if (one_of("*", names, count))
        items[listed++] = "an operator";
    for (int i = 0; i < count && !operand && listed < 8; i++)
        if (!one_of(names[i], operators, (int)(sizeof operators / sizeof *operators)))
            items[listed++] = names[i];
    for (int i = 0; i < listed; i++) {
        text_add(out, i == 0 ? "; expected " : i == listed - 1 ? " or " : ", ");
        text_add(out, strchr(items[i], ' ') ? "%s" : "`%s`", items[i]);
    }
}

void reading_unexpected(Reading *ctx, const char *found, Span span, const char *const *expected,
                        int count)
{
    Text message = {0};
    const char *text;
    int length = source_spelling(ctx->scan.source, span, &text);
    if (strncmp(found, "the ", 4) == 0)
        text_add(&message, "unexpected %s", found + 4);
    else
        text_add(&message, "unexpected `%.*s`", length, text);
    list_expected(expected, count, &message);
    if (strcmp(found, "=") == 0)
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
    q->items[q->item_count++] = (QueryItem){name, span, first, body, ROLE_MEASURE};
}
