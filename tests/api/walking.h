/* Walks in tests: the first state of a model, and where a walk is. */
#ifndef TESTS_API_WALKING_H
#define TESTS_API_WALKING_H

#include "parsing.h"
#include "pepa_walk.h"

static inline PepaWalk *walk_of(const PepaModel *model, int separate)
{
    PepaSettings set = {.derive.separate_copies = separate};
    PepaWalk *walk = NULL;
    PepaError err = {0};
    cr_assert_eq(pepa_walk_new(&walk, model, &set, &err), PEPA_OK, "%s", err.message);
    return walk;
}

static inline void expect_at(const PepaWalk *walk, const char *state)
{
    char *text = NULL;
    cr_assert_eq(pepa_walk_text(walk, -1, &text, NULL), PEPA_OK);
    cr_expect_str_eq(text, state);
    pepa_text_free(text);
}

#endif
