/* The text of a model: bytes, lines, and excerpts with a caret below. */
#ifndef PEPA_BASE_SOURCE_H
#define PEPA_BASE_SOURCE_H

#include "base/mem.h"

/* Bytes begin .. end-1 of the source text; the whole model when both are SPAN_NOWHERE. */
typedef struct {
    uint32_t begin, end;
} Span;
#define SPAN_NOWHERE UINT32_MAX

typedef struct {
    const char *name; /* what diagnostics call it */
    const char *text; /* length bytes, then two NULs (for flex) */
    size_t length;
} Source;

/* Line and column (both from 1; the column counts characters of UTF-8, a tab as one) of byte
 * `offset`. O(offset). */
void source_place(const Source *source, uint32_t offset, uint32_t *line, uint32_t *column);

/* The first line of the span and, below it, ^~~~ under the span: two lines, each ended by '\n'.
 * Tabs are repeated in the caret line so that it lines up; long lines are cut around the caret. */
void source_excerpt(const Source *source, Span span, Text *out);

/* What stands in the span, from *text on, cut to a readable number of bytes, which is returned. */
int source_spelling(const Source *source, Span span, const char **text);

/* Where the text begins: behind a byte order mark, if there is one. */
size_t source_start(const Source *source);

/* Bytes of the UTF-8 character that `text` begins with; 0 if it does not begin with one. */
size_t source_character(const char *text, size_t length);

/* The first byte that is a control character or does not begin a UTF-8 character; NULL: none. */
const char *source_odd_byte(const char *text, size_t length);

#endif
