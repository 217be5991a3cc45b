/* Rate expressions of a model as text. */
#ifndef PEPA_PARSER_RATE_TEXT_H
#define PEPA_PARSER_RATE_TEXT_H

#include "parser/model.h"

/* The rates of all activities, with as few parentheses as possible, and T for infty.
 *   text  expr_count entries, all NULL; out: that of each expression that is some activity's rate
 *   arena owns the texts
 * False: memory is out.  O(expressions + length of the texts). */
bool rate_texts(const Model *model, Arena *arena, const char **text);

#endif
