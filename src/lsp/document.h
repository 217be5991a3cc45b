/* A text that is open in an editor, and places in it: bytes here, lines and UTF-16 there. */
#ifndef PEPA_LSP_DOCUMENT_H
#define PEPA_LSP_DOCUMENT_H

#include <jansson.h>
#include <stdbool.h>

#include "base/source.h"

enum {
    DOCUMENT_MOST_BYTES = 16 * 1024 * 1024,
    DOCUMENT_MOST_OPEN = 256,
    DOCUMENT_BLOCK = 1024, /* bytes */
    CONTENT_END = 2        /* NULs behind a text */
};

typedef struct {
    char *text; /* length bytes, then CONTENT_END NULs */
    size_t length;
    uint32_t *line; /* where each line begins; ends are LF, CR LF and CR, as the protocol says */
    size_t lines, line_cap;
    uint32_t *units; /* of UTF-16 before each DOCUMENT_BLOCK bytes */
} Content;           /* starts as {0} */

/* Take the text in, which is copied.  False: memory is out, or it is too long; nothing has
 * changed. */
bool content_set(Content *content, const char *text, size_t length);
/* The same with a text for the content to own, which has room for CONTENT_END bytes more.  It is freed
 * if memory is out. */
bool content_take(Content *content, char *text, size_t length);
void content_free(Content *content);

/* Units of UTF-16 that a byte of UTF-8 begins: two beyond U+FFFF; bytes that go on begin none. */
uint32_t content_units(char byte);

/* A Position of the protocol: the column counts UTF-16.  False: it is none. */
typedef struct {
    size_t line, column;
} ContentPosition;
bool content_read_position(json_t *position, ContentPosition *read);

/* A new Position or Range; NULL: memory is out.  However long the line is, they cost a search for
 * it and at most two blocks. */
json_t *content_position(const Content *content, uint32_t offset);
json_t *content_range(const Content *content, Span span);

#endif
