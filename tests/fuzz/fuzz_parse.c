/* Any bytes: the parser answers, and what it accepts prints to a text that it accepts again. */
#include <stdlib.h>
#include <string.h>

#include "pepa.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void count(void *user, const PepaDiagnostic *each)
{
    size_t *bytes = user;
    *bytes += strlen(each->message) + strlen(each->excerpt);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t bytes = 0;
    PepaReading how = {.diagnose = count, .user = &bytes};
    PepaModel *model = NULL, *again = NULL;
    PepaError err;
    PepaStatus status = pepa_model_parse(&model, "fuzz", (const char *)data, size, &how, &err);
    if (status != PEPA_OK) {
        if (!err.message[0] || (status != PEPA_ELIMIT && bytes == 0))
            abort(); /* refused without a word */
        return 0;
    }
    char *text;
    if (pepa_model_print(model, &text, &err) != PEPA_OK)
        abort();
    if (pepa_model_parse(&again, "again", text, strlen(text), NULL, &err) != PEPA_OK)
        abort();
    pepa_text_free(text);
    pepa_model_free(again);
    pepa_model_free(model);
    return 0;
}
