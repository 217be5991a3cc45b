/* Between scanner and grammar: units, and braces that were forgotten. */
#include <ctype.h>
#include <string.h>

#include "amoget/syntax/parser.h"
#include "desc.tab.h"

static bool is_block(int token)
{
    return token == TOKEN_PIPELINE || token == TOKEN_PROCESSORS || token == TOKEN_NETWORK ||
           token == TOKEN_MAPPINGS || token == TOKEN_PROGRAM;
}

static bool brace_follows(const Parser *ctx, Span span)
{
    const char *text = ctx->scan.source->text + span.end,
               *end = ctx->scan.source->text + ctx->scan.source->length;
    while (text < end && isspace((unsigned char)*text))
        text++;
    return text < end && *text == '{';
}

/* A word behind a number is its unit if it is glued to it or known as one. */
static bool is_unit(const Parser *ctx, const Token *token)
{
    bool number = ctx->last.token == TOKEN_INTEGER || ctx->last.token == TOKEN_NUMBER;
    return number && token->token == TOKEN_WORD &&
           (ctx->last.word.span.end == token->word.span.begin ||
            unit_find(token->word.text, strlen(token->word.text)));
}

static Token scan(Parser *ctx)
{
    if (ctx->held.token) {
        Token held = ctx->held;
        ctx->held = (Token){0};
        return held;
    }
    DESC_YYSTYPE value = {0};
    Span span;
    int kind = desc_scan(&value, &span, ctx->scan.scanner);
    if (kind == TOKEN_END)
        span = (Span){(uint32_t)ctx->scan.source->length, (uint32_t)ctx->scan.source->length};
    Token token = value.token;
    token.token = kind;
    token.word.span = span;
    if (is_unit(ctx, &token))
        token.token = TOKEN_UNIT;
    return token;
}

/* A block can only begin where none is open. */
static bool block_begins(const Parser *ctx, const Token *token)
{
    return is_block(token->token) && brace_follows(ctx, token->word.span);
}

/* To the end of a block that should not be there: `;` in its place. */
static Token skip_block(Parser *ctx)
{
    Token token = scan(ctx);
    for (int depth = 1; token.token != TOKEN_END && !block_begins(ctx, &token); token = scan(ctx)) {
        depth += (token.token == TOKEN_LBRACE) - (token.token == TOKEN_RBRACE);
        if (depth == 0)
            return (Token){TOKEN_SEMICOLON, {NULL, token.word.span}, 0};
    }
    ctx->held = token;
    return (Token){TOKEN_SEMICOLON, {NULL, {token.word.span.begin, token.word.span.begin}}, 0};
}

static void close_block(Parser *ctx, Token *token)
{
    Span gap = {ctx->last.word.span.end, ctx->last.word.span.end};
    parser_slip(ctx, gap, "missing `}`: a block cannot stand in another");
    ctx->held = *token;
    *token = (Token){TOKEN_RBRACE, {NULL, gap}, 0};
}

static bool has_value(int token)
{
    return parser_kind(token) != KIND_PLAIN || token == TOKEN_WORK || token == TOKEN_PHASES ||
           token == TOKEN_AVAILABILITY || token == TOKEN_CORES;
}

static void follow(Parser *ctx, const Token *token)
{
    int last = ctx->last.token;
    if (last == 0 || last == TOKEN_SEMICOLON || last == TOKEN_LBRACE || last == TOKEN_RBRACE) {
        ctx->head = *token;
        ctx->attribute = 0;
        ctx->failed = false;
    }
    if (has_value(token->token))
        ctx->attribute = token->token;
    if (token->token == TOKEN_LBRACE && ctx->depth++ == 0)
        ctx->open = token->word.span;
    if (token->token == TOKEN_RBRACE && ctx->depth > 0)
        ctx->depth--;
    ctx->failed = ctx->failed || token->token == TOKEN_DESC_YYerror;
    ctx->before = ctx->last;
    ctx->last = *token;
}

int desc_yylex(DESC_YYSTYPE *value, Span *span, Parser *ctx)
{
    if (ctx->stop || ctx->tree->failed)
        return TOKEN_END;
    Token token = ctx->skip ? skip_block(ctx) : scan(ctx);
    if (token.token == TOKEN_LBRACE && ctx->failed)
        token = skip_block(ctx);
    else if (ctx->skip)
        ctx->depth--; /* the brace that made it skip was counted */
    else if (ctx->depth > 0 && block_begins(ctx, &token))
        close_block(ctx, &token);
    ctx->skip = false;
    follow(ctx, &token);
    value->token = token;
    *span = token.word.span;
    return token.token;
}
