/* Reads the text of a document, as its language wants. */
#include "lsp/read.h"

#include "lsp/description_text.h"
#include "lsp/model_text.h"

bool reading_make(Reading *reading, Language language, const char *name, const Content *content)
{
    *reading = (Reading){.source = {name, content->text, content->length}};
    const bool ok =
        language == LANGUAGE_PEPA ? model_text_read(reading) : description_text_read(reading);
    diag_sort(&reading->diags);
    if (!ok)
        reading_free(reading);
    return ok;
}

void reading_free(Reading *reading)
{
    model_text_free(reading->model);
    description_text_free(reading->description);
    diag_free(&reading->diags);
    arena_free(&reading->arena);
    *reading = (Reading){0};
}
