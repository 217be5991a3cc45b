/* Between scanner and grammar: where statements begin, and the semicolon that was forgotten. */
#include <ctype.h>
#include <string.h>

#include "parser/parsing.h"
#include "pepa.tab.h"

/* ---- is a `%` line a definition or a remark? --------------------------------------------- */

static const char *blanks(const char *text, const char *end)
{
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    return text;
}

static bool name_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '\'';
}

/* Behind the operand (a name or a number) at `text`; `text` itself if there is none. */
static const char *operand(const char *text, const char *end)
{
    if (text < end && (isdigit((unsigned char)*text) || *text == '.')) {
        for (; text < end && (isalnum((unsigned char)*text) || *text == '.'); text++)
            if ((*text == 'e' || *text == 'E') && end - text > 1 && strchr("+-", text[1]))
                text++;
        return text;
    }
    while (text < end && name_byte(*text))
        text++;
    return text;
}

/* Operands and operators take turns, brackets match, and a semicolon ends it. */
static bool expression_line(const char *text, const char *end)
{
    int open = 0;
    bool need = true; /* an operand */
    for (text = blanks(text, end); text < end; text = blanks(text, end)) {
        char c = *text;
        const char *behind = operand(text, end);
        if (need && behind > text) {
            bool call = name_byte(c) && blanks(behind, end) < end && *blanks(behind, end) == '(';
            text = call ? blanks(behind, end) : behind;
            need = call;
            if (call) {
                open++;
                text++;
            }
            continue;
        }
        text++;
        if (need && c == '(')
            open++;
        else if (!need && c == ')' && open > 0)
            open--;
        else if (!need && c == ';')
            return open == 0;
        else if (!need && (strchr("+-*/", c) || (c == ',' && open > 0)))
            need = true;
        else if (!need || c != '-')
            return false;
    }
    return false;
}

bool scan_rate_line(const char *text, const char *end)
{
    text = blanks(text, end);
    if (text == end || !islower((unsigned char)*text))
        return false;
    text = blanks(operand(text, end), end);
    if (end - text > 2 && text[0] == ':')
        text++;
    return end - text > 1 && text[0] == '=' && expression_line(text + 1, end);
}

/* ---- tokens ------------------------------------------------------------------------------ */

static bool is_name(int token)
{
    return token == TOKEN_LOWER || token == TOKEN_UPPER || token == TOKEN_QUOTED;
}

/* Can a definition end with this token? */
static bool may_end(int token)
{
    return is_name(token) || token == TOKEN_NUMBER || token == TOKEN_RPAREN ||
           token == TOKEN_RBRACE || token == TOKEN_RBRACKET || token == TOKEN_GREATER ||
           token == TOKEN_UNDERSCORE;
}

/* `name =` or `#`: only a definition begins like that. */
static bool begins_definition(const Parsing *ctx, int token, Span span)
{
    if (token == TOKEN_HASH)
        return true;
    const char *text = ctx->source->text + span.end, *end = ctx->source->text + ctx->source->length;
    while (text < end && isspace((unsigned char)*text))
        text++;
    if (text < end && *text == ':')
        text++;
    return is_name(token) && text < end && *text == '=';
}

static void begin_statement(Parsing *ctx)
{
    ctx->tokens = 0;
    ctx->head = TOKEN_END;
    ctx->open = 0;
    ctx->failed = false;
}

static int follow(Parsing *ctx, int token, Span span)
{
    if (ctx->previous == TOKEN_SEMICOLON)
        begin_statement(ctx);
    if (token == TOKEN_LPAREN || token == TOKEN_LBRACE || token == TOKEN_LBRACKET)
        ctx->open++;
    if (token == TOKEN_RPAREN || token == TOKEN_RBRACE || token == TOKEN_RBRACKET)
        ctx->open--;
    ctx->failed = ctx->failed || token == TOKEN_PEPA_YYerror;
    if (ctx->tokens++ == 0 && token != TOKEN_HASH) {
        ctx->head = token;
        ctx->head_span = span;
    }
    ctx->before_span = ctx->previous_span;
    ctx->previous = token;
    ctx->previous_span = span;
    return token;
}

int pepa_yylex(PEPA_YYSTYPE *value, Span *span, Parsing *ctx)
{
    if (ctx->stop || ctx->build.failed)
        return TOKEN_END;
    if (ctx->held) {
        ctx->held = false;
        value->name = ctx->held_name;
        *span = ctx->held_span;
        return follow(ctx, ctx->held_token, *span);
    }
    int token = pepa_scan(value, span, ctx->scanner);
    if (token == TOKEN_END)
        *span = (Span){(uint32_t)ctx->source->length, (uint32_t)ctx->source->length};
    if (ctx->open > 0 || !may_end(ctx->previous) || !begins_definition(ctx, token, *span))
        return follow(ctx, token, *span);
    Span gap = {ctx->previous_span.end, ctx->previous_span.end};
    if (!ctx->failed)
        syntax_slip(ctx, gap, "missing `;`");
    ctx->held = true;
    ctx->held_token = token;
    ctx->held_span = *span;
    ctx->held_name = token == TOKEN_HASH ? NULL : value->name;
    *span = gap;
    return follow(ctx, TOKEN_SEMICOLON, gap);
}
