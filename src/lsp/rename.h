/* One renaming.  Private to rename*.c. */
#ifndef PEPA_LSP_RENAME_H
#define PEPA_LSP_RENAME_H

#include "lsp/mentions.h"
#include "lsp/request.h"

typedef struct {
    const Document *doc; /* its reading is whole */
    Mentions all;
    Mention at;
    const char *spelt; /* the new name as it will stand in the text */
    char *name;        /* without quotes */
} Renaming;

/* Why it cannot be a name of that kind, or NULL. */
const char *rename_wrong_in_model(NameKind kind, const char *name);
const char *rename_wrong_in_description(NameKind kind, const char *name);

/* Does the text with the new name, as it was read, say what the old one says, but for the name?
 * *ok: false where memory is out. */
bool rename_same_model(const Renaming *renaming, const Reading *now, bool *ok);
bool rename_same_description(const Renaming *renaming, const Reading *now, bool *ok);

#endif
