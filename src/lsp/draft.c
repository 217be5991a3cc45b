/* Changes of a text, each relative to what the one before it has left. */
#include "lsp/draft.h"

#include <string.h>

static size_t length_of(const Draft *draft)
{
    return draft->before + draft->after;
}

static char byte_at(const Draft *draft, size_t at)
{
    return draft->text[at < draft->before ? at : draft->size - length_of(draft) + at];
}

bool draft_begin(Draft *draft, const Content *content)
{
    *draft = (Draft){.before = content->length};
    if (!mem_grow(draft->text, draft->size, content->length + CONTENT_END))
        return false;
    if (content->length)
        memcpy(draft->text, content->text, content->length);
    return true;
}

/* Whether a line begins at a byte: behind LF, CR LF and CR, as the protocol says. */
static bool begins(const Draft *draft, size_t at)
{
    if (at == 0)
        return true;
    const char last = byte_at(draft, at - 1);
    return last == '\n' || (last == '\r' && (at == length_of(draft) || byte_at(draft, at) != '\n'));
}

/* Go to where a line begins; false: there are not so many. */
static bool go_to(Draft *draft, size_t line)
{
    for (; draft->line > line; draft->line--)
        do
            draft->begin--;
        while (!begins(draft, draft->begin));
    while (draft->line < line) {
        size_t at = draft->begin + 1;
        while (at <= length_of(draft) && !begins(draft, at))
            at++;
        if (at > length_of(draft))
            return false;
        draft->begin = at;
        draft->line++;
    }
    return true;
}

/* A position is cut to what there is: to the end of the line, or of the text. */
static size_t byte_of(Draft *draft, ContentPosition position)
{
    if (!go_to(draft, position.line))
        return length_of(draft);
    size_t at = draft->begin, column = position.column;
    while (at < length_of(draft) && !strchr("\r\n", byte_at(draft, at))) {
        const uint32_t units = content_units(byte_at(draft, at));
        if (column < units || column == 0)
            break; /* within a character: before it */
        column -= units;
        do
            at++;
        while (at < length_of(draft) && content_units(byte_at(draft, at)) == 0);
    }
    return at;
}

uint32_t draft_byte(const Content *content, ContentPosition position)
{
    if (position.line >= content->lines)
        return (uint32_t)content->length;
    Draft whole = {.text = content->text,
                   .before = content->length,
                   .size = content->length,
                   .line = position.line,
                   .begin = content->line[position.line]};
    return (uint32_t)byte_of(&whole, position);
}

bool draft_read_range(Draft *draft, json_t *range, Span *span)
{
    ContentPosition begin, end;
    if (!content_read_position(json_object_get(range, "start"), &begin) ||
        !content_read_position(json_object_get(range, "end"), &end))
        return false;
    /* the end first: the next change is likely to be where this one begins */
    span->end = (uint32_t)byte_of(draft, end);
    span->begin = (uint32_t)byte_of(draft, begin);
    return span->begin <= span->end;
}

/* Move the gap to a byte. */
static void move_gap(Draft *draft, size_t at)
{
    const size_t gap = draft->size - length_of(draft);
    if (at < draft->before)
        memmove(draft->text + at + gap, draft->text + at, draft->before - at);
    else
        memmove(draft->text + draft->before, draft->text + draft->before + gap, at - draft->before);
    draft->after = length_of(draft) - at;
    draft->before = at;
}

/* Make the gap so large that so many bytes fit into it, and those behind a content. */
static bool grow(Draft *draft, size_t length)
{
    const size_t old = draft->size;
    if (!mem_grow(draft->text, draft->size, length_of(draft) + length + CONTENT_END))
        return false;
    if (draft->size > old)
        memmove(draft->text + draft->size - draft->after, draft->text + old - draft->after,
                draft->after);
    return true;
}

bool draft_replace(Draft *draft, Span span, const char *text, size_t length)
{
    const size_t rest = length_of(draft) - (span.end - span.begin);
    if (length > DOCUMENT_MOST_BYTES || rest + length > DOCUMENT_MOST_BYTES || !grow(draft, length))
        return false;
    move_gap(draft, span.begin);
    draft->after = rest - span.begin;
    if (length)
        memcpy(draft->text + span.begin, text, length);
    draft->before += length;
    if (span.begin < draft->begin)
        draft->line = draft->begin = 0;
    else if (!begins(draft, draft->begin)) /* CR and LF have become neighbours */
        draft->line--;
    while (!begins(draft, draft->begin))
        draft->begin--;
    return true;
}

bool draft_end(Draft *draft, Content *content)
{
    move_gap(draft, length_of(draft));
    char *text = draft->text;
    const size_t length = draft->before;
    *draft = (Draft){0};
    return content_take(content, text, length);
}
