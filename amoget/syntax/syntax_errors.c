/* Syntax errors in words: what is wrong, and where we can guess it, what was meant. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "amoget/syntax/parser.h"
#include "base/intern.h"
#include "base/unexpected.h"
#include "desc.tab.h"

void parser_error(Parser *ctx, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!ctx->tree->failed)
        diag_syntax(ctx->diags, span, PARSER_MAX_ERRORS, &ctx->stop, format, args);
    va_end(args);
}

void parser_slip(Parser *ctx, Span span, const char *message)
{
    size_t before = ctx->diags->errors;
    parser_error(ctx, span, "%s", message);
    ctx->slips += ctx->diags->errors - before;
}

/* The tokens that could stand here, by the grammar's names for them. */
typedef struct {
    const char *const *names;
    int count;
    bool network; /* behind `latency` or `bandwidth` */
} Expected;

static const char *const starts[] = {"pipeline", "processors", "network",  "mappings", "input",
                                     "output",   "sharing",    "transfer", "include",  "program"};
enum { STARTS = sizeof starts / sizeof *starts };

static bool has(Expected expected, const char *name)
{
    return name_among(name, expected.names, expected.count);
}

static bool is_keyword(const char *name)
{
    return name[0] >= 'a' && name[0] <= 'z' && !strchr(name, ' ');
}

/* What goes without saying: keywords where any name will do, all that only slips allow. */
static bool unspoken(Expected expected, const char *name)
{
    static const char *const behind_slips[] = {"stage", "latency", "bandwidth", "(", "}"};
    bool reserved = strcmp(name, "default") == 0 || strcmp(name, "local") == 0;
    if (strcmp(name, "the end of the text") == 0 || strcmp(name, "=") == 0)
        return true;
    if (has(expected, "the end of the text")) /* at top level */
        return !name_among(name, starts, STARTS) && strcmp(name, "a name") != 0;
    if (has(expected, "a name"))
        return (is_keyword(name) && !(reserved && expected.network)) || strcmp(name, "a unit") == 0;
    return has(expected, ";") &&
           name_among(name, behind_slips, sizeof behind_slips / sizeof *behind_slips);
}

/* How to call it in a list; NULL: another's name stands for it. */
static const char *called(Expected expected, const char *name)
{
    bool integer = strcmp(name, "an integer") == 0, word = strcmp(name, "a name") == 0;
    if (strcmp(name, "a number") == 0)
        return "a value";
    if (has(expected, "a number") && (integer || word))
        return NULL;
    if (word && has(expected, "the end of the text"))
        return "a definition";
    return integer ? NULL : name;
}

/* "; expected `;` or a unit" */
static void list_expected(Expected expected, Text *out)
{
    enum { TOKENS = 64 }; /* more than the grammar has */
    const char *items[TOKENS];
    int count = 0;
    for (int i = 0; i < expected.count && i < TOKENS; i++) {
        const char *name = expected.names[i];
        name = unspoken(expected, name) ? NULL : called(expected, name);
        if (name)
            items[count++] = name;
    }
    unexpected_wanted(items, count, out);
}

/* What was meant by a word that cannot stand here; NULL: nothing known is near. */
static const char *meant(const char *word, Expected expected)
{
    enum { TOKENS = 64 };
    const char *keywords[TOKENS] = {0};
    size_t count = 0;
    for (int i = 0; i < expected.count && i < TOKENS; i++)
        if (is_keyword(expected.names[i]))
            keywords[count++] = expected.names[i];
    const char *nearest = suggest(word, keywords, count);
    const Unit *unit = nearest || !has(expected, "a unit") ? NULL : unit_nearest(word);
    return unit ? unit->name : nearest;
}

static void generic(Parser *ctx, const char *found, Span span, Expected expected)
{
    Text message = {0};
    const char *word = NULL;
    unexpected_found(ctx->scan.source, found, span, &message);
    if (strcmp(found, "a name") == 0)
        word = meant(ctx->last.word.text, expected);
    if (word)
        text_add(&message, "; did you mean `%s`?", word);
    else
        list_expected(expected, &message);
    if (message.failed)
        ctx->tree->failed = true;
    else
        parser_error(ctx, span, "%s", message.text);
    text_free(&message);
}

/* ---- what was meant ----------------------------------------------------------------------- */

