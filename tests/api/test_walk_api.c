/* pepa_walk.h against the chain that is derived as a whole, and on its own where that is too large. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "walking.h"

enum { MOST_STATES = 700 };

/* ---- the same as the whole chain ------------------------------------------------------------- */

/* The enabled steps of state s are its transitions: as many, each with its action, rate, target. */
static void expect_steps(const PepaChain *chain, const PepaWalk *walk, int32_t s)
{
    const PepaWalkInfo info = pepa_walk_info(walk);
    PepaTransitions t;
    double exit = 0, sum = 0;
    cr_assert_eq(pepa_chain_transitions(chain, &t, NULL), PEPA_OK);
    cr_assert_eq(info.enabled, t.row[s + 1] - t.row[s]);
    for (int64_t k = t.row[s]; k < t.row[s + 1]; k++) {
        const char *action = pepa_chain_action_name(chain, pepa_transition_action(&t, k));
        char *target, *text = NULL;
        int32_t i = 0;
        bool same = false;
        cr_assert_eq(pepa_chain_state_text(chain, t.target[k], &target, NULL), PEPA_OK);
        for (; i < info.enabled && !same; i++) {
            cr_assert_eq(pepa_walk_text(walk, i, &text, NULL), PEPA_OK);
            same = strcmp(pepa_walk_step(walk, i).action, action) == 0 && !strcmp(text, target);
            pepa_text_free(text);
        }
        cr_assert(same, "no step %s to %s", action, target);
        cr_expect_eq(pepa_walk_step(walk, i - 1).rate, pepa_transition_rate(&t, k));
        exit += pepa_transition_rate(&t, k);
        sum += pepa_walk_step(walk, i - 1).probability;
        pepa_text_free(target);
    }
    cr_expect_float_eq(info.exit, exit, 1e-14 * exit);
    cr_expect(info.enabled == 0 || fabs(sum - 1) < 1e-13);
}

static void expect_counts(const PepaChain *chain, const PepaWalk *walk, int32_t s)
{
    const PepaChainInfo of = pepa_chain_info(chain);
    const PepaWalkInfo info = pepa_walk_info(walk);
    int32_t *counts = calloc(2 * (size_t)of.counts + 1, sizeof *counts), *expected;
    cr_assert(counts && info.counts == of.counts && info.positions == of.positions &&
              info.local_states == of.local_states);
    expected = counts + of.counts;
    cr_assert_eq(pepa_walk_counts(walk, -1, counts, NULL), PEPA_OK);
    cr_assert_eq(pepa_chain_state_counts(chain, s, expected, NULL), PEPA_OK);
    cr_expect_arr_eq(counts, expected, (size_t)of.counts * sizeof *counts);
    free(counts);
}

/* Every state by its number and by its text, with what the predicate says of it. */
static void expect_all_states(const char *name, const PepaModel *model, const PepaChain *chain,
                              int separate, const char *predicate)
{
    const int32_t states = (int32_t)pepa_chain_info(chain).states;
    uint8_t *where = calloc((size_t)states, 1);
    PepaWalk *walk = walk_of(model, separate);
    PepaPredicate *p = NULL;
    PepaError err = {0};
    cr_assert_eq(pepa_predicate_new(&p, model, "p", predicate, strlen(predicate), NULL, NULL, &err),
                 PEPA_OK, "%s: %s", name, err.message);
    cr_assert_eq(pepa_predicate_states(p, chain, where, NULL), PEPA_OK);
    for (int32_t s = 0; s < states; s++) {
        char *text = NULL;
        int holds = -1;
        cr_assert_eq(pepa_chain_state_text(chain, s, &text, NULL), PEPA_OK);
        cr_assert_eq(pepa_walk_jump(walk, s, &err), PEPA_OK, "%s: %s", name, err.message);
        expect_at(walk, text);
        expect_steps(chain, walk, s);
        expect_counts(chain, walk, s);
        cr_assert_eq(pepa_walk_holds(walk, p, &holds, &err), PEPA_OK, "%s", err.message);
        cr_expect_eq(holds, where[s], "%s: state %d", name, s + 1);
        cr_assert_eq(pepa_walk_back(walk, 1, &err), PEPA_OK, "%s", err.message);
        cr_assert_eq(pepa_walk_go(walk, text, &err), PEPA_OK, "%s: %s", name, err.message);
        expect_at(walk, text);
        pepa_text_free(text);
    }
    cr_expect_eq(pepa_walk_jump(walk, states, &err), PEPA_EARG);
    pepa_predicate_free(p);
    pepa_walk_free(walk);
    free(where);
}

