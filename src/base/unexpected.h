/* Syntax errors in words: what was found, and what could stand there. */
#ifndef PEPA_BASE_UNEXPECTED_H
#define PEPA_BASE_UNEXPECTED_H

#include "base/source.h"

/* Whether a name is one of a list. */
bool name_among(const char *name, const char *const *names, int count);

/* Append "unexpected end of the text", or "unexpected" and what stands in the span.
 *   found  what the grammar calls the token */
void unexpected_found(const Source *source, const char *found, Span span, Text *out);

/* Append "; expected `a`, `b` or a number", in which names of more than one word are not quoted. */
void unexpected_wanted(const char *const *names, int count, Text *out);

#endif
