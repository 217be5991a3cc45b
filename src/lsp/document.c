/* Texts, their lines, and positions counted in UTF-16. */
#include "lsp/document.h"

#include <string.h>

/* Fill in where lines begin. */
static bool find_lines(Content *content)
{
    content->lines = 0;
    for (size_t i = 0; i <= content->length; i++) {
        const char *text = content->text;
        bool begins = i == 0 || text[i - 1] == '\n' ||
                      (text[i - 1] == '\r' && (i == content->length || text[i] != '\n'));
        if (!begins)
            continue;
        if (!mem_grow(content->line, content->line_cap, content->lines + 1))
            return false;
        content->line[content->lines++] = (uint32_t)i;
    }
    return true;
}

/* Units of UTF-16 that a byte of UTF-8 begins: two beyond U+FFFF; bytes that go on begin none. */
static uint32_t units_of(char byte)
{
    const unsigned char c = (unsigned char)byte;
    return c >= 0xF0 ? 2 : (c & 0xC0) != 0x80;
}

static bool count_units(Content *content)
{
    uint32_t count = 0;
    if (!mem_new(content->units, content->length / DOCUMENT_BLOCK + 1))
        return false;
    for (size_t i = 0; i <= content->length; i++) {
        if (i % DOCUMENT_BLOCK == 0)
            content->units[i / DOCUMENT_BLOCK] = count;
        count += units_of(content->text[i]);
    }
    return true;
}

/* Units of UTF-16 before a byte. */
static uint32_t units_before(const Content *content, size_t at)
{
    size_t from = at / DOCUMENT_BLOCK;
    uint32_t count = content->units[from];
    for (from *= DOCUMENT_BLOCK; from < at; from++)
        count += units_of(content->text[from]);
    return count;
}

bool content_replace(Content *content, Span span, const char *text, size_t length)
{
    const size_t rest = content->length - span.end;
    if (length > DOCUMENT_MOST_BYTES || span.begin + rest + length > DOCUMENT_MOST_BYTES)
        return false;
    Content next = {.length = span.begin + length + rest};
    if (!mem_new(next.text, next.length + 2))
        return false;
    if (span.begin)
        memcpy(next.text, content->text, span.begin);
    if (length)
        memcpy(next.text + span.begin, text, length);
    if (rest)
        memcpy(next.text + span.begin + length, content->text + span.end, rest);
    next.text[next.length] = next.text[next.length + 1] = '\0';
    if (!find_lines(&next) || !count_units(&next)) {
        content_free(&next);
        return false;
    }
    content_free(content);
    *content = next;
    return true;
}

bool content_set(Content *content, const char *text, size_t length)
{
    return content_replace(content, (Span){0, (uint32_t)content->length}, text, length);
}

void content_free(Content *content)
{
    mem_free_all(content->text, content->line, content->units);
    *content = (Content){0};
}

/* ---- positions ----------------------------------------------------------------------------- */

/* Bytes of the character at a place, and the units of UTF-16 that it takes: two beyond U+FFFF. */
static size_t character(const Content *content, size_t at, size_t *units)
{
    size_t size = source_character(content->text + at, content->length - at);
    size = size ? size : 1;
    *units = size == 4 ? 2 : 1;
    return size;
}

/* Where a line ends, before its end mark. */
static size_t line_end(const Content *content, size_t line)
{
    size_t end = line + 1 < content->lines ? content->line[line + 1] : content->length;
    const size_t begin = content->line[line];
    if (end > begin && content->text[end - 1] == '\n')
        end--;
    if (end > begin && content->text[end - 1] == '\r')
        end--;
    return end;
}

uint32_t content_offset(const Content *content, size_t line, size_t column)
{
    if (line >= content->lines)
        return (uint32_t)content->length;
    size_t at = content->line[line], units;
    const size_t end = line_end(content, line);
    while (at < end && column > 0) {
        const size_t size = character(content, at, &units);
        if (column < units)
            break; /* within a character: before it */
        column -= units;
        at += size;
    }
    return (uint32_t)at;
}

bool content_read_position(const Content *content, json_t *position, uint32_t *offset)
{
    const json_t *line = json_object_get(position, "line"),
                 *column = json_object_get(position, "character");
    if (!json_is_integer(line) || !json_is_integer(column) || json_integer_value(line) < 0 ||
        json_integer_value(column) < 0)
        return false;
    *offset = content_offset(content, (size_t)json_integer_value(line),
                             (size_t)json_integer_value(column));
    return true;
}

bool content_read_range(const Content *content, json_t *range, Span *span)
{
    return content_read_position(content, json_object_get(range, "start"), &span->begin) &&
           content_read_position(content, json_object_get(range, "end"), &span->end) &&
           span->begin <= span->end;
}

/* The last line that begins at or before a byte. */
static size_t line_of(const Content *content, uint32_t offset)
{
    size_t low = 0, high = content->lines;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (content->line[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

json_t *content_position(const Content *content, uint32_t offset)
{
    if (offset > content->length)
        offset = (uint32_t)content->length;
    const size_t line = line_of(content, offset);
    const uint32_t column =
        units_before(content, offset) - units_before(content, content->line[line]);
    return json_pack("{sI, sI}", "line", (json_int_t)line, "character", (json_int_t)column);
}

json_t *content_range(const Content *content, Span span)
{
    if (span.begin == SPAN_NOWHERE)
        span = (Span){0, 0};
    return json_pack("{so, so}", "start", content_position(content, span.begin), "end",
                     content_position(content, span.end));
}
