/* What is answered about descriptions. */
#ifndef PEPA_LSP_DESCRIPTION_FEATURES_H
#define PEPA_LSP_DESCRIPTION_FEATURES_H

#include "lsp/request.h"

/* Results of features; NULL: memory is out. */
json_t *description_hover(const Document *doc, const Reading *reading, uint32_t offset);
json_t *description_symbols(const Document *doc, const Reading *reading);
json_t *description_completion(const Reading *reading);

#endif
