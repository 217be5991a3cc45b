/* Words the syntax errors of probes, and appends nodes: what scanner and grammar call. */
#include "parser/probe/scanning.h"

#include <stdarg.h>
#include <string.h>

void probe_error(ProbeReading *ctx, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!ctx->failed)
        diag_syntax(ctx->diags, span, SCANNING_MOST_ERRORS, &ctx->stop, format, args);
    va_end(args);
}

static bool one_of(const char *name, const char *const *list, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

/* What can stand here, in words; where an action has ended, what can follow it is all but the
 * whole language and is not listed. */
static void list_expected(const char *const *names, int count, Text *out)
{
    if (one_of("(", names, count))
        text_add(out, "; expected an action or `(`");
    else if (one_of("*", names, count))
        text_add(out, "; expected `,`, `|` or a repetition%s",
                 one_of(")", names, count) ? ", or `)`" : "");
    else
        for (int i = 0; i < count; i++)
            text_add(out, strchr(names[i], ' ') ? "%s%s" : "%s`%s`",
                     i == 0 ? "; expected " : " or ", names[i]);
}

/* What is likely to be meant. */
static const char *advice(const char *found, const char *const *expected, int count)
{
    if (strcmp(found, "a label") == 0)
        return "; a label belongs to one action: `(a:start | b:start)`";
    if (strcmp(found, ":") == 0 && one_of("*", expected, count))
        return "; the labels are `:start` and `:stop`";
    if (strcmp(found, "a name") == 0 && one_of("|", expected, count))
        return "; a sequence is written `a, b`";
    return "";
}

void probe_unexpected(ProbeReading *ctx, const char *found, Span span, const char *const *expected,
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
    text_add(&message, "%s", advice(found, expected, count));
    if (!message.failed)
        probe_error(ctx, span, "%s", message.text);
    ctx->failed = ctx->failed || message.failed;
    text_free(&message);
}

int32_t probe_node(ProbeReading *ctx, ProbeNode node)
{
    Probe *p = ctx->probe;
    ctx->failed = ctx->failed || !mem_grow(p->nodes, p->node_cap, p->node_count + 1);
    if (ctx->failed)
        return 0;
    p->nodes[p->node_count] = node;
    return (int32_t)p->node_count++;
}
