/* Words the syntax errors of probes, and appends nodes: what scanner and grammar call. */
#include "parser/probe/scanning.h"

#include <stdarg.h>
#include <string.h>

#include "base/unexpected.h"

void probe_error(ProbeReading *ctx, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!ctx->failed)
        diag_syntax(ctx->diags, span, SCANNING_MOST_ERRORS, &ctx->stop, format, args);
    va_end(args);
}

/* What can stand here, in words; where an action has ended, what can follow it is all but the
 * whole language and is not listed. */
static void list_expected(const char *const *names, int count, Text *out)
{
    if (name_among("(", names, count))
        text_add(out, "; expected an action or `(`");
    else if (name_among("*", names, count))
        text_add(out, "; expected `,`, `|` or a repetition%s",
                 name_among(")", names, count) ? ", or `)`" : "");
    else
        unexpected_wanted(names, count, out);
}

/* What is likely to be meant. */
static const char *advice(const char *found, const char *const *expected, int count)
{
    if (strcmp(found, "a label") == 0)
        return "; a label belongs to one action: `(a:start | b:start)`";
    if (strcmp(found, ":") == 0 && name_among("*", expected, count))
        return "; the labels are `:start` and `:stop`";
    if (strcmp(found, "a name") == 0 && name_among("|", expected, count))
        return "; a sequence is written `a, b`";
    return "";
}

void probe_unexpected(ProbeReading *ctx, const char *found, Span span, const char *const *expected,
                      int count)
{
    Text message = {0};
    unexpected_found(ctx->scan.source, found, span, &message);
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
