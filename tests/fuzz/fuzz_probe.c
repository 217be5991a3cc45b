/* Any bytes, as a probe: it is refused with a word, or the model with it is a model, in which the
 * probe has the predicates that are told, and which prints as it reads. */
#include <stdlib.h>
#include <string.h>

#include "pepa_passage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Copies, copies that move together, composites with and without a name, hiding, weights. */
static const char text[] = "n = 4; P = (a, 2).Q; Q = (a, 1).P + (b, 3).R; R = (c, 1).P;\n"
                           "S = (c, T).S1; S1 = (e, 1).S; E1 = (d, 1).E3; E3 = (d, 2*T).E1;\n"
                           "D = (d, 1).D; Both = (E1[n]{d} <d> D) || \"on hold\";\n"
                           "\"on hold\" = (\"call in\", 1).\"on hold\";\n"
                           "((P[2] || P) <c> S) / {e} || Both[2] || Both";

static void count(void *user, const PepaDiagnostic *each)
{
    size_t *bytes = user;
    *bytes += strlen(each->message) + strlen(each->excerpt);
}

static void check_predicate(const PepaModel *model, const char *predicate)
{
    PepaPredicate *found = NULL;
    if (pepa_predicate_new(&found, model, "p", predicate, strlen(predicate), NULL, NULL, NULL) !=
        PEPA_OK)
        abort();
    pepa_predicate_free(found);
}

static void check_model(const PepaModel *model)
{
    PepaModel *again = NULL;
    char *printed, *second;
    if (pepa_model_print(model, &printed, NULL) != PEPA_OK ||
        pepa_model_parse(&again, "m", printed, strlen(printed), NULL, NULL) != PEPA_OK ||
        pepa_model_print(again, &second, NULL) != PEPA_OK || strcmp(printed, second) != 0)
        abort();
    pepa_text_free(printed);
    pepa_text_free(second);
    pepa_model_free(again);
}

static void try_probe(const PepaModel *model, const char *probe, size_t size, int once)
{
    PepaModel *probed = NULL;
    PepaProbe info;
    PepaError err;
    size_t said = 0;
    PepaStatus status =
        pepa_model_probe(&probed, model, "fuzz", probe, size, once, count, &said, &info, &err);
    if (status != PEPA_OK) {
        if (status != PEPA_EARG || !err.message[0] || said == 0)
            abort(); /* refused without a word */
        return;
    }
    if (info.running[0]) /* it may stop before anything is seen to start */
        check_predicate(probed, info.running);
    check_predicate(probed, info.stopped);
    check_model(probed);
    pepa_text_free(info.running);
    pepa_text_free(info.stopped);
    pepa_model_free(probed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static PepaModel *model;
    if (!model && pepa_model_parse(&model, "m", text, sizeof text - 1, NULL, NULL) != PEPA_OK)
        abort();
    /* a line at a time: most texts of several lines are refused */
    for (size_t at = 0, end; at <= size; at = end + 1) {
        const uint8_t *line = memchr(data + at, '\n', size - at);
        end = line ? (size_t)(line - data) : size;
        try_probe(model, (const char *)data + at, end - at, (int)(at & 1));
    }
    try_probe(model, (const char *)data, size, 0);
    return 0;
}
