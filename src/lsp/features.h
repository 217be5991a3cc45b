/* The requests about documents that the server answers; each in a file of its own name. */
#ifndef PEPA_LSP_FEATURES_H
#define PEPA_LSP_FEATURES_H

#include "lsp/request.h"

#endif
