/* A text that is open in an editor, and places in it: bytes here, lines and UTF-16 there. */
#ifndef PEPA_LSP_DOCUMENT_H
#define PEPA_LSP_DOCUMENT_H

#include <jansson.h>
#include <stdbool.h>

#include "base/source.h"

enum {
    DOCUMENT_MOST_BYTES = 16 * 1024 * 1024,
    DOCUMENT_MOST_OPEN = 256,
    DOCUMENT_BLOCK = 1024 /* bytes */
};

typedef struct {
    char *text; /* length bytes, then two NULs */
    size_t length;
    uint32_t *line; /* where each line begins; ends are LF, CR LF and CR, as the protocol says */
    size_t lines, line_cap;
    uint32_t *units; /* of UTF-16 before each DOCUMENT_BLOCK bytes */
} Content;           /* starts as {0} */

/* Take the text in, which is copied.  False: memory is out, or it is too long; nothing has
 * changed. */
bool content_set(Content *content, const char *text, size_t length);
/* Replace bytes begin .. end-1.  The same. */
bool content_replace(Content *content, Span span, const char *text, size_t length);
void content_free(Content *content);

/* Byte of a position, cut to what there is: to the end of the line, or of the text. */
uint32_t content_offset(const Content *content, size_t line, size_t character);
/* The same from a Position and a Range of the protocol; false: it is none. */
bool content_read_position(const Content *content, json_t *position, uint32_t *offset);
bool content_read_range(const Content *content, json_t *range, Span *span);

/* A new Position or Range; NULL: memory is out.  However long the line is, they cost a search for
 * it and at most two blocks. */
json_t *content_position(const Content *content, uint32_t offset);
json_t *content_range(const Content *content, Span span);

#endif
