/* Follows the brackets of a model, statement by statement. */
#include "lsp/context.h"

#include <string.h>

enum { MOST_OPEN = 64 }; /* brackets that are told apart */

typedef struct {
    const Source *source;
    const Tokens *tokens;
    Context stack[MOST_OPEN];
    size_t depth; /* of the stack, at least 1; deeper ones count, but are not kept */
    bool empty;   /* nothing stands behind the innermost bracket yet */
    bool ok;
} Follow;

static const Token *token(const Follow *follow, size_t i)
{
    return &follow->tokens->each[i];
}

static bool is(const Follow *follow, size_t i, const char *text)
{
    return i < follow->tokens->count && token_is(follow->source, token(follow, i), text);
}

static bool is_name(const Token *of)
{
    return of->kind == TOKEN_WORD || of->kind == TOKEN_QUOTED;
}

static Context *top(Follow *follow)
{
    return &follow->stack[(follow->depth < MOST_OPEN ? follow->depth : MOST_OPEN) - 1];
}

static void open(Follow *follow, Context inside)
{
    if (follow->depth < MOST_OPEN)
        follow->stack[follow->depth] = inside;
    follow->depth++;
    follow->empty = true;
}

static void close(Follow *follow)
{
    if (follow->depth > 1)
        follow->depth--;
}

static void begin(Follow *follow)
{
    follow->depth = 1;
    follow->stack[0] = CONTEXT_START;
    follow->empty = true;
}

/* ---- names --------------------------------------------------------------------------------- */

static void keep(Follow *follow, Intern *names, size_t i)
{
    const Span span = token(follow, i)->span;
    follow->ok = follow->ok &&
                 intern_put(names, follow->source->text + span.begin, span.end - span.begin) >= 0;
}

/* Token i is a name: what does it name? */
static void note(Follow *follow, Contexts *contexts, size_t i)
{
    const Context at = *top(follow);
    const bool defined = is(follow, i + 1, "=") || is(follow, i + 1, ":=");
    const char first = follow->source->text[token(follow, i)->span.begin];
    if (at == CONTEXT_START && defined)
        keep(follow, first >= 'a' ? &contexts->rates : &contexts->processes, i);
    else if (at == CONTEXT_SET || (at == CONTEXT_ACTIVITY && is(follow, i + 1, ",")) ||
             ((at == CONTEXT_PROCESS || at == CONTEXT_ACTIVITY) && is(follow, i + 1, ".")))
        keep(follow, &contexts->actions, i);
}

/* ---- contexts ------------------------------------------------------------------------------ */

static bool is_one_of(const Follow *follow, size_t i, const char *const *list)
{
    for (; *list; list++)
        if (is(follow, i, *list))
            return true;
    return false;
}

static void follow_bracket(Follow *follow, size_t i)
{
    static const char *const closing[] = {")", "]", "}", NULL};
    const Context at = *top(follow);
    const bool rate = at == CONTEXT_RATE;
    if (is(follow, i, "("))
        open(follow, rate ? CONTEXT_RATE : CONTEXT_ACTIVITY);
    else if (is(follow, i, "{") || (is(follow, i, "<") && !rate))
        open(follow, CONTEXT_SET);
    else if (is(follow, i, "["))
        open(follow, i > 0 && is(follow, i - 1, "]") ? CONTEXT_SET : CONTEXT_RATE);
    else if (is_one_of(follow, i, closing) || (is(follow, i, ">") && at == CONTEXT_SET))
        close(follow);
}

/* The context behind token i. */
static void pass(Follow *follow, Contexts *contexts, size_t i)
{
    static const char *const component[] = {".", "+", "||", "<", "[", "/", NULL};
    Context *at = top(follow);
    const bool starts = token(follow, i)->lines > 0 && is_name(token(follow, i)) &&
                        (is(follow, i + 1, "=") || is(follow, i + 1, ":="));
    if (starts && *at != CONTEXT_RATE) {
        begin(follow);
        at = top(follow);
    }
    if (is_name(token(follow, i)))
        note(follow, contexts, i);
    follow->empty = false;
    if (is(follow, i, ";")) {
        begin(follow);
    } else if (*at == CONTEXT_START && (is(follow, i, "=") || is(follow, i, ":="))) {
        const char first = i > 0 ? follow->source->text[token(follow, i - 1)->span.begin] : 'P';
        *at = first >= 'a' ? CONTEXT_RATE : CONTEXT_PROCESS;
    } else if (*at == CONTEXT_ACTIVITY && is(follow, i, ",")) {
        *at = CONTEXT_RATE;
    } else {
        if (*at == CONTEXT_ACTIVITY && is_one_of(follow, i, component))
            *at = CONTEXT_PROCESS;
        if (*at == CONTEXT_START && !is_name(token(follow, i)) && !is(follow, i, "#"))
            *at = CONTEXT_PROCESS;
        follow_bracket(follow, i);
    }
}

/* Is the offset in token i, or just behind it so that it can go on? */
static bool within(const Follow *follow, size_t i, uint32_t offset)
{
    const Token *each = token(follow, i);
    if (each->span.begin >= offset || each->kind == TOKEN_SIGN || each->kind == TOKEN_MARK)
        return false;
    if (offset <= each->span.end)
        return offset < each->span.end ||
               (each->kind != TOKEN_BLOCK_COMMENT && each->kind != TOKEN_QUOTED);
    return each->kind == TOKEN_LINE_COMMENT &&
           !memchr(follow->source->text + each->span.end, '\n', offset - each->span.end);
}

static Context here(Follow *follow)
{
    const Context at = *top(follow);
    return at == CONTEXT_ACTIVITY && !follow->empty ? CONTEXT_NOTHING : at;
}

bool context_find(Contexts *contexts, const Source *source, uint32_t offset)
{
    Tokens tokens = {0};
    Follow follow = {.source = source, .tokens = &tokens, .ok = tokens_of_model(&tokens, source)};
    bool found = false;
    begin(&follow);
    for (size_t i = 0; follow.ok && i < tokens.count; i++) {
        const bool in = within(&follow, i, offset);
        if (!found && (in || token(&follow, i)->span.begin >= offset))
            contexts->at =
                in && token(&follow, i)->kind != TOKEN_WORD ? CONTEXT_NOTHING : here(&follow);
        found = found || in || token(&follow, i)->span.begin >= offset;
        if (!token_is_comment(token(&follow, i)))
            pass(&follow, contexts, i);
    }
    if (!found)
        contexts->at = here(&follow);
    tokens_free(&tokens);
    return follow.ok;
}

void context_free(Contexts *contexts)
{
    intern_free(&contexts->rates);
    intern_free(&contexts->processes);
    intern_free(&contexts->actions);
}
