/* Places, lines and excerpts in the text of a model. */
#include "base/source.h"

#include <string.h>

enum {
    EXCERPT_WIDTH = 96, /* characters of a line that an excerpt shows at most */
    EXCERPT_BEFORE = 48 /* of them, before the caret */
};

size_t source_character(const char *text, size_t length)
{
    const unsigned char *byte = (const unsigned char *)text;
    if (length == 0)
        return 0;
    if (byte[0] < 0x80)
        return 1;
    size_t size = byte[0] >= 0xF0 ? 4 : byte[0] >= 0xE0 ? 3 : 2;
    if (byte[0] < 0xC2 || byte[0] > 0xF4 || size > length)
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((byte[i] & 0xC0) != 0x80)
            return 0;
    /* overlong forms, surrogates, beyond U+10FFFF */
    if ((byte[0] == 0xE0 && byte[1] < 0xA0) || (byte[0] == 0xED && byte[1] > 0x9F) ||
        (byte[0] == 0xF0 && byte[1] < 0x90) || (byte[0] == 0xF4 && byte[1] > 0x8F))
        return 0;
    return size;
}

const char *source_odd_byte(const char *text, size_t length)
{
    for (size_t i = 0, size; i < length; i += size) {
        size = source_character(text + i, length - i);
        if (size == 0 || (unsigned char)text[i] < 0x20 || text[i] == 0x7F)
            return text + i;
    }
    return NULL;
}

size_t source_start(const Source *source)
{
    return source->length >= 3 && memcmp(source->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/* Bytes of the character at `at`; a byte that is not UTF-8 counts as one character. */
static size_t step(const Source *source, size_t at, size_t end)
{
    size_t size = source_character(source->text + at, end - at);
    return size ? size : 1;
}

static size_t clamp(const Source *source, uint32_t offset)
{
    size_t start = source_start(source), at = offset;
    return at > source->length ? source->length : at < start ? start : at;
}

static size_t line_start(const Source *source, size_t at)
{
    size_t start = source_start(source);
    while (at > start && source->text[at - 1] != '\n')
        at--;
    return at;
}

static size_t line_end(const Source *source, size_t at)
{
    const char *newline = memchr(source->text + at, '\n', source->length - at);
    size_t end = newline ? (size_t)(newline - source->text) : source->length;
    if (end > at && source->text[end - 1] == '\r')
        end--;
    return end;
}

void source_place(const Source *source, uint32_t offset, uint32_t *line, uint32_t *column)
{
    size_t end = clamp(source, offset), start = line_start(source, end);
    *line = 1;
    for (size_t i = 0; i < start; i++)
        *line += source->text[i] == '\n';
    *column = 1;
    for (size_t i = start; i < end; i += step(source, i, end))
        ++*column;
}

/* The last place at most `count` characters before `at`, not before `start`. */
static size_t back(const Source *source, size_t start, size_t at, size_t count)
{
    while (at > start && count-- > 0)
        do
            at--;
        while (at > start && ((unsigned char)source->text[at] & 0xC0) == 0x80);
    return at;
}

/* EXCERPT_WIDTH characters behind `at`, at most `end`. */
static size_t forward(const Source *source, size_t at, size_t end)
{
    for (int shown = 0; shown < EXCERPT_WIDTH && at < end; shown++)
        at += step(source, at, end);
    return at;
}

/* Control characters and bytes that are not UTF-8 would disturb terminals and JSON: '?'. */
static void show(const Source *source, size_t at, size_t size, Text *out)
{
    const char *character = source->text + at;
    bool plain = *character == '\t' || (unsigned char)*character >= 0x20;
    if (plain && *character != 0x7F && source_character(character, size) == size)
        text_add(out, "%.*s", (int)size, character);
    else
        text_add(out, "?");
}

void source_excerpt(const Source *source, Span span, Text *out)
{
    if (span.begin == SPAN_NOWHERE)
        return;
    size_t caret = clamp(source, span.begin), start = line_start(source, caret);
    size_t end = line_end(source, start);
    if (caret > end)
        caret = end;
    size_t stop = clamp(source, span.end) < end ? clamp(source, span.end) : end;
    size_t from = start, to = forward(source, start, end);
    if (to < end) {
        from = back(source, start, caret, EXCERPT_BEFORE);
        to = forward(source, from, end);
    }

    text_add(out, "%s", from > start ? "..." : "");
    for (size_t i = from; i < to; i += step(source, i, end))
        show(source, i, step(source, i, end), out);
    text_add(out, "%s\n%s", to < end ? "..." : "", from > start ? "   " : "");
    for (size_t i = from; i < caret; i += step(source, i, end))
        text_add(out, source->text[i] == '\t' ? "\t" : " ");
    text_add(out, "^");
    size_t i = caret < to ? caret + step(source, caret, end) : to;
    for (; i < stop && i < to; i += step(source, i, end))
        text_add(out, "~");
    text_add(out, "\n");
}

int source_spelling(const Source *source, Span span, const char **text)
{
    enum { LONGEST = 40 };
    size_t length = span.end - span.begin;
    *text = source->text + span.begin;
    if (length > LONGEST) {
        length = LONGEST;
        while (length > 0 && ((unsigned char)(*text)[length] & 0xC0) == 0x80)
            length--;
    }
    return (int)length;
}
