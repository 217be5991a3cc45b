/* The words of PEPA text for ref_parse. */
#include "property/ref_parsing.h"

#include "property/room.h"

#include <ctype.h>
#include <string.h>

void ref_wrong(RefParser *p, const char *error)
{
    if (p->error)
        return;
    p->error = error;
    p->where = p->token ? p->token[p->at].where : 0;
}

static const char *skip_blanks(const char *at)
{
    for (;;) {
        if (isspace((unsigned char)*at))
            at++;
        else if (*at == '%' || strncmp(at, "//", 2) == 0)
            at += strcspn(at, "\n");
        else if (strncmp(at, "/*", 2) == 0)
            at = strstr(at, "*/") ? strstr(at, "*/") + 2 : at + strlen(at);
        else
            return at;
    }
}

static bool starts_name(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static bool continues_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '\'';
}

static RefToken next_token(const char *at)
{
    static const char *const two[] = {":=", "||", "&&", "==", "<=", ">=", "!="};
    RefToken token = {*at ? TOKEN_SIGN : TOKEN_END, at, *at ? 1 : 0, 0};
    char *end = NULL;
    if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1]))) {
        (void)strtod(at, &end);
        token = (RefToken){TOKEN_NUMBER, at, (size_t)(end - at), 0};
    } else if (starts_name(*at)) {
        token.kind = TOKEN_NAME;
        while (continues_name(at[token.length]))
            token.length++;
    } else if (*at == '"') {
        token = (RefToken){TOKEN_NAME, at + 1, strcspn(at + 1, "\"\n"), 0};
    }
    for (size_t i = 0; i < sizeof two / sizeof *two; i++)
        if (strncmp(at, two[i], 2) == 0)
            token.length = 2;
    return token;
}

void ref_read_tokens(RefParser *p, const char *text)
{
    const char *at = text;
    for (RefToken token = {.kind = TOKEN_SIGN}; token.kind != TOKEN_END;) {
        at = skip_blanks(at);
        token = next_token(at);
        token.where = (size_t)(at - text);
        at = token.text + token.length + (*at == '"' && token.text[token.length] == '"');
        if (!mem_grow(p->token, p->cap, p->tokens + 1))
            abort();
        p->token[p->tokens++] = token;
    }
}

const RefToken *ref_ahead(const RefParser *p, size_t by)
{
    return &p->token[p->at + by < p->tokens ? p->at + by : p->tokens - 1];
}

bool ref_is(const RefToken *token, const char *text)
{
    return token->kind != TOKEN_END && token->length == strlen(text) &&
           memcmp(token->text, text, token->length) == 0;
}

bool ref_peek(const RefParser *p, const char *text)
{
    return ref_is(ref_ahead(p, 0), text);
}

bool ref_accept(RefParser *p, const char *text)
{
    const bool found = ref_peek(p, text);
    p->at += found;
    return found;
}

void ref_need(RefParser *p, const char *text)
{
    if (!ref_accept(p, text))
        ref_wrong(p, "another sign is expected here");
}

static const char *spelt(RefParser *p, const RefToken *token)
{
    const char *copy = arena_copy(&p->arena, token->text, token->length);
    if (!copy)
        abort();
    return copy;
}

const char *ref_take_name(RefParser *p)
{
    const RefToken *token = ref_ahead(p, 0);
    if (token->kind != TOKEN_NAME) {
        ref_wrong(p, "a name is expected here");
        return "";
    }
    p->at++;
    return spelt(p, token);
}
