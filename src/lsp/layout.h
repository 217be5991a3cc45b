/* Layout: blanks and empty lines of a text set afresh.  Comments, lines and spellings stay. */
#ifndef PEPA_LSP_LAYOUT_H
#define PEPA_LSP_LAYOUT_H

#include "lsp/document.h"
#include "lsp/reading.h"

/* Append the text, laid out; on failure out->failed.  What cannot be read is laid out as well, but
 * may mean something else.  Linear in the text. */
void layout_model(const Source *source, Text *out);
void layout_description(const Source *source, const DescriptionText *says, Text *out);

#endif
