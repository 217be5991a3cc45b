/* Remarks of the PEPA Workbench that are definitions. */
#ifndef PEPA_PARSER_REMARK_H
#define PEPA_PARSER_REMARK_H

#include <stdbool.h>

/* Does the rest of a line, after its `%`, say `name = expression;`? */
bool remark_rate_line(const char *text, const char *end);

#endif
