/* Texts that libxml2 reads from memory: where it is, and the first mistake that it finds. */
#ifndef GRID_TAAG_XML_H
#define GRID_TAAG_XML_H

#include <libxml/parser.h>

#include "base/diag.h"

/* The byte of the text that `at` is, in what libxml2 reads as UTF-8; the end of the text: it is elsewhere. */
size_t xml_offset(const xmlParserCtxt *parser, const Source *source, const xmlChar *at);
/* From `<` to where libxml2 is: behind a start tag with its attributes, whose values hold no `<`. */
Span xml_tag(const xmlParserCtxt *parser, const Source *source);
/* Add what libxml2 says of the text, at the place where it is. */
void xml_broken(const xmlParserCtxt *parser, const Source *source, const xmlError *error,
                DiagList *found);

#endif
