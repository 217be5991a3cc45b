/* All mentions of names in a document, whatever its language. */
#ifndef PEPA_LSP_NAMES_H
#define PEPA_LSP_NAMES_H

#include "lsp/mentions.h"
#include "lsp/reading.h"

/* Names live as long as the reading.  False: memory is out. */
bool names_find(Mentions *mentions, const Reading *reading);

#endif
