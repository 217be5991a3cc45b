/* Places in the text, and errors of syntax, as libxml2 has them. */
#include "grid/taag/files/xml.h"

#include <string.h>

/* libxml2's xmlByteConsumed counts what it would encode again, and of more than 32,000 bytes not all; of UTF-8 as UTF-8
 * nothing changes. */
size_t xml_offset(const xmlParserCtxt *parser, const Source *source, const xmlChar *at)
{
    const xmlParserInput *input = parser->input;
    if (!input || at < input->base || at > input->end)
        return source->length;
    const size_t offset = input->consumed + (size_t)(at - input->base);
    return offset < source->length ? offset : source->length;
}

Span xml_tag(const xmlParserCtxt *parser, const Source *source)
{
    const size_t end =
        parser->input ? xml_offset(parser, source, parser->input->cur) : source->length;
    size_t begin = end;
    while (begin > 0 && source->text[begin] != '<')
        begin--;
    return (Span){(uint32_t)begin, (uint32_t)(end > begin ? end : begin + 1)};
}

void xml_broken(const xmlParserCtxt *parser, const Source *source, const xmlError *error,
                DiagList *found)
{
    static const char not_utf8[] = "Input is not proper UTF-8";
    const char *said = error->message ? error->message : "";
    const size_t at = parser->input ? xml_offset(parser, source, parser->input->cur) : 0;
    const Span span = {(uint32_t)at, (uint32_t)at + (at < source->length)};
    if (strncmp(said, not_utf8, sizeof not_utf8 - 1) == 0 ||
        (source->text[0] && strchr("\xfe\xff", source->text[0])))
        diag_error(found, span,
                   "the text is not UTF-8, which it has to be, whatever encoding it names");
    else
        diag_error(found, span, "this is not XML: %.*s", (int)strcspn(said, "\n"), said);
}
