/* A text while changes are made to it, one after another.
 *
 * It has a gap where the last change was, as editors keep texts, and is searched for lines from where the last change
 * began: changes in ascending or descending order cost the length of the text and their own, in any other order that
 * of the text between each two. */
#ifndef PEPA_LSP_DRAFT_H
#define PEPA_LSP_DRAFT_H

#include "lsp/document.h"

typedef struct {
    char *text; /* `before` bytes, the gap, `after` bytes */
    size_t before, after, size;
    size_t line, begin; /* a line, and where it begins */
} Draft;                /* starts as {0} */

/* Begin with a content; false: memory is out. */
bool draft_begin(Draft *draft, const Content *content);
/* The bytes of a Range of the protocol in the text as it is now; false: it is none. */
bool draft_read_range(Draft *draft, json_t *range, Span *span);
/* Replace them.  False: memory is out, or it becomes too long; the text is as it was. */
bool draft_replace(Draft *draft, Span span, const char *text, size_t length);
/* The content becomes the draft, which is used up.  False: memory is out; it is as it was. */
bool draft_end(Draft *draft, Content *content);

/* The byte of a position in a text that does not change. */
uint32_t draft_byte(const Content *content, ContentPosition position);

#endif
