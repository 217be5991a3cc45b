/* Where chains that several processes share end, as programs are told. */
#include <math.h>
#include <string.h>

#include "api/handles.h"
#include "parsing.h"
#include "pepa_shared.h"
#include "deriving.h"
#include "run_together.h"
#include "settings.h"

/* The chance of the left branch is 1 / 4 for each of two components. */
static const char branches[] =
    "P = (l, 1).L + (r, 3).R; L = (a, 1).L1; L1 = (b, 2).L; R = (c, 1).R1; R1 = (d, 1).R2;\n"
    "R2 = (e, 1).R3; R3 = (f, 2).R; P[2]";

/* The component whose states are so many: its probability; -1: there is none. */
static double probability_of(const PepaShared *shared, int64_t states)
{
    for (int32_t k = 0; k < pepa_shared_bottoms(shared); k++)
        if (pepa_shared_bottom(shared, k).states == states)
            return pepa_shared_bottom(shared, k).probability;
    return -1;
}

static void check_texts(const PepaShared *shared)
{
    for (int32_t k = 0; k < pepa_shared_bottoms(shared); k++) {
        char *text = NULL;
        cr_assert_eq(pepa_shared_bottom_text(shared, k, &text, NULL), PEPA_OK);
        const bool left = strstr(text, "L"), right = strstr(text, "R");
        const int64_t states = pepa_shared_bottom(shared, k).states;
        cr_expect_eq(left, (states != 10), "%s", text);
        cr_expect_eq(right, (states != 3), "%s", text);
        cr_expect_not(strstr(text, "P"), "%s", text);
        pepa_text_free(text);
    }
}

/* In counts: two on the left have 3 states, two on the right 10, one on each side 2 x 4. */
static void by_rows(const PepaProcesses *p, void *user)
{
    (void)user;
    PepaChain chain = {.owner = parse(branches)};
    PepaSettings set = settings_for_tests();
    PepaShared *shared = NULL;
    DiagList diags = {0};
    PepaError err = {0};
    char *text = NULL;
    double all = 0;
    set.derive.max_states = 1000;
    cr_assert_eq(derive_parts(&chain.chain, chain.owner->model, p, p->count % 2 == 0, &set, &diags,
                              &err),
                 PEPA_OK, "%s", err.message);
    cr_assert_eq(local_ids_new(&chain.ids, chain.chain->system, &err), PEPA_OK);
    cr_expect_eq(pepa_chain_info(&chain).bottom_components, 0);
    cr_expect_eq(pepa_chain_bottom(&chain, 0), -1);
    cr_assert_eq(pepa_shared_solve(&shared, &chain, p, &set, NULL, &err), PEPA_OK, "%s",
                 err.message);
    cr_assert_eq(pepa_shared_bottoms(shared), 3);
    for (int32_t k = 0; k < 3; k++)
        all += pepa_shared_bottom(shared, k).probability;
    cr_expect_float_eq(all, 1, 1e-14);
    cr_expect_float_eq(probability_of(shared, 3), 1.0 / 16, 1e-12);
    cr_expect_float_eq(probability_of(shared, 8), 6.0 / 16, 1e-12);
    cr_expect_float_eq(probability_of(shared, 10), 9.0 / 16, 1e-12);
    check_texts(shared);
    cr_expect_eq(pepa_shared_bottom(shared, 3).states, 0);
    cr_expect_eq(pepa_shared_bottom(shared, -1).states, 0);
    cr_expect_eq(pepa_shared_bottom_text(shared, 3, &text, NULL), PEPA_EARG);
    cr_expect_eq(pepa_shared_bottom_text(shared, 0, NULL, NULL), PEPA_EARG);
    pepa_shared_free(shared);
    chain_free(chain.chain);
    local_ids_free(&chain.ids);
    diag_free(&diags);
    pepa_model_free(chain.owner);
}

Test(shared_ends, by_rows)
{
    for (int32_t count = 1; count <= 4; count++)
        run_together(count, by_rows, NULL);
}

/* Of sets all states are one component. */
static void by_sets(const PepaProcesses *p, void *user)
{
    (void)user;
    PepaModel *model = parse("P = (a, 1).Q; Q = (b, 2).P; P || P");
    PepaChain *chain = NULL;
    PepaShared *shared = NULL;
    PepaSettings set = {0};
    char *text = NULL;
    set.derive.explore = PEPA_SYMBOLIC;
    cr_assert_eq(pepa_chain_derive(&chain, model, &set, NULL), PEPA_OK);
    cr_assert_eq(pepa_shared_solve(&shared, chain, p, &set, NULL, NULL), PEPA_OK);
    cr_assert_eq(pepa_shared_bottoms(shared), 1);
    cr_expect_eq(pepa_shared_bottom(shared, 0).states, pepa_chain_info(chain).states);
    cr_expect_float_eq(pepa_shared_bottom(shared, 0).probability, 1, 0);
    cr_assert_eq(pepa_shared_bottom_text(shared, 0, &text, NULL), PEPA_OK);
    cr_expect(strstr(text, "P"));
    pepa_text_free(text);
    pepa_shared_free(shared);
    pepa_chain_free(chain);
    pepa_model_free(model);
}

Test(shared_ends, by_sets)
{
    run_together(2, by_sets, NULL);
}
