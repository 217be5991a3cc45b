/* Random models, right and wrong ones, explored as diagrams: the same chain to the last entry. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <string.h>

#include "diagrams.h"
#include "parser/check.h"
#include "property/seeds.h"

enum { MODELS = 3000, LARGE = 2000 };

ParameterizedTestParameters(diagram, random_models)
{
    static int shard[SHARDS];
    for (int i = 0; i < SHARDS; i++)
        shard[i] = i;
    return cr_make_param_array(int, shard, SHARDS);
}

/* How many models suited; *why: what differs. */
static int compare(const Model *model, int32_t most_lower, Text *why)
{
    int suited = 0;
    for (int aggregate = 0; aggregate < 2 && !why->text; aggregate++) {
        Twice t;
        twice_new(&t, model, aggregate, most_lower, 200000);
        suited += t.diagram != NULL;
        if (!twice_alike(&t) || !twice_measured_alike(&t))
            text_add(why, "aggregation %d, at most %d lower states: %s", aggregate, most_lower,
                     t.why);
        twice_free(&t);
    }
    return suited;
}

ParameterizedTest(int *shard, diagram, random_models)
{
    static const int32_t most_lower[] = {2, 4, 16, 64, DIAGRAM_LOWER};
    Seeds all = seeds(*shard, MODELS);
    int suited = 0, models = 0;
    for (uint64_t seed; seeds_next(&all, &seed); models++) {
        RefModel ref = seeds_model(seed, LARGE);
        Text text = ref_model_print(&ref, (RefPrinting){0}), why = {0};
        DiagList diags = {0};
        PepaError err;
        Model *model = NULL;
        if (model_read(&model, "random", text.text, strlen(text.text), NULL, 0, &diags, &err) ==
            PEPA_OK)
            suited += compare(model, most_lower[seed % 5], &why);
        else
            text_add(&why, "%s", err.message);
        if (why.text)
            seeds_fail(&all, seed, why.text, text.text);
        model_free(model);
        diag_free(&diags);
        text_free(&text);
        text_free(&why);
        ref_model_free(&ref);
    }
    cr_expect_eq(all.failures, 0);
    cr_expect(models < 100 || 5 * suited > models, "only %d of %d suit", suited, models);
}
