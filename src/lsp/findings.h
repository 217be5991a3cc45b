/* What is wrong with a document, for the client. */
#ifndef PEPA_LSP_FINDINGS_H
#define PEPA_LSP_FINDINGS_H

#include "lsp/request.h"

/* A new list of Diagnostics of a document that was read: those of `more` as well, which may be
 * NULL. NULL: memory is out. */
json_t *findings_list(const Document *doc, const DiagList *more);

#endif
