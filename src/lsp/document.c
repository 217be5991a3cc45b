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

uint32_t content_units(char byte)
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
        count += content_units(content->text[i]);
    }
    return true;
}

/* Units of UTF-16 before a byte. */
static uint32_t units_before(const Content *content, size_t at)
{
    size_t from = at / DOCUMENT_BLOCK;
    uint32_t count = content->units[from];
    for (from *= DOCUMENT_BLOCK; from < at; from++)
        count += content_units(content->text[from]);
    return count;
}

bool content_take(Content *content, char *text, size_t length)
{
    Content next = {.text = text, .length = length};
    memset(text + length, '\0', CONTENT_END);
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
    char *copy;
    if (length > DOCUMENT_MOST_BYTES || !mem_new(copy, length + CONTENT_END))
        return false;
    if (length)
        memcpy(copy, text, length);
    return content_take(content, copy, length);
}

void content_free(Content *content)
{
    mem_free_all(content->text, content->line, content->units);
    *content = (Content){0};
}

/* ---- positions ----------------------------------------------------------------------------- */

bool content_read_position(json_t *position, ContentPosition *read)
{
    const json_t *line = json_object_get(position, "line"),
                 *column = json_object_get(position, "character");
    if (!json_is_integer(line) || !json_is_integer(column) || json_integer_value(line) < 0 ||
        json_integer_value(column) < 0)
        return false;
    read->line = (size_t)json_integer_value(line);
    read->column = (size_t)json_integer_value(column);
    return true;
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