/* Returns whether it is small enough.  The predicate: of every action and local state something. */
static int compare_with_chain(const char *name, const PepaModel *model, int separate)
{
    PepaSettings set = {.derive = {.max_states = MOST_STATES, .separate_copies = separate}};
    PepaChain *chain = NULL;
    char predicate[4000] = "deadlock";
    size_t used = strlen(predicate);
    if (pepa_chain_derive(&chain, model, &set, NULL) != PEPA_OK)
        return 0;
    const PepaChainInfo info = pepa_chain_info(chain);
    for (int32_t l = 0; l < info.local_states && used < 3000; l += 2)
        used += (size_t)snprintf(predicate + used, sizeof predicate - used, " || \"%s\" == 2",
                                 pepa_chain_local_name(chain, l));
    for (int32_t a = 0; a < info.actions && used < 3000; a += 2)
        used += (size_t)snprintf(predicate + used, sizeof predicate - used,
                                 " || enabled(\"%s\") && %d.\"%s\" > 0",
                                 pepa_chain_action_name(chain, a), info.positions,
                                 pepa_chain_position(chain, info.positions - 1).component);
    expect_all_states(name, model, chain, separate, predicate);
    pepa_chain_free(chain);
    return 1;
}

Test(walk_api, every_state_of_the_collection)
{
    DIR *folder = opendir("models");
    int compared = 0;
    cr_assert(folder != NULL);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[512];
        PepaModel *model = NULL;
        /* walks show the vanishing states of two models; their chains have none */
        if (!strstr(entry->d_name, ".pepa") || strstr(entry->d_name, "router") ||
            strstr(entry->d_name, "priority_queue"))
            continue;
        (void)snprintf(path, sizeof path, "models/%s", entry->d_name);
        cr_assert_eq(pepa_model_load(&model, path, NULL, NULL), PEPA_OK, "%s", path);
        compared += compare_with_chain(path, model, 0) + compare_with_chain(path, model, 1);
        pepa_model_free(model);
    }
    (void)closedir(folder);
    cr_expect_gt(compared, 40);
}

/* Copies of composites, which are sorted; functional rates, also off; constant components; hiding;
 * names of any characters; rates that add up. */
Test(walk_api, every_state_of_odd_models)
{
    static const char *const texts[] = {
        "P = (a, 1).Q; Q = (b, 2).P; R = (a, T).S; S = (c, 3).R; (P <a> R)[3]",
        "P = (a, 1).Q; Q = (b, P * 2).P; R = (c, P - P).R + (d, 1).R; P[3] <> R",
        "P = (a, 1).P + (a, 2).P + (a, 2).Q; Q = (a, 1).Stop; (P || Q || P)[2] / {a}",
        ("\"a, b\" = (\"x) y\", 1).\"a\"; \"a\" = (c, 1).\"a, b|c:2\"; \"a, b|c:2\" = (d, "
         "1).\"a, b\";\n\"a, b\"[2] <\"x) y\"> \"a, b\""),
        "P = (a, 1).P; P",
        "P = (a, 1).Q; Q = (b, 2).R; R = (c, 3).P; C = (a, T).C + (b, T).C; P[4]{c} <a, b> C[3]",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        PepaModel *model = parse(texts[i]);
        cr_expect_eq(compare_with_chain(texts[i], model, 0), 1);
        cr_expect_eq(compare_with_chain(texts[i], model, 1), 1);
        pepa_model_free(model);
    }
}

/* ---- states without number ------------------------------------------------------------------- */

/* 3^40 states: each step of the one component that moves is known. */
Test(walk_api, a_model_that_nobody_can_derive)
{
    char text[4000] = "P = (a, 1).Q; Q = (b, 2).R; R = (c, 4).P;\nP";
    for (int i = 1; i < 40; i++)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), " || P");
    PepaModel *model = parse(text);
    PepaWalk *walk = walk_of(model, 0);
    PepaError err = {0};
    for (int i = 0; i < 40; i++) {
        const PepaWalkInfo info = pepa_walk_info(walk);
        cr_assert_eq(info.enabled, 40);
        cr_expect_eq(info.length, i);
        cr_expect_eq(info.exit, 40 + i);
        cr_expect_str_eq(pepa_walk_step(walk, 0).action, "a");
        cr_expect_eq(pepa_walk_step(walk, 0).probability, 1.0 / info.exit);
        cr_assert_eq(pepa_walk_take(walk, 0, &err), PEPA_OK, "%s", err.message);
    }
    cr_expect_eq(pepa_walk_info(walk).exit, 80);
    cr_assert_eq(pepa_walk_back(walk, 39, &err), PEPA_OK);
    cr_expect_eq(pepa_walk_info(walk).exit, 41);
    cr_expect_eq(pepa_walk_info(walk).length, 1);
    pepa_walk_free(walk);
    pepa_model_free(model);
}
