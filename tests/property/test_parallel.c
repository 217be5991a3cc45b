/* Random models, right and wrong ones, are explored alike by any number of threads. */
#include <criterion/criterion.h>
#include <string.h>

#include "exploring.h"
#include "parser/check.h"
#include "property/seeds.h"

static void check(Seeds *all, uint64_t seed)
{
    RefModel ref = seeds_any_model(seed, 2000);
    Text text = ref_model_print(&ref, (RefPrinting){0});
    DiagList diags = {0};
    PepaError err;
    Model *model = NULL;
    const char *difference = "text";
    if (model_read(&model, "random", text.text, strlen(text.text), NULL, 0, &diags, &err) ==
        PEPA_OK) {
        difference = explored_by_all(model, 1, 1000000);
        if (!difference)
            difference = explored_by_all(model, 0, 1000000);
    }
    if (difference)
        seeds_fail(all, seed, difference, text.text);
    model_free(model);
    diag_free(&diags);
    text_free(&text);
    ref_model_free(&ref);
}

SHARDED_TEST(parallel, random_models)
{
    seeds_check(*shard, 300, check);
}
