/* What an open description says.  Private to description_*.c: names of its headers mean other
 * things in those of the parser. */
#ifndef PEPA_LSP_DESCRIPTION_PRIVATE_H
#define PEPA_LSP_DESCRIPTION_PRIVATE_H

#include "amoget/syntax/syntax.h"
#include "lsp/reading.h"

struct DescriptionText {
    Syntax says;
};

#endif
