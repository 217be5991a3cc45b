/* The layout of descriptions: blocks are indented, their statements are tables. */
#include <stdlib.h>
#include <string.h>

#include "lsp/description_private.h"
#include "lsp/layout_lines.h"

enum { INDENT = 2, BETWEEN_STATEMENTS = 2 };

/* ---- cells --------------------------------------------------------------------------------- */

static int by_offset(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Where the cells of a statement begin, as offsets; returns how many were written. */
static size_t say_cells(const Syntax *says, const Say *say, uint32_t *out)
{
    size_t count = 0;
    if (say->kind == SAY_STAGE || say->kind == SAY_PROCESSOR)
        for (size_t i = say->first; i < say->first + say->count; i++)
            out[count++] = says->settings[i].keyword.begin;
    if (say->kind == SAY_LATENCY || say->kind == SAY_BANDWIDTH) {
        out[count++] = say->span.begin;
        out[count++] = say->value.span.begin;
    }
    return count;
}

/* Mark the tokens with which cells begin.  False: memory is out. */
static bool find_cells(Layout *layout, const Syntax *says)
{
    uint32_t *offsets = mem_alloc(2 * says->say_count + says->setting_count + 1, sizeof *offsets);
    size_t count = 0, at = 0;
    if (!offsets)
        return false;
    for (size_t i = 0; i < says->say_count; i++)
        count += say_cells(says, &says->says[i], offsets + count);
    qsort(offsets, count, sizeof *offsets, by_offset);
    for (size_t i = 0; i < layout->tokens.count; i++) {
        const uint32_t begin = layout_token(layout, i)->span.begin;
        while (at < count && offsets[at] < begin)
            at++;
        layout->cell[i] = at < count && offsets[at] == begin;
    }
    mem_free(offsets);
    return true;
}

/* ---- lines --------------------------------------------------------------------------------- */

static size_t blanks_before(const Layout *layout, size_t i)
{
    static const char *const none_before[] = {",", ";", ")", NULL};
    static const char *const none_after[] = {"(", ",", NULL};
    if (layout_one_of(layout, i, none_before) || layout_one_of(layout, i - 1, none_after))
        return 0;
    return layout_is(layout, i - 1, ";") && !layout_is(layout, i, "}") ? BETWEEN_STATEMENTS : 1;
}

/* Set `cell` for the `=` of a definition that is alone in its line; other lines than those of one
 * statement have no cells. */
static void choose_cells(Layout *layout, const Line *line)
{
    size_t ends = 0;
    for (size_t i = line->first; i < line->last; i++)
        ends += layout_is(layout, i, ";") || layout_is(layout, i, "{");
    const bool single = line->starts && ends == 1 && layout_is(layout, line->last - 1, ";");
    if (single && line->first + 1 < line->last && layout_is(layout, line->first + 1, "="))
        layout->cell[line->first + 1] = true;
    for (size_t i = line->first; i < line->last; i++)
        layout->cell[i] = layout->cell[i] && single;
}

static bool find_lines(Layout *layout)
{
    static const char *const ends[] = {";", "{", "}", NULL};
    size_t depth = 0;
    bool open = false; /* within a statement */
    for (size_t i = 0, next; i < layout->tokens.count; i = next) {
        const bool starts = !open, closes = layout_is(layout, i, "}");
        const size_t outside = closes && depth > 0 ? depth - 1 : depth;
        for (next = i; next < layout->tokens.count; next++) {
            if (next > i && layout_token(layout, next)->lines > 0)
                break;
            if (token_is_comment(layout_token(layout, next)))
                continue;
            open = !layout_one_of(layout, next, ends);
            depth += layout_is(layout, next, "{");
            depth -= layout_is(layout, next, "}") && depth > 0;
        }
        if (!layout_line(layout, i, next, starts, outside))
            return false;
        Line *line = &layout->lines[layout->line_count - 1];
        line->indent = INDENT * (outside + (starts || closes ? 0 : 2));
        choose_cells(layout, line);
    }
    return true;
}

void layout_description(const Source *source, const DescriptionText *text, Text *out)
{
    Layout layout = {.source = source};
    bool ok = tokens_of_description(&layout.tokens, source) && layout_begin(&layout) &&
              find_cells(&layout, &text->says);
    for (size_t i = 1; ok && i < layout.tokens.count; i++)
        layout.blanks[i] = blanks_before(&layout, i);
    ok = ok && find_lines(&layout);
    if (ok) {
        layout_align(&layout);
        layout_write(&layout, out);
    }
    out->failed = out->failed || !ok;
    layout_free(&layout);
}
