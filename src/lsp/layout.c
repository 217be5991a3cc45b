/* The layout of models, token by token. */
#include "lsp/layout.h"

#include <string.h>

#include "lsp/tokens.h"

enum { INDENT = 4, BEFORE_COMMENT = 2 };

typedef struct {
    size_t first, last; /* its tokens first .. last-1, without the comment behind them */
    size_t comment;     /* the line comment behind them, or SIZE_MAX */
    bool empty_before;  /* an empty line stands before it */
    bool starts;        /* a statement */
    size_t assign;      /* the `=` of the definition that it starts, or SIZE_MAX */
    size_t column;      /* characters before this `=` */
    size_t width;       /* characters of the code; 0: a comment alone */
    size_t begin, end;  /* of the code in Layout.code */
} Line;

typedef struct {
    const Source *source;
    Tokens tokens;
    bool *set; /* token: it is `<` or `>` around a set of actions */
    Line *lines;
    size_t line_count, line_cap;
    Text code; /* of all lines, one after the other */
} Layout;

static const Token *token(const Layout *layout, size_t i)
{
    return &layout->tokens.each[i];
}

static bool is(const Layout *layout, size_t i, const char *text)
{
    return token_is(layout->source, token(layout, i), text);
}

static bool one_of(const Layout *layout, size_t i, const char *const *list)
{
    for (; *list; list++)
        if (is(layout, i, *list))
            return true;
    return false;
}

