/* From text to syntax tree. */
#ifndef PEPA_PARSER_PARSE_H
#define PEPA_PARSER_PARSE_H

#include "parser/ast.h"
#include "base/diag.h"

/* Parse a model.  *out and its names live in `arena` and do not depend on the text.
 * Errors: PEPA_ESYNTAX (diags says what; *out is the tree of the statements that could be read;
 * unchanged where these are too few to be checked), PEPA_ENOMEM.
 * Linear in the text; the C stack's depth does not depend on it. */
PepaStatus parse_text(const Source *source, Arena *arena, Ast **out, DiagList *diags);

#endif
