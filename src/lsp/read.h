/* Reading a text, in whichever language it is. */
#ifndef PEPA_LSP_READ_H
#define PEPA_LSP_READ_H

#include "lsp/reading.h"

/* Read a text.
 *   name     a path, for files that the text names; borrowed, like the content
 * False: memory is out.  Linear in the text, as model_read is. */
bool reading_make(Reading *reading, Language language, const char *name, const Content *content);
void reading_free(Reading *reading);

#endif
