/* Reads a model: from text to a checked Model. */
#ifndef PEPA_PARSER_CHECK_H
#define PEPA_PARSER_CHECK_H

#include "base/error.h"
#include "parser/ast.h"
#include "parser/model.h"

/* Parse and check `length` bytes of text.
 *   name     what diagnostics call the text; copied, like the text
 *   defines  rate definitions to replace; of several for one rate the last counts
 *   diags    findings are added, in order of place; warnings may come with PEPA_OK as well
 * Errors: PEPA_ESYNTAX, PEPA_EMODEL (diags holds errors), PEPA_EARG (a define names no rate or is
 * not finite: err says which), PEPA_ELIMIT (the text is longer than 2 GB), PEPA_ENOMEM.
 * Linear in text and result but for the alphabets of cooperations: nodes x actions at worst. */
PepaStatus model_read(Model **out, const char *name, const char *text, size_t length,
                      const PepaDefine *defines, size_t define_count, DiagList *diags,
                      PepaError *err);

/* The same, with the syntax tree.
 *   tree   of the statements that can be read, or NULL if these are too few to be checked;
 *          set whatever the status is, unless memory is out
 *   arena  where the tree and its names live */
PepaStatus model_read_tree(Model **out, Ast **tree, Arena *arena, const char *name,
                           const char *text, size_t length, const PepaDefine *defines,
                           size_t define_count, DiagList *diags, PepaError *err);

#endif
