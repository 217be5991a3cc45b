/* Lays the text of a model out afresh: its tokens, comments and lines stay, blanks change.
 *
 * A statement begins a line at its left end.  Lines that go on with it are indented; those that
 * begin with `+` stand below the `=`.  The `=` of definitions in consecutive lines stand below
 * each other, and so do comments behind consecutive lines.  Of empty lines one is left. */
#ifndef PEPA_LSP_LAYOUT_H
#define PEPA_LSP_LAYOUT_H

#include "base/source.h"

/* Append the text as it should be; out->failed where memory is out.  Linear in the text.  The text
 * is one that can be read: of others some lines may come to mean something else. */
void layout_text(const Source *source, Text *out);

#endif
