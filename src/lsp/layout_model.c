/* The layout of models, token by token. */
#include <string.h>

#include "lsp/layout_lines.h"

enum { INDENT = 4 };

/* ---- sets of actions ----------------------------------------------------------------------- */

/* Where the set that begins behind token `at`, a `<`, ends: its `>`, or SIZE_MAX: it is none.
 * Between them stand names and commas in turn, or a `*`, or nothing. */
static size_t set_end(const Layout *layout, size_t at)
{
    bool name = true; /* comes next */
    for (size_t i = at + 1; i < layout->tokens.count; i++) {
        const Token *each = layout_token(layout, i);
        if (token_is_comment(each))
            continue;
        if (layout_is(layout, i, ">"))
            return i;
        const bool named =
            each->kind == TOKEN_WORD || each->kind == TOKEN_QUOTED || layout_is(layout, i, "*");
        if (name ? !named : !layout_is(layout, i, ","))
            return SIZE_MAX;
        name = !name;
    }
    return SIZE_MAX;
}

/* set: token: it is `<` or `>` around a set of actions */
static void find_sets(const Layout *layout, bool *set)
{
    for (size_t i = 0; i < layout->tokens.count; i++) {
        const size_t end = layout_is(layout, i, "<") ? set_end(layout, i) : SIZE_MAX;
        if (end != SIZE_MAX)
            set[i] = set[end] = true;
    }
}

/* ---- blanks -------------------------------------------------------------------------------- */

/* Is `-` or `+` at i a sign, not an operator, because of what is before it? */
static bool is_unary(const Layout *layout, size_t i)
{
    static const char *const before[] = {"(",  ",",  "=",  ":=",   "[",    "+",  "-",  "*",
                                         "/",  "<",  ">",  "<=",   ">=",   "==", "!=", ":",
                                         "&&", "||", "if", "then", "else", "!",  NULL};
    while (i > 0 && token_is_comment(layout_token(layout, i - 1)))
        i--;
    return i == 0 || layout_one_of(layout, i - 1, before);
}

/* Was there a blank between tokens i-1 and i? */
static bool was_blank(const Layout *layout, size_t i)
{
    return layout_token(layout, i - 1)->span.end < layout_token(layout, i)->span.begin;
}

/* Is there a blank between tokens i-1 and i of one line? */
static bool blank_before(const Layout *layout, const bool *set, size_t i)
{
    static const char *const none_before[] = {",", ";", ")", "]", "}", "[", ".", NULL};
    static const char *const none_after[] = {"(", "[", "{", ".", "!", "#", NULL};
    static const char *const keywords[] = {"if", "then", "else", NULL};
    const Token *left = layout_token(layout, i - 1), *right = layout_token(layout, i);
    if (token_is_comment(left) || token_is_comment(right))
        return true;
    if (set[i] && layout_is(layout, i, ">"))
        return false;
    if (set[i - 1] && layout_is(layout, i - 1, "<"))
        return false;
    if (layout_one_of(layout, i - 1, none_after) || layout_one_of(layout, i, none_before))
        return false;
    if (layout_is(layout, i, ":") || layout_is(layout, i - 1, ":"))
        return was_blank(layout, i);
    if (layout_is(layout, i, "{"))
        return !layout_is(layout, i - 1, "]");
    if (layout_is(layout, i, "("))
        return left->kind != TOKEN_WORD || layout_one_of(layout, i - 1, keywords);
    if (layout_is(layout, i - 1, "-") && is_unary(layout, i - 1))
        return false;
    return true;
}

/* ---- lines --------------------------------------------------------------------------------- */

/* The `=` of a definition that begins with token i, or SIZE_MAX. */
static size_t find_assign(const Layout *layout, size_t i, size_t last)
{
    if (i < last && (layout_token(layout, i)->kind == TOKEN_MARK || layout_is(layout, i, "#")))
        i++;
    const bool named = i + 1 < last && (layout_token(layout, i)->kind == TOKEN_WORD ||
                                        layout_token(layout, i)->kind == TOKEN_QUOTED);
    return named && (layout_is(layout, i + 1, "=") || layout_is(layout, i + 1, ":=")) ? i + 1
                                                                                      : SIZE_MAX;
}

static bool find_lines(Layout *layout)
{
    bool open = false; /* within a statement */
    for (size_t i = 0, next; i < layout->tokens.count; i = next) {
        const bool starts = !open;
        for (next = i; next < layout->tokens.count; next++) {
            if (next > i && layout_token(layout, next)->lines > 0)
                break;
            if (!token_is_comment(layout_token(layout, next)))
                open = !layout_is(layout, next, ";");
        }
        if (!layout_line(layout, i, next, starts, 0))
            return false;
        const size_t assign = starts ? find_assign(layout, i, next) : SIZE_MAX;
        if (assign != SIZE_MAX)
            layout->cell[assign] = true;
    }
    return true;
}

/* Lines that go on with a statement are indented; those that begin with `+` stand below its `=`. */
static void indent(Layout *layout)
{
    size_t below = 0;
    for (size_t i = 0; i < layout->line_count; i++) {
        Line *line = &layout->lines[i];
        if (line->starts && !layout_comment_line(layout, line)) {
            const size_t assign = find_assign(layout, line->first, line->last);
            below = assign == SIZE_MAX
                        ? 0
                        : layout_width(layout, line, assign) + layout->blanks[assign];
        }
        if (!line->starts)
            line->indent = layout_is(layout, line->first, "+") && below > 0 ? below : INDENT;
    }
}

void layout_model(const Source *source, Text *out)
{
    Layout layout = {.source = source};
    bool *set = NULL;
    bool ok = tokens_of_model(&layout.tokens, source) && layout_begin(&layout) &&
              mem_new_zeroed(set, layout.tokens.count + 1);
    if (ok)
        find_sets(&layout, set);
    for (size_t i = 1; ok && i < layout.tokens.count; i++)
        layout.blanks[i] = blank_before(&layout, set, i);
    ok = ok && find_lines(&layout);
    if (ok) {
        layout_align(&layout);
        indent(&layout);
        layout_write(&layout, out);
    }
    out->failed = out->failed || !ok;
    mem_free(set);
    layout_free(&layout);
}
