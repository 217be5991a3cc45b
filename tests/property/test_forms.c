/* Every way to explore a model, every form of its matrix, every method and several threads. */
#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <string.h>

#include "family_text.h"
#include "property/forms.h"
#include "property/seeds.h"

enum { MODELS = 240, LARGE = 150 };

/* Rates many orders apart.  What is refused then, such as the logarithm of a small one, is not
 * looked at. */
static void stiffen(RefModel *model, uint64_t seed)
{
    static const double factor[] = {1, 1, 1, 1e-2, 1e-4, 1e-6, 1e-8};
    uint64_t state = seed ^ 0x5eed;
    for (int r = 0; r < model->rate_count; r++) {
        const RefRate *by = ref_number(model, factor[random_below(&state, 7)]);
        model->rate[r].value = ref_operation(model, REF_MUL, model->rate[r].value, by);
    }
}

static bool is_read(const char *text)
{
    PepaModel *model = NULL;
    PepaStatus status = pepa_model_parse(&model, "m", text, strlen(text), NULL, NULL);
    pepa_model_free(model);
    return status == PEPA_OK;
}

static void tell(const FormsTally *t)
{
    cr_log_info("%d chains, %d as sets", t->chains, t->sets);
    for (int m = 0; m < PEPA_METHOD_COUNT; m++)
        cr_log_info("%-13s one by one %d of %d, as sets %d of %d", pepa_method_name((PepaMethod)m),
                    t->answers[0][m], t->asked[0][m], t->answers[1][m], t->asked[1][m]);
}

/* A failure with a reason is no error, but most models have to be solved, and enough of them have
 * to suit as sets, or nothing has been tested. */
static void expect_use(const FormsTally *t)
{
    const double least = 0.5;
    cr_expect(t->chains < 100 || 10 * t->sets > t->chains, "%d of %d suit", t->sets, t->chains);
    for (int sets = 0; sets < 2; sets++)
        for (int m = 0; m < PEPA_METHOD_COUNT; m++)
            cr_expect(t->asked[sets][m] < 20 || t->answers[sets][m] > least * t->asked[sets][m],
                      "%s answers %d of %d", pepa_method_name((PepaMethod)m), t->answers[sets][m],
                      t->asked[sets][m]);
}

static bool is_stiff(uint64_t seed)
{
    return seed / (16 * SHARDS) % 3 == 0;
}

/* Stiff chains would have slow methods take all the iterations there are. */
static PepaSettings settings_of(uint64_t seed)
{
    static const double tolerance[] = {1e-12, 1e-12, 1e-10, 1e-8};
    const uint64_t round = seed / SHARDS;
    PepaSettings set = {0};
    set.solve.tolerance = tolerance[round % 4];
    set.solve.max_iter = is_stiff(seed) || round / 4 % 4 ? 3000 : 0;
    return set;
}

SHARDED_TEST(forms, random_models)
{
    Seeds all = seeds(*shard, MODELS);
    FormsTally tally = {0};
    for (uint64_t seed; seeds_next(&all, &seed);) {
        RefModel model = seeds_model(seed, LARGE);
        Text text = {0}, why = {0};
        PepaSettings set = settings_of(seed);
        if (is_stiff(seed))
            stiffen(&model, seed);
        text = ref_model_print(&model, (RefPrinting){0});
        if (is_read(text.text)) {
            OracleResult want = oracle_run(&model, LARGE);
            for (set.derive.separate_copies = 0; set.derive.separate_copies < 2;
                 set.derive.separate_copies++)
                if (!forms_agree(text.text, &set, &want, &tally, &why)) {
                    seeds_fail(&all, seed, why.text, text.text);
                    break;
                }
            oracle_result_free(&want);
        } else if (!is_stiff(seed)) {
            seeds_fail(&all, seed, "refused", text.text);
        }
        text_free(&why);
        text_free(&text);
        ref_model_free(&model);
    }
    tell(&tally);
    cr_assert(all.failures == 0);
    expect_use(&tally);
}

Test(forms, families)
{
    static const struct {
        const char *what;
        int aggregate;
    } cases[] = {
        {"pipeline 4", 0}, {"clients 5", 1}, {"clients 3", 0}, {"tandem 7", 1},    {"kanban 1", 1},
        {"polling 4", 0},  {"cluster 1", 0}, {"cluster 2", 1}, {"webserver 1", 1},
    };
    FormsTally tally = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PepaSettings set = {0};
        Text why = {0};
        set.solve.tolerance = 1e-12;
        set.solve.max_iter = 100000;
        set.derive.separate_copies = !cases[i].aggregate;
        cr_expect(forms_agree(family_text(cases[i].what), &set, NULL, &tally, &why), "%s: %s",
                  cases[i].what, why.text);
        text_free(&why);
    }
    tell(&tally);
    for (int sets = 0; sets < 2; sets++)
        for (int m = 0; m < PEPA_METHOD_COUNT; m++)
            cr_expect(tally.asked[sets][m] > 0 && tally.answers[sets][m] == tally.asked[sets][m],
                      "%s answers %d of %d", pepa_method_name((PepaMethod)m),
                      tally.answers[sets][m], tally.asked[sets][m]);
}
