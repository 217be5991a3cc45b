/* The JSON of a message. */
#ifndef PEPA_LSP_MESSAGE_H
#define PEPA_LSP_MESSAGE_H

#include <jansson.h>

/* Read it; `text` is changed.  A half of a surrogate pair that stands alone, which JSON can write and UTF-8 cannot,
 * becomes U+FFFD: it is one unit of UTF-16 as well, so that positions behind it stay.  The caller releases what is
 * returned.  NULL: it cannot be read, and wrong->text, in ASCII, says why; "": memory is out. */
json_t *message_read(char *text, size_t length, json_error_t *wrong);

#endif
