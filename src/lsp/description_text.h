/* A description for amoget or taag that is open. */
#ifndef PEPA_LSP_DESCRIPTION_TEXT_H
#define PEPA_LSP_DESCRIPTION_TEXT_H

#include "lsp/mentions.h"
#include "lsp/reading.h"

/* Fill in reading->description and findings.  False: memory is out. */
bool description_text_read(Reading *reading);
void description_text_free(DescriptionText *text);
/* Append its names.  False: memory is out. */
bool description_text_names(const DescriptionText *text, Mentions *mentions);
/* Do both say the same, wherever it stands in their texts? */
bool description_text_equal(const DescriptionText *a, const DescriptionText *b);

#endif
