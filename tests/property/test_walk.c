/* On random models a walk sees what the chain has: states by number and by text, their steps, and
 * faults in the states that have them. */
#include <criterion/criterion.h>
#include <string.h>

#include "pepa_walk.h"
#include "property/seeds.h"

enum { MOST_STATES = 60 }; /* of a model that are looked at */

/* Whether the walk is in state s of the chain, with as many steps, to the same targets at the same
 * rates. */
static const char *compare_steps(const PepaChain *chain, const PepaWalk *walk, int32_t s)
{
    const PepaWalkInfo info = pepa_walk_info(walk);
    const char *difference = NULL;
    PepaTransitions t;
    cr_assert_eq(pepa_chain_transitions(chain, &t, NULL), PEPA_OK);
    if (info.enabled != t.row[s + 1] - t.row[s])
        return "numbers of steps";
    for (int64_t k = t.row[s]; k < t.row[s + 1] && !difference; k++) {
        const char *action = pepa_chain_action_name(chain, pepa_transition_action(&t, k));
        char *target = NULL;
        bool found = false;
        cr_assert_eq(pepa_chain_state_text(chain, t.target[k], &target, NULL), PEPA_OK);
        for (int32_t i = 0; i < info.enabled && !found; i++) {
            const PepaWalkStep step = pepa_walk_step(walk, i);
            char *text = NULL;
            cr_assert_eq(pepa_walk_text(walk, i, &text, NULL), PEPA_OK);
            found = step.rate == pepa_transition_rate(&t, k) && strcmp(step.action, action) == 0 &&
                    strcmp(text, target) == 0;
            pepa_text_free(text);
        }
        difference = found ? NULL : "a step";
        pepa_text_free(target);
    }
    return difference;
}

static const char *compare_state(const PepaChain *chain, PepaWalk *walk, int32_t s)
{
    char *expected = NULL, *text = NULL;
    const char *difference = NULL;
    cr_assert_eq(pepa_chain_state_text(chain, s, &expected, NULL), PEPA_OK);
    for (int by_text = 0; by_text < 2 && !difference; by_text++) {
        PepaStatus status =
            by_text ? pepa_walk_go(walk, expected, NULL) : pepa_walk_jump(walk, s, NULL);
        if (status != PEPA_OK) {
            difference = by_text ? "a jump to a text" : "a jump to a number";
            break;
        }
        cr_assert_eq(pepa_walk_text(walk, -1, &text, NULL), PEPA_OK);
        difference =
            strcmp(text, expected) == 0 ? compare_steps(chain, walk, s) : "the text of a state";
        pepa_text_free(text);
    }
    pepa_text_free(expected);
    return difference;
}

/* Of a model that is wrong in some state: exploring the walk breadth first finds it too. */
static const char *find_fault(PepaWalk *walk)
{
    PepaStatus status = PEPA_OK;
    for (int32_t s = 0; status == PEPA_OK; s++)
        status = pepa_walk_jump(walk, s, NULL);
    return status == PEPA_EMODEL ? NULL : "no fault";
}

static const char *compare(const PepaModel *model, int separate, int *compared, int *faulty)
{
    const PepaSettings set = {.derive.separate_copies = separate};
    PepaChain *chain = NULL;
    PepaWalk *walk = NULL;
    const char *difference = NULL;
    PepaStatus status = pepa_chain_derive(&chain, model, &set, NULL);
    PepaStatus walks = pepa_walk_new(&walk, model, &set, NULL);
    if (walks != PEPA_OK)
        difference = status == walks ? NULL : "the initial state";
    else if (status != PEPA_OK)
        difference = find_fault(walk);
    for (int32_t s = 0; status == PEPA_OK && walks == PEPA_OK && !difference &&
                        s < pepa_chain_info(chain).states && s < MOST_STATES;
         s++)
        difference = compare_state(chain, walk, s);
    *compared += status == PEPA_OK;
    *faulty += status == PEPA_EMODEL && walks == PEPA_OK;
    pepa_walk_free(walk);
    pepa_chain_free(chain);
    return difference;
}

SHARDED_TEST(walk, agrees_with_the_chain)
{
    Seeds all = seeds(*shard, 600);
    int compared = 0, faulty = 0;
    for (uint64_t seed; seeds_next(&all, &seed);) {
        RefModel ref = seeds_model(seed, 500);
        Text text = ref_model_print(&ref, (RefPrinting){0});
        PepaModel *model = NULL;
        const char *difference = "text";
        if (pepa_model_parse(&model, "random", text.text, strlen(text.text), NULL, NULL) ==
            PEPA_OK) {
            difference = NULL;
            for (int separate = 0; separate < 2 && !difference; separate++)
                difference = compare(model, separate, &compared, &faulty);
        }
        if (difference)
            seeds_fail(&all, seed, difference, text.text);
        pepa_model_free(model);
        text_free(&text);
        ref_model_free(&ref);
    }
    cr_assert_eq(all.failures, 0);
    cr_assert(compared > 0);
    cr_assert(faulty > 0 || compared < 200); /* a few models may have none */
}