static size_t characters(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

/* ---- sets of actions ----------------------------------------------------------------------- */

/* Where the set that begins behind token `at`, a `<`, ends: its `>`, or SIZE_MAX: it is none.
 * Between them stand names and commas in turn, or a `*`, or nothing. */
static size_t set_end(const Layout *layout, size_t at)
{
    bool name = true; /* comes next */
    for (size_t i = at + 1; i < layout->tokens.count; i++) {
        const Token *each = token(layout, i);
        if (token_is_comment(each))
            continue;
        if (is(layout, i, ">"))
            return i;
        const bool named =
            each->kind == TOKEN_WORD || each->kind == TOKEN_QUOTED || is(layout, i, "*");
        if (name ? !named : !is(layout, i, ","))
            return SIZE_MAX;
        name = !name;
    }
    return SIZE_MAX;
}

static void find_sets(Layout *layout)
{
    for (size_t i = 0; i < layout->tokens.count; i++) {
        const size_t end = is(layout, i, "<") ? set_end(layout, i) : SIZE_MAX;
        if (end != SIZE_MAX)
            layout->set[i] = layout->set[end] = true;
    }
}

/* ---- blanks -------------------------------------------------------------------------------- */

/* Is `-` or `+` at i a sign, not an operator, because of what is before it? */
static bool is_unary(const Layout *layout, size_t i)
{
    static const char *const before[] = {"(",  ",",  "=",  ":=",   "[",    "+",  "-",  "*",
                                         "/",  "<",  ">",  "<=",   ">=",   "==", "!=", ":",
                                         "&&", "||", "if", "then", "else", "!",  NULL};
    while (i > 0 && token_is_comment(token(layout, i - 1)))
        i--;
    return i == 0 || one_of(layout, i - 1, before);
}

/* Was there a blank between tokens i-1 and i? */
static bool was_blank(const Layout *layout, size_t i)
{
    return token(layout, i - 1)->span.end < token(layout, i)->span.begin;
}

/* Is there a blank between tokens i-1 and i of one line? */
static bool blank_before(const Layout *layout, size_t i)
{
    static const char *const none_before[] = {",", ";", ")", "]", "}", "[", ".", NULL};
    static const char *const none_after[] = {"(", "[", "{", ".", "!", "#", NULL};
    static const char *const keywords[] = {"if", "then", "else", NULL};
    const Token *left = token(layout, i - 1), *right = token(layout, i);
    if (token_is_comment(left) || token_is_comment(right))
        return true;
    if (layout->set[i] && is(layout, i, ">"))
        return false;
    if (layout->set[i - 1] && is(layout, i - 1, "<"))
        return false;
    if (one_of(layout, i - 1, none_after) || one_of(layout, i, none_before))
        return false;
    if (is(layout, i, ":") || is(layout, i - 1, ":"))
        return was_blank(layout, i);
    if (is(layout, i, "{"))
        return !is(layout, i - 1, "]");
    if (is(layout, i, "("))
        return left->kind != TOKEN_WORD || one_of(layout, i - 1, keywords);
    if (is(layout, i - 1, "-") && is_unary(layout, i - 1))
        return false;
    return true;
}

/* ---- lines --------------------------------------------------------------------------------- */

/* The `=` of a definition that begins with token i, or SIZE_MAX. */
static size_t find_assign(const Layout *layout, size_t i, size_t last)
{
    if (i < last && (token(layout, i)->kind == TOKEN_MARK || is(layout, i, "#")))
        i++;
    const bool named = i + 1 < last && (token(layout, i)->kind == TOKEN_WORD ||
                                        token(layout, i)->kind == TOKEN_QUOTED);
    return named && (is(layout, i + 1, "=") || is(layout, i + 1, ":=")) ? i + 1 : SIZE_MAX;
}

static bool add_line(Layout *layout, size_t first, size_t last, bool starts)
{
    if (!mem_grow(layout->lines, layout->line_cap, layout->line_count + 1))
        return false;
    Line line = {.first = first, .last = last, .comment = SIZE_MAX, .starts = starts};
    line.empty_before = first > 0 && token(layout, first)->lines > 1;
    if (last - first > 1 && token(layout, last - 1)->kind == TOKEN_LINE_COMMENT)
        line.comment = line.last = last - 1;
    line.assign = starts ? find_assign(layout, first, line.last) : SIZE_MAX;
    layout->lines[layout->line_count++] = line;
    return true;
}

static bool find_lines(Layout *layout)
{
    bool open = false; /* within a statement */
    for (size_t i = 0, next; i < layout->tokens.count; i = next) {
        const bool starts = !open;
        for (next = i; next < layout->tokens.count; next++) {
            if (next > i && token(layout, next)->lines > 0)
                break;
            if (!token_is_comment(token(layout, next)))
                open = !is(layout, next, ";");
        }
        if (!add_line(layout, i, next, starts))
            return false;
    }
    return true;
}

/* Characters of a line's tokens first .. last-1, as they will stand. */
static size_t width_of(const Layout *layout, size_t first, size_t last)
{
    size_t width = 0;
    for (size_t i = first; i < last; i++) {
        const Span span = token(layout, i)->span;
        width += characters(layout->source->text + span.begin, span.end - span.begin) +
                 (i > first && blank_before(layout, i));
    }
    return width;
}

static bool is_comment_line(const Layout *layout, const Line *line)
{
    return token_is_comment(token(layout, line->first));
}

/* The `=` of definitions in lines that follow each other get one column. */
static void align_assigns(Layout *layout)
{
    for (size_t i = 0, next; i < layout->line_count; i = next) {
        size_t widest = 0;
        for (next = i; next < layout->line_count; next++) {
            const Line *line = &layout->lines[next];
            if (next > i && (line->empty_before || is_comment_line(layout, line)))
                break;
            const size_t width =
                line->assign == SIZE_MAX ? 0 : width_of(layout, line->first, line->assign);
            widest = width > widest ? width : widest;
        }
        for (size_t k = i; k < next; k++)
            layout->lines[k].column = widest + 1;
    }
}

/* ---- code ---------------------------------------------------------------------------------- */

static void pad(Text *out, size_t count)
{
    text_add(out, "%*s", (int)count, "");
}

static void add_token(const Layout *layout, size_t i, Text *out)
{
    const Span span = token(layout, i)->span;
    text_add(out, "%.*s", (int)(span.end - span.begin), layout->source->text + span.begin);
}

/* below: where a line that begins with `+` stands, if not indented */
static void write_code(Layout *layout, Line *line, size_t below)
{
    Text *out = &layout->code;
    line->begin = out->length;
    if (!line->starts)
        pad(out, is(layout, line->first, "+") && below > 0 ? below : INDENT);
    for (size_t i = line->first; i < line->last && !out->failed; i++) {
        if (i == line->assign)
            pad(out, line->column - characters(out->text + line->begin, out->length - line->begin));
        else if (i > line->first && blank_before(layout, i))
            text_add(out, " ");
        add_token(layout, i, out);
    }
    line->end = out->length;
    if (out->failed)
        return;
    const char *code = out->text + line->begin;
    const char *last = code;
    for (const char *p = code; p < out->text + line->end; p++)
        last = *p == '\n' ? p + 1 : last; /* within a comment */
    line->width = characters(last, (size_t)(out->text + line->end - last));
}

static void write_lines(Layout *layout)
{
    size_t below = 0;
    for (size_t i = 0; i < layout->line_count; i++) {
        Line *line = &layout->lines[i];
        if (line->starts && !is_comment_line(layout, line))
            below = line->assign == SIZE_MAX ? 0 : line->column;
        write_code(layout, line, below);
    }
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* The column of the comments behind a line and those that follow it. */
static size_t comment_column(const Layout *layout, size_t at)
{
    size_t widest = 0;
    for (size_t i = at; i < layout->line_count && layout->lines[i].comment != SIZE_MAX; i++) {
        if (i > at && layout->lines[i].empty_before)
            break;
        widest = layout->lines[i].width > widest ? layout->lines[i].width : widest;
    }
    return widest + BEFORE_COMMENT;
}

static void write_all(const Layout *layout, const char *line_end, Text *out)
{
    size_t column = 0;
    text_add(out, "%.*s", (int)source_start(layout->source), layout->source->text);
    for (size_t i = 0; i < layout->line_count && !out->failed; i++) {
        const Line *line = &layout->lines[i];
        if (line->empty_before)
            text_add(out, "%s", line_end);
        text_add(out, "%.*s", (int)(line->end - line->begin), layout->code.text + line->begin);
        if (line->comment != SIZE_MAX) {
            const bool begins =
                i == 0 || layout->lines[i - 1].comment == SIZE_MAX || line->empty_before;
            column = begins ? comment_column(layout, i) : column;
            pad(out, column - line->width);
            add_token(layout, line->comment, out);
        }
        text_add(out, "%s", line_end);
    }
}

void layout_text(const Source *source, Text *out)
{
    Layout layout = {.source = source};
    const char *feed = memchr(source->text, '\n', source->length);
    const bool carriage = feed && feed > source->text && feed[-1] == '\r';
    bool ok =
        tokens_find(&layout.tokens, source) && mem_new_zeroed(layout.set, layout.tokens.count + 1);
    if (ok)
        find_sets(&layout);
    ok = ok && find_lines(&layout);
    if (ok) {
        align_assigns(&layout);
        write_lines(&layout);
        write_all(&layout, carriage ? "\r\n" : "\n", out);
    }
    out->failed = out->failed || !ok || layout.code.failed;
    tokens_free(&layout.tokens);
    mem_free_all(layout.set, layout.lines);
    text_free(&layout.code);
}
