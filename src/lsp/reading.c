/* Finds the places of findings that come with lines, columns and excerpts. */
#include "lsp/reading.h"

#include <string.h>

/* The byte at which a line begins; lines count from 1 and end with LF. */
static size_t line_start(const Source *source, uint32_t line)
{
    size_t at = 0;
    for (; line > 1; line--) {
        const char *end = memchr(source->text + at, '\n', source->length - at);
        if (!end)
            return at;
        at = (size_t)(end - source->text) + 1;
    }
    return at;
}

static size_t forward(const Source *source, size_t at, size_t characters)
{
    for (; characters > 0 && at < source->length && source->text[at] != '\n'; characters--) {
        const size_t size = source_character(source->text + at, source->length - at);
        at += size ? size : 1;
    }
    return at;
}

void whole_characters(char *text)
{
    size_t length = strlen(text), at = 0, size;
    while (at < length && (size = source_character(text + at, length - at)) > 0)
        at += size;
    text[at] = '\0';
}

Span reading_span(const Source *source, const PepaDiagnostic *finding)
{
    if (finding->line == 0)
        return (Span){SPAN_NOWHERE, SPAN_NOWHERE};
    const char *mark = strrchr(finding->excerpt, '^');
    const size_t begin = forward(source, line_start(source, finding->line), finding->column - 1);
    const size_t end = forward(source, begin, mark ? 1 + strspn(mark + 1, "~") : 0);
    return (Span){(uint32_t)begin, (uint32_t)end};
}

void reading_collect(void *user, const PepaDiagnostic *finding)
{
    const Collecting *to = user;
    if (strcmp(finding->file, to->source->name) == 0)
        diag_add(to->diags, finding->severity, reading_span(to->source, finding), "%s",
                 finding->message);
    else
        diag_add(to->diags, finding->severity, to->elsewhere, "%s:%u:%u: %s", finding->file,
                 finding->line, finding->column, finding->message);
}
