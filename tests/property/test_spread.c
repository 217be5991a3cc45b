/* Random models whose chains by rows are spread over processes: the answers of one process, or a good
 * reason for none. */
#include <criterion/criterion.h>
#include <math.h>

#include "parser/check.h"
#include "property/engine_run.h"
#include "property/seeds.h"
#include "spreading.h"

static bool near(const double *a, const double *b)
{
    for (int32_t i = 0; i < SPREAD_ROOM; i++)
        if (!(fabs(a[i] - b[i]) <= 1e-8 * (1e-3 + fabs(b[i]))))
            return false;
    return true;
}

static bool same_ends(const SpreadAnswer *a, const SpreadAnswer *b)
{
    return a->bottoms == b->bottoms && near(a->probability, b->probability) &&
           near(a->size, b->size) && fabs(a->weighed - b->weighed) <= 1e-8 * b->weighed &&
           fabs(a->squares - b->squares) <= 1e-8 * b->squares;
}

/* NULL: they agree. */
static const char *compare(const SpreadQuestion *q, int32_t count, int *compared)
{
    for (int32_t k = 0; k < count; k++) {
        const SpreadAnswer *a = &q->part[k];
        if (a->status != q->part[0].status)
            return "processes have different statuses";
        if (q->alone.status == PEPA_EMODEL && a->status != PEPA_EMODEL)
            return "a fault is not found";
        if (q->alone.status == PEPA_OK && a->status != PEPA_OK && a->status != PEPA_ENOCONV)
            return a->err.message;
        if (a->status == PEPA_OK && (q->alone.status != PEPA_OK || !near(a->flow, q->alone.flow) ||
                                     !near(a->mean, q->alone.mean) ||
                                     !near(a->inflow, q->alone.inflow) || !same_ends(a, &q->alone)))
            return "another answer";
        *compared += k == 0 && a->status == PEPA_OK;
    }
    return NULL;
}

SHARDED_TEST(spread, random_models)
{
    Seeds all = seeds(*shard, 400);
    int compared = 0;
    for (uint64_t seed; seeds_next(&all, &seed);) {
        static SpreadQuestion q;
        RefModel ref = seeds_model(seed, 300);
        Text text = ref_model_print(&ref, (RefPrinting){0});
        DiagList diags = {0};
        Model *model = NULL;
        const char *difference = NULL;
        if (model_read(&model, "random", text.text, strlen(text.text), NULL, 0, &diags, NULL) ==
            PEPA_OK) {
            const int32_t count = 2 + (int32_t)(seed % 3);
            q = (SpreadQuestion){.model = model, .set = settings_for_tests(), .poor = -1};
            q.in_runs = seed / 3 % 2 == 0;
            q.set.solve.tolerance = 1e-12;
            q.set.derive.max_states = 100000;
            spread_alone(&q);
            run_together(count, spread_part, &q);
            difference = compare(&q, count, &compared);
        }
        if (difference)
            seeds_fail(&all, seed, difference, text.text);
        model_free(model);
        diag_free(&diags);
        text_free(&text);
        ref_model_free(&ref);
    }
    cr_assert_eq(all.failures, 0);
    cr_assert(compared > 0);
}
