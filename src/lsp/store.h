/* The open documents, and the notifications that open, change, save and close them. */
#ifndef PEPA_LSP_STORE_H
#define PEPA_LSP_STORE_H

#include "lsp/request.h"

typedef struct {
    Document *each[DOCUMENT_MOST_OPEN];
    size_t count;
} Store; /* starts as {0} */

/* The document that params.textDocument.uri names; NULL: none that is open. */
Document *store_find(const Store *store, json_t *params);

/* Each returns NULL, or why the client's wish cannot be met. */
const char *store_open(Store *store, json_t *params);
const char *store_change(Store *store, json_t *params);
const char *store_save(Store *store, json_t *params);
/* All texts are lost, until they come whole. */
void store_lose(Store *store);
/* The document leaves the store; the caller frees it.  NULL: it was not open. */
Document *store_close(Store *store, json_t *params);

void document_free(Document *doc);
void store_free(Store *store);

#endif
