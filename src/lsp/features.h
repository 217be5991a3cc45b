/* The requests about documents that the server answers, by the method's name. */
#ifndef PEPA_LSP_FEATURES_H
#define PEPA_LSP_FEATURES_H

#include "lsp/request.h"

Feature feature_definition, feature_references, feature_highlight; /* navigate.c */
Feature feature_prepare_rename, feature_rename;                    /* rename.c */
Feature feature_hover;                                             /* hover.c */
Feature feature_symbols;                                           /* symbols.c */
Feature feature_completion;                                        /* complete.c */
Feature feature_formatting;                                        /* formatting.c */
Feature feature_lens;                                              /* lens.c */

#endif
