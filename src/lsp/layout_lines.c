/* Columns and lines of a layout, whatever the language. */
#include <string.h>

#include "lsp/layout_lines.h"

enum { BEFORE_COMMENT = 2, MOST_CELLS = 16 /* of a line that are brought into columns */ };

static size_t characters(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

bool layout_one_of(const Layout *layout, size_t i, const char *const *list)
{
    for (; *list; list++)
        if (layout_is(layout, i, *list))
            return true;
    return false;
}

bool layout_begin(Layout *layout)
{
    const size_t count = layout->tokens.count + 1;
    return mem_new_zeroed(layout->blanks, count) && mem_new_zeroed(layout->cell, count);
}

/* ---- lines --------------------------------------------------------------------------------- */

bool layout_line(Layout *layout, size_t first, size_t last, bool starts, size_t depth)
{
    if (!mem_grow(layout->lines, layout->line_cap, layout->line_count + 1))
        return false;
    Line line = {.first = first, .last = last, .comment = SIZE_MAX, .starts = starts};
    line.depth = depth;
    line.empty_before = first > 0 && layout_token(layout, first)->lines > 1;
    if (last - first > 1 && layout_token(layout, last - 1)->kind == TOKEN_LINE_COMMENT)
        line.comment = line.last = last - 1;
    layout->lines[layout->line_count++] = line;
    return true;
}

bool layout_comment_line(const Layout *layout, const Line *line)
{
    return token_is_comment(layout_token(layout, line->first));
}

/* ---- columns ------------------------------------------------------------------------------- */

static size_t token_width(const Layout *layout, const Line *line, size_t i)
{
    const Span span = layout_token(layout, i)->span;
    return characters(layout->source->text + span.begin, span.end - span.begin) +
           (i > line->first ? layout->blanks[i] : 0);
}

size_t layout_width(const Layout *layout, const Line *line, size_t at)
{
    size_t width = 0;
    for (size_t i = line->first; i < at; i++)
        width += token_width(layout, line, i);
    return width;
}

/* The k-th cell of a line, or its end. */
static size_t find_cell(const Layout *layout, const Line *line, size_t k)
{
    size_t i = line->first;
    for (; i < line->last; i++)
        if (layout->cell[i] && k-- == 0)
            break;
    return i;
}

/* Bring the k-th cells of lines first .. last-1 into one column; false: none has one. */
static bool align_cells(Layout *layout, size_t first, size_t last, size_t k)
{
    size_t widest = 0;
    bool any = false;
    for (size_t i = first; i < last; i++) {
        const Line *line = &layout->lines[i];
        const size_t cell = find_cell(layout, line, k);
        const size_t width = cell < line->last ? layout_width(layout, line, cell) : 0;
        any = any || cell < line->last;
        widest = width > widest ? width : widest;
    }
    for (size_t i = first; any && i < last; i++) {
        const Line *line = &layout->lines[i];
        const size_t cell = find_cell(layout, line, k);
        if (cell < line->last)
            layout->blanks[cell] = widest + 1 - layout_width(layout, line, cell);
    }
    return any;
}

void layout_align(Layout *layout)
{
    for (size_t i = 0, next; i < layout->line_count; i = next) {
        for (next = i + 1; next < layout->line_count; next++) {
            const Line *line = &layout->lines[next];
            if (line->empty_before || layout_comment_line(layout, line) ||
                line->depth != layout->lines[i].depth)
                break;
        }
        for (size_t k = 0; k < MOST_CELLS && align_cells(layout, i, next, k);)
            k++;
    }
}

/* ---- writing ------------------------------------------------------------------------------- */

static void pad(Text *out, size_t count)
{
    text_add(out, "%*s", (int)count, "");
}

static void add_token(const Layout *layout, size_t i, Text *out)
{
    const Span span = layout_token(layout, i)->span;
    text_add(out, "%.*s", (int)(span.end - span.begin), layout->source->text + span.begin);
}

static void write_code(Layout *layout, Line *line)
{
    Text *out = &layout->code;
    line->begin = out->length;
    pad(out, line->indent);
    for (size_t i = line->first; i < line->last && !out->failed; i++) {
        pad(out, i > line->first ? layout->blanks[i] : 0);
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

void layout_write(Layout *layout, Text *out)
{
    const Source *source = layout->source;
    const char *feed = memchr(source->text, '\n', source->length);
    const bool carriage = feed && feed > source->text && feed[-1] == '\r';
    for (size_t i = 0; i < layout->line_count; i++)
        write_code(layout, &layout->lines[i]);
    if (!layout->code.failed)
        write_all(layout, carriage ? "\r\n" : "\n", out);
    out->failed = out->failed || layout->code.failed;
}

void layout_free(Layout *layout)
{
    tokens_free(&layout->tokens);
    mem_free_all(layout->blanks, layout->cell, layout->lines);
    text_free(&layout->code);
}
