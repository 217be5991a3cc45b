/* Walks into states that are wrong, texts that are no state, and arguments. */
#include <stdio.h>

#include "walking.h"

typedef struct {
    int heard;
    char last[400];
} Heard;

static void hear(void *user, const PepaDiagnostic *each)
{
    Heard *heard = user;
    heard->heard++;
    (void)snprintf(heard->last, sizeof heard->last, "%s", each->message);
}

/* The state behind the step `bad` is wrong; the walk says so each time, and stays. */
static void expect_wrong(const char *text, int32_t bad, const char *message)
{
    PepaModel *model = parse(text);
    Heard heard = {0};
    PepaSettings set = {.derive.diagnose = hear, .user = &heard};
    PepaWalk *walk = NULL;
    PepaError err = {0};
    char *before = NULL;
    cr_assert_eq(pepa_walk_new(&walk, model, &set, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_walk_text(walk, -1, &before, NULL), PEPA_OK);
    const PepaWalkInfo info = pepa_walk_info(walk);
    for (int i = 1; i <= 2; i++) {
        err.message[0] = 0;
        cr_expect_eq(pepa_walk_take(walk, bad, &err), PEPA_EMODEL);
        cr_expect_eq(heard.heard, i);
        cr_expect(strstr(heard.last, message), "%s", heard.last);
        cr_expect(strstr(err.message, message), "%s", err.message);
        expect_at(walk, before);
        cr_expect_eq(pepa_walk_info(walk).enabled, info.enabled);
        cr_expect_eq(pepa_walk_info(walk).length, 0);
        cr_expect_eq(pepa_walk_jump(walk, 3, NULL), PEPA_EMODEL);
        heard.heard = i;
    }
    cr_expect_eq(pepa_walk_take(walk, 1 - bad, &err), PEPA_OK);
    pepa_text_free(before);
    pepa_walk_free(walk);
    pepa_model_free(model);
}

Test(walk_api, states_that_are_wrong)
{
    expect_wrong("P = (go, 1).(a, T).P + (stay, 1).P; P", 0,
                 "passive activity `a` has nothing to drive it in state (P_2)");
    expect_wrong("P = (go, 1).Q + (stay, 1).P; Q = (b, 1).Q + (b, T).P; P", 0,
                 "active and passive rates of `b` meet in one component, in state (Q)");
    expect_wrong("P = (stay, 1).P + (go, 1).Q; Q = (b, 1 - 2 * Q).P; P", 1,
                 "the rate of `b` comes to -1 in state (Q)");
    expect_wrong("P = (stay, 1).P + (go, 1).Q; Q = (b, 1e308).P + (c, 1e308).P; P", 1,
                 "the rates out of state (Q) add up to inf");
}

Test(walk_api, wrong_from_the_start)
{
    PepaModel *model = parse("P = (a, T).P; P");
    PepaWalk *walk = NULL;
    PepaError err = {0};
    cr_expect_eq(pepa_walk_new(&walk, model, NULL, &err), PEPA_EMODEL);
    cr_expect_null(walk);
    cr_expect(strstr(err.message, "nothing to drive it in state (P)"), "%s", err.message);
    pepa_model_free(model);
}

/* Each text, and a word of the message. */
Test(walk_api, no_states)
{
    static const char *const texts[][2] = {
        {"(P, Q:3)", "component 2"},
        {"(Q, R:1|S:1)", "fewer copies"},
        {"(Q, R:2|S:2)", "more copies"},
        {"(Q, R:-1|S:4)", "more copies"},
        {"(Q, R:99999999999999999999|S)", "more copies"},
        {"(Q, R:|S)", "number of copies"},
        {"(Q", "comma"},
        {"", "component 1"},
        {"(Q, R:3", "`)` is missing"},
        {"(Q, R:3) x", "too much"},
        {"Q, R:3, Q", "too much"},
        {"Qq, R:3", "no local state"},
    };
    PepaModel *model = parse("P = (a, 1).Q; Q = (b, 1).P; R = (a, T).S; S = (c, 1).R; P <a> R[3]");
    PepaWalk *walk = walk_of(model, 0);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        PepaError err = {0};
        cr_expect_eq(pepa_walk_go(walk, texts[i][0], &err), PEPA_EARG, "%s", texts[i][0]);
        cr_expect(strstr(err.message, texts[i][1]), "%s: %s", texts[i][0], err.message);
        expect_at(walk, "(P, R:3)");
    }
    cr_expect_eq(pepa_walk_go(walk, " Q,R:1 | S:2", NULL), PEPA_OK);
    expect_at(walk, "(Q, R:1|S:2)");
    cr_expect_eq(pepa_walk_go(walk, "(P, R:1|S)", NULL), PEPA_OK);
    expect_at(walk, "(P, R:1|S:2)");
    pepa_walk_free(walk);
    pepa_model_free(model);
}

Test(walk_api, arguments)
{
    PepaModel *model = parse("P = (a, 1).Q; Q = (b, 1).P; P");
    PepaWalk *walk = walk_of(model, 0);
    PepaError err = {0};
    int32_t counts[2];
    char *text = NULL;
    pepa_model_free(model); /* the walk keeps it alive */
    cr_expect_eq(pepa_walk_take(walk, 1, &err), PEPA_EARG);
    cr_expect_eq(pepa_walk_take(walk, -1, &err), PEPA_EARG);
    cr_expect_eq(pepa_walk_back(walk, 1, &err), PEPA_EARG);
    cr_expect_eq(pepa_walk_back(walk, -1, &err), PEPA_EARG);
    cr_expect_eq(pepa_walk_jump(walk, -1, &err), PEPA_EARG);
    cr_expect_eq(pepa_walk_jump(walk, 20 * 1000 * 1000, &err), PEPA_ELIMIT);
    cr_expect_eq(err.limit, PEPA_LIMIT_STATES);
    cr_expect_eq(pepa_walk_counts(walk, 1, counts, &err), PEPA_EARG);
    cr_expect_eq(pepa_walk_text(walk, 1, &text, &err), PEPA_EARG);
    cr_expect_eq(pepa_walk_text(walk, 0, NULL, &err), PEPA_EARG);
    cr_expect_eq(pepa_walk_counts(walk, 0, NULL, &err), PEPA_EARG);
    cr_expect_eq(pepa_walk_go(walk, NULL, &err), PEPA_EARG);
    cr_expect_eq(pepa_walk_new(&walk, NULL, NULL, &err), PEPA_EARG);
    cr_expect_str_eq(pepa_walk_position(walk, 0).component, "P");
    cr_expect_str_eq(pepa_walk_local_name(walk, pepa_walk_position(walk, 0).local[1]), "Q");
    pepa_walk_free(walk);
    pepa_walk_free(NULL);
}
