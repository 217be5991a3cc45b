/* A scanner that keeps comments, for the layout of texts and for what can be completed. */
#include "lsp/tokens.h"

#include <string.h>

#include "parser/remark.h"

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == '\n';
}

/* Names may go on beyond ASCII: such characters are errors, but belong to the word. */
static bool is_rest(char c)
{
    return is_letter(c) || is_digit(c) || c == '_' || c == '\'' || (unsigned char)c >= 0x80;
}

/* ---- ends of tokens that begin at `at`; the text ends with a NUL --------------------------- */

static const char *line_end(const char *at, const char *end)
{
    const char *found = memchr(at, '\n', (size_t)(end - at));
    found = found ? found : end;
    while (found > at && is_blank(found[-1]))
        found--;
    return found;
}

static const char *block_end(const char *at, const char *end)
{
    for (const char *p = at + 2; p + 1 < end; p++)
        if (p[0] == '*' && p[1] == '/')
            return p + 2;
    return end;
}

static const char *number_end(const char *at)
{
    while (is_digit(*at))
        at++;
    if (*at == '.')
        at++;
    while (is_digit(*at))
        at++;
    if (*at == 'e' || *at == 'E') {
        const char *power = at + 1 + (at[1] == '+' || at[1] == '-');
        if (is_digit(*power))
            for (at = power; is_digit(*at);)
                at++;
    }
    return at;
}

static const char *sign_end(const char *at, const char *end)
{
    static const char *const pairs[] = {"||", "&&", "<=", ">=", "!=", "==", ":=", NULL};
    for (const char *const *pair = pairs; *pair; pair++)
        if (end - at >= 2 && memcmp(at, *pair, 2) == 0)
            return at + 2;
    const size_t size = source_character(at, (size_t)(end - at));
    return at + (size ? size : 1);
}

static const char *quoted_end(const char *at, const char *end)
{
    const char *p = at + 1;
    while (p < end && *p != '"' && *p != '\n')
        p++;
    return p < end && *p == '"' ? p + 1 : at + 1;
}

/* ---- one token ------------------------------------------------------------------------------- */

/* The end of the token at `at`, and its kind.  first: only blanks stand before it in its line */
typedef const char *TokenEnd(const char *at, const char *end, bool first, TokenKind *kind);

static const char *model_token_end(const char *at, const char *end, bool first, TokenKind *kind)
{
    *kind = TOKEN_SIGN;
    if (*at == '%') {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const bool mark = first && remark_rate_line(at + 1, stop ? stop : end);
        *kind = mark ? TOKEN_MARK : TOKEN_LINE_COMMENT;
        return mark ? at + 1 : line_end(at, end);
    }
    if (end - at >= 2 && at[0] == '/' && (at[1] == '/' || at[1] == '*')) {
        *kind = at[1] == '/' ? TOKEN_LINE_COMMENT : TOKEN_BLOCK_COMMENT;
        return at[1] == '/' ? line_end(at, end) : block_end(at, end);
    }
    if (is_letter(*at)) {
        *kind = TOKEN_WORD;
        while (at < end && is_rest(*at))
            at++;
        return at;
    }
    if (is_digit(*at) || (*at == '.' && is_digit(at[1]))) {
        *kind = TOKEN_NUMBER;
        return number_end(at);
    }
    if (*at == '"') {
        const char *stop = quoted_end(at, end);
        *kind = stop > at + 1 ? TOKEN_QUOTED : TOKEN_SIGN;
        return stop;
    }
    return sign_end(at, end);
}

static const char *description_token_end(const char *at, const char *end, bool first,
                                         TokenKind *kind)
{
    static const char signs[] = "{}(),;=";
    (void)first;
    *kind = *at == '#' ? TOKEN_LINE_COMMENT : TOKEN_SIGN;
    if (*at == '#')
        return line_end(at, end);
    if (*at == '"') {
        const char *stop = quoted_end(at, end);
        *kind = stop > at + 1 ? TOKEN_QUOTED : TOKEN_SIGN;
        return stop;
    }
    if (*at && strchr(signs, *at))
        return at + 1;
    *kind = TOKEN_WORD;
    do
        at++;
    while (at < end && !is_blank(*at) && *at != '#' && *at != '"' && !(*at && strchr(signs, *at)));
    return at;
}

/* ---- cutting --------------------------------------------------------------------------------- */

static bool cut(Tokens *tokens, const Source *source, TokenEnd *token_end)
{
    const char *text = source->text, *end = text + source->length;
    const char *at = text + source_start(source);
    uint32_t lines = 0;
    bool first = true; /* in its line, but for blanks */
    while (at < end) {
        if (is_blank(*at)) {
            lines += *at == '\n';
            first = first || *at == '\n';
            at++;
            continue;
        }
        Token token = {.lines = lines};
        const char *stop = token_end(at, end, first, &token.kind);
        token.span = (Span){(uint32_t)(at - text), (uint32_t)(stop - text)};
        if (!mem_grow(tokens->each, tokens->cap, tokens->count + 1))
            return false;
        tokens->each[tokens->count++] = token;
        at = stop;
        lines = 0;
        first = false;
    }
    return true;
}

bool tokens_of_model(Tokens *tokens, const Source *source)
{
    return cut(tokens, source, model_token_end);
}

bool tokens_of_description(Tokens *tokens, const Source *source)
{
    return cut(tokens, source, description_token_end);
}

bool token_is(const Source *source, const Token *token, const char *text)
{
    const size_t length = token->span.end - token->span.begin;
    return strlen(text) == length && memcmp(source->text + token->span.begin, text, length) == 0;
}

void tokens_free(Tokens *tokens)
{
    mem_free(tokens->each);
    *tokens = (Tokens){0};
}
