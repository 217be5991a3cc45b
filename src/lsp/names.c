/* Collects names, as the language has them. */
#include "lsp/names.h"

#include "lsp/description_text.h"
#include "lsp/model_text.h"

bool names_find(Mentions *mentions, const Reading *reading)
{
    if (!(reading->model ? model_text_names(reading->model, mentions)
                         : description_text_names(reading->description, mentions))) {
        mentions_free(mentions);
        return false;
    }
    mentions_sort(mentions);
    return true;
}