/* A statement that begins like none of those that can stand at top level. */
static bool advise_statement(Parser *ctx, Expected expected)
{
    static const struct {
        int token;
        const char *block;
    } homes[] = {{TOKEN_STAGE, "pipeline"},
                 {TOKEN_WORK, "pipeline"},
                 {TOKEN_PHASES, "pipeline"},
                 {TOKEN_LATENCY, "network"},
                 {TOKEN_BANDWIDTH, "network"}};
    const Token *head = &ctx->head;
    const char *text;
    int length = source_spelling(ctx->scan.source, head->word.span, &text);
    if (expected.count != 1 || !has(expected, "=") || !head->word.text)
        return false;
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++)
        if (homes[i].token == head->token) {
            parser_error(ctx, head->word.span, "`%.*s` belongs in the block `%s { ... }`", length,
                         text, homes[i].block);
            return true;
        }
    const char *meant = suggest(head->word.text, starts, STARTS);
    if (meant)
        parser_error(ctx, head->word.span, "unknown keyword `%.*s`; did you mean `%s`?", length,
                     text, meant);
    else
        parser_error(ctx, head->word.span,
                     "unknown keyword `%.*s`; a definition is written `name = value;`", length,
                     text);
    return true;
}

static bool is_attribute(int token)
{
    return token == TOKEN_WORK || token == TOKEN_OUTPUT || token == TOKEN_PHASES ||
           token == TOKEN_TIME || token == TOKEN_AVAILABILITY || token == TOKEN_CORES ||
           token == TOKEN_MEMORY;
}

/* `time availability 0.5`: the grammar took the second keyword for the name of a definition. */
static bool advise_value(Parser *ctx, const char *found)
{
    const Token *value = &ctx->before;
    bool number = strcmp(found, "a number") == 0 || strcmp(found, "an integer") == 0;
    bool head = value->word.span.begin == ctx->head.word.span.begin;
    if (!number || head || !is_attribute(value->token) || ctx->depth == 0)
        return false;
    parser_error(ctx, value->word.span, "a value is missing before `%s`", value->word.text);
    return true;
}

Kind parser_kind(int token)
{
    switch (token) {
    case TOKEN_TIME:
    case TOKEN_LATENCY:
    case TOKEN_MAX_AGE:
        return KIND_TIME;
    case TOKEN_OUTPUT:
    case TOKEN_SIZE:
        return KIND_SIZE;
    case TOKEN_BANDWIDTH:
        return KIND_BANDWIDTH;
    default:
        return KIND_PLAIN;
    }
}

/* `5 sec`: a word behind a number that is nearest to no keyword is meant as its unit. */
static bool advise_unit(Parser *ctx, const char *found, Expected expected)
{
    const char *word = ctx->last.word.text;
    const Kind kind = parser_kind(ctx->attribute);
    bool number = ctx->before.token == TOKEN_NUMBER || ctx->before.token == TOKEN_INTEGER;
    if (strcmp(found, "a name") != 0 || !number || !has(expected, "a unit") ||
        (kind == KIND_PLAIN && ctx->attribute != 0) || meant(word, expected))
        return false;
    parser_error(ctx, ctx->last.word.span, "unknown unit `%.60s`%s", word, units_known(kind));
    return true;
}

/* `Name = (activity, rate)...`: said once, a model has many. */
static bool advise_model(Parser *ctx, const char *found, Span span)
{
    if (ctx->model || ctx->before.token != TOKEN_ASSIGN || strcmp(found, "(") != 0)
        return false;
    parser_error(ctx, span, "unexpected `(`; expected a value; PEPA models are for `pepa solve`");
    return ctx->model = true;
}

static bool new_line_between(const Parser *ctx, uint32_t begin, uint32_t end)
{
    return begin < end && memchr(ctx->scan.source->text + begin, '\n', end - begin) != NULL;
}

void parser_unexpected(Parser *ctx, const char *found, Span span, const char *const *names,
                       int count)
{
    int before = ctx->before.token;
    Expected expected = {names, count, before == TOKEN_LATENCY || before == TOKEN_BANDWIDTH};
    uint32_t gap = ctx->before.word.span.end;
    ctx->skip = strcmp(found, "{") == 0;
    ctx->failed = true;
    if (strcmp(found, "the end of the text") == 0 && ctx->depth > 0)
        parser_error(ctx, ctx->open, "this `{` is never closed");
    else if (strcmp(found, "}") == 0 && ctx->depth == 0 && has(expected, "the end of the text"))
        parser_error(ctx, span, "unexpected `}`: no block is open");
    else if (has(expected, ";") && new_line_between(ctx, gap, span.begin))
        parser_error(ctx, (Span){gap, gap}, "missing `;`");
    else if (!advise_statement(ctx, expected) && !advise_value(ctx, found) &&
             !advise_unit(ctx, found, expected) && !advise_model(ctx, found, span))
        generic(ctx, found, span, expected);
}
