/* Hands tokens from the scanner to the grammar; sees where statements begin, and inserts semicolons
 * that are missing. */
#include <ctype.h>
#include <string.h>

#include "parser/parsing.h"
#include "pepa.tab.h"

/* ---- tokens ------------------------------------------------------------------------------ */

static bool is_name(int token)
{
    return token == TOKEN_LOWER || token == TOKEN_UPPER || token == TOKEN_QUOTED ||
           token == TOKEN_BARE || token == TOKEN_INDEXED;
}

/* Can a definition end with this token? */
static bool may_end(int token)
{
    return is_name(token) || token == TOKEN_NUMBER || token == TOKEN_RPAREN ||
           token == TOKEN_RBRACE || token == TOKEN_RBRACKET || token == TOKEN_GREATER ||
           token == TOKEN_UNDERSCORE;
}

static const char *end_of(const Parsing *ctx)
{
    return ctx->scan.source->text + ctx->scan.source->length;
}

/* What follows the comment that begins here; `text`: none does.  `% name = 1;` counts as one: no definition goes on after it. */
static const char *skip_comment(const char *text, const char *end)
{
    const bool slash = end - text > 1 && text[0] == '/', whole = slash && text[1] == '*';
    const char *at = text + 2;
    if (whole) {
        while (end - at > 1 && !(at[0] == '*' && at[1] == '/'))
            at++;
        return end - at > 1 ? at + 2 : end;
    }
    if (!(slash && text[1] == '/') && !(text < end && *text == '%'))
        return text;
    const char *line = memchr(text, '\n', (size_t)(end - text));
    return line ? line : end;
}

/* The first character from `text` on that is no blank and in no comment. */
static const char *skip_blanks(const Parsing *ctx, const char *text)
{
    const char *end = end_of(ctx);
    for (const char *next = text;; text = next) {
        while (next < end && isspace((unsigned char)*next))
            next++;
        next = skip_comment(next, end);
        if (next == text)
            return text;
    }
}

/* `name =` or `#`: only a definition begins like that.  Sets *compared: it is `name ==`, which may be a condition. */
static bool begins_definition(const Parsing *ctx, int token, Span span, bool *compared)
{
    *compared = false;
    if (token == TOKEN_HASH)
        return true;
    const char *end = end_of(ctx), *text = skip_blanks(ctx, ctx->scan.source->text + span.end);
    if (text < end && *text == ':')
        text++;
    *compared = end - text > 1 && strncmp(text, "==", 2) == 0;
    return is_name(token) && text < end && *text == '=';
}

/* Must the statement have ended before this token?  Sets *missing: all that lacks is a `;`. */
static bool ends_before(const Parsing *ctx, int token, Span span, bool *missing)
{
    if (ctx->tokens == 0 || ctx->previous == TOKEN_SEMICOLON || ctx->previous == TOKEN_HASH)
        return false;
    bool compared, definition = begins_definition(ctx, token, span, &compared);
    bool line = syntax_new_line(ctx, ctx->previous_span.end, span.begin);
    bool closed = ctx->open <= 0 && may_end(ctx->previous);
    /* after a `)` the `.` may be missing, after a `>` it may be a cooperation that goes on */
    bool system =
        line && is_name(token) && ctx->previous != TOKEN_RPAREN && ctx->previous != TOKEN_GREATER;
    *missing = closed && !ctx->failed;
    if (definition && ctx->failed)
        return line || !compared;
    return definition ? closed || line : closed && system;
}

/* Is a `;` written where a `,` is meant, as in `(a; r)`: after the first name in brackets that are
 * closed on the same line? */
static bool means_comma(const Parsing *ctx, Span span)
{
    bool opened = ctx->before == TOKEN_LPAREN || ctx->before == TOKEN_LBRACE ||
                  ctx->before == TOKEN_LESS || ctx->before == TOKEN_LBRACKET;
    const char *text = ctx->scan.source->text + span.end, *end = end_of(ctx);
    while (text < end && !strchr(")}>];=\n", *text))
        text++;
    return opened && is_name(ctx->previous) && text < end && strchr(")}>]", *text);
}

/* A name is an action without a rate, or one with a priority, if what follows it says so: `a.P`,
 * `a[2].P`, `(a[2], r)`. */
static int what_name(const Parsing *ctx, int token, Span span)
{
    const char *end = end_of(ctx), *text = skip_blanks(ctx, ctx->scan.source->text + span.end);
    if (text < end && *text == '.')
        return ctx->previous == TOKEN_COMMA ? token : TOKEN_BARE; /* `(a, r.P`: a `)` is missing */
    if (text == end || *text != '[')
        return token;
    while (text < end && *text != ']' && *text != ';' && *text != '\n') {
        const char *next = skip_comment(text, end);
        text = next > text ? next : text + 1;
    }
    if (text == end || *text != ']')
        return token;
    text = skip_blanks(ctx, text + 1);
    return text == end ? token : *text == '.' ? TOKEN_BARE : *text == ',' ? TOKEN_INDEXED : token;
}

static void begin_statement(Parsing *ctx)
{
    ctx->tokens = 0;
    ctx->head = TOKEN_END;
    ctx->head_name = NULL;
    ctx->open = 0;
    ctx->failed = false;
    ctx->argument_count = 0;
}

static void count_brackets(Parsing *ctx, int token)
{
    static const int opening[] = {TOKEN_LPAREN, TOKEN_LBRACE, TOKEN_LBRACKET, TOKEN_LESS};
    static const int closing[] = {TOKEN_RPAREN, TOKEN_RBRACE, TOKEN_RBRACKET, TOKEN_GREATER};
    for (size_t i = 0; i < sizeof opening / sizeof *opening; i++)
        ctx->open += (token == opening[i]) - (token == closing[i]);
}

static int follow(Parsing *ctx, int token, Span span, const char *name)
{
    if (ctx->previous == TOKEN_SEMICOLON)
        begin_statement(ctx);
    count_brackets(ctx, token);
    ctx->failed = ctx->failed || token == TOKEN_PEPA_YYerror;
    const bool first = ctx->tokens == 0 || (ctx->tokens == 1 && ctx->previous == TOKEN_HASH);
    ctx->tokens++;
    if (first && token != TOKEN_HASH) {
        ctx->head = token;
        ctx->head_span = span;
        ctx->head_name = name;
    }
    ctx->before = ctx->previous;
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
        return follow(ctx, ctx->held_token, *span, ctx->held_name);
    }
    int token = pepa_scan(value, span, ctx->scan.scanner);
    const char *name = is_name(token) ? value->name : NULL;
    if (is_name(token))
        token = what_name(ctx, token, *span);
    if (token == TOKEN_END)
        *span = (Span){(uint32_t)ctx->scan.source->length, (uint32_t)ctx->scan.source->length};
    if (token == TOKEN_SEMICOLON && means_comma(ctx, *span)) {
        if (!ctx->failed)
            syntax_error(ctx, *span, "unexpected `;` in brackets: write `,`");
        return follow(ctx, TOKEN_COMMA, *span, NULL);
    }
    bool missing;
    if (!ends_before(ctx, token, *span, &missing))
        return follow(ctx, token, *span, name);
    Span gap = {ctx->previous_span.end, ctx->previous_span.end};
    if (missing)
        syntax_missing(ctx, gap);
    ctx->held = true;
    ctx->held_token = token;
    ctx->held_span = *span;
    ctx->held_name = name;
    *span = gap;
    return follow(ctx, TOKEN_SEMICOLON, gap, NULL);
}
