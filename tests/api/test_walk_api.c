/* pepa_walk.h against the chain that is derived as a whole, and on its own where that is too large. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "family_text.h"
#include "pepa_walk.h"

enum { MOST_STATES = 700 };

static PepaModel *parse(const char *text)
{
    PepaModel *model = NULL;
    PepaError err = {0};
    cr_assert_eq(pepa_model_parse(&model, "m", text, strlen(text), NULL, &err), PEPA_OK, "%s",
                 err.message);
    return model;
}

static PepaWalk *walk_of(const PepaModel *model, int separate)
{
    PepaSettings set = {.derive.separate_copies = separate};
    PepaWalk *walk = NULL;
    PepaError err = {0};
    cr_assert_eq(pepa_walk_new(&walk, model, &set, &err), PEPA_OK, "%s", err.message);
    return walk;
}

static void expect_at(const PepaWalk *walk, const char *state)
{
    char *text = NULL;
    cr_assert_eq(pepa_walk_text(walk, -1, &text, NULL), PEPA_OK);
    cr_expect_str_eq(text, state);
    pepa_text_free(text);
}

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
        if (!strstr(entry->d_name, ".pepa"))
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
        "\"a, b\" = (\"x) y\", 1).\"a\"; \"a\" = (c, 1).\"a, b|c:2\"; \"a, b|c:2\" = (d, "
        "1).\"a, b\";\n\"a, b\"[2] <\"x) y\"> \"a, b\"",
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

/* ---- at random ------------------------------------------------------------------------------- */

/* In the long run the share of an action among all completions is its share of the throughput. */
Test(walk_api, completions_at_random)
{
    enum { STEPS = 200000 };
    PepaModel *model = parse("P = (a, 1).Q + (b, 3).P; Q = (c, 2).P + (d, 0.5).Q;\n"
                             "R = (c, T).S; S = (e, 5).R; P[2] <c> R");
    PepaWalk *walk = walk_of(model, 0);
    PepaChain *chain = NULL;
    double pi[100], throughput[10], sum = 0;
    int taken[10] = {0};
    uint64_t random = 1;
    cr_assert_eq(pepa_chain_derive(&chain, model, NULL, NULL), PEPA_OK);
    cr_assert_leq(pepa_chain_info(chain).states, 100);
    cr_assert_eq(pepa_solve_steady(chain, NULL, pi, NULL, NULL), PEPA_OK);
    pepa_throughputs(chain, pi, throughput);
    const int32_t actions = pepa_chain_info(chain).actions;
    for (int32_t a = 0; a < actions; a++)
        sum += throughput[a];
    for (int i = 0; i < STEPS; i++) {
        /* One step of a run is the one enabled step whose target is the state after it; where two
         * lead there, their actions are told apart by trying each. */
        int64_t n;
        PepaRunEnd end;
        int32_t step = 0;
        uint64_t before = random;
        char *text = NULL, *found = NULL;
        cr_assert_eq(pepa_walk_run(walk, NULL, 1, &random, &n, &end, NULL), PEPA_OK);
        cr_assert(n == 1 && end == PEPA_RUN_FOUND && random != before);
        cr_assert_eq(pepa_walk_text(walk, -1, &text, NULL), PEPA_OK);
        cr_assert_eq(pepa_walk_back(walk, 1, NULL), PEPA_OK);
        for (;; step++) {
            cr_assert_lt(step, pepa_walk_info(walk).enabled);
            cr_assert_eq(pepa_walk_text(walk, step, &found, NULL), PEPA_OK);
            const bool same = strcmp(text, found) == 0;
            pepa_text_free(found);
            if (same)
                break;
        }
        const char *action = pepa_walk_step(walk, step).action;
        for (int32_t a = 0; a < actions; a++)
            taken[a] += strcmp(action, pepa_chain_action_name(chain, a)) == 0;
        cr_assert_eq(pepa_walk_take(walk, step, NULL), PEPA_OK);
        pepa_text_free(text);
    }
    /* b and d lead from a state to itself, both where P and Q are there: told apart together. */
    double self = 0, self_taken = 0;
    for (int32_t a = 0; a < actions; a++) {
        const char *name = pepa_chain_action_name(chain, a);
        const double share = throughput[a] / sum, part = (double)taken[a] / STEPS;
        if (strcmp(name, "b") == 0 || strcmp(name, "d") == 0) {
            self += share;
            self_taken += part;
        } else { /* some 5 standard deviations of dependent steps */
            cr_expect_float_eq(part, share, 10 / sqrt(STEPS), "%s: %g, %g", name, part, share);
        }
    }
    cr_expect_float_eq(self_taken, self, 10 / sqrt(STEPS));
    pepa_chain_free(chain);
    pepa_walk_free(walk);
    pepa_model_free(model);
}

static PepaPredicate *predicate_of(const PepaModel *model, const char *text)
{
    PepaPredicate *p = NULL;
    PepaError err = {0};
    cr_assert_eq(pepa_predicate_new(&p, model, "p", text, strlen(text), NULL, NULL, &err), PEPA_OK,
                 "%s", err.message);
    return p;
}

/* A random walk on a line from 1: the mean number of steps to an end is known (gambler's ruin; Feller
 * 1968, XIV.3: z (a - z) for even chances). */
Test(walk_api, gamblers_ruin)
{
    enum { GAMES = 4000, A = 6, Z = 2 };
    PepaModel *model = parse("P0 = Stop; P1 = (w, 1).P2 + (l, 1).P0; P2 = (w, 1).P3 + (l, 1).P1;\n"
                             "P3 = (w, 1).P4 + (l, 1).P2; P4 = (w, 1).P5 + (l, 1).P3;\n"
                             "P5 = (w, 1).P6 + (l, 1).P4; P6 = Stop; P2");
    PepaPredicate *rich = predicate_of(model, "P6");
    PepaWalk *walk = walk_of(model, 0);
    uint64_t random = 7;
    double steps = 0, won = 0;
    for (int i = 0; i < GAMES; i++) {
        int64_t n = -1;
        PepaRunEnd end = PEPA_RUN_MOST;
        PepaError err = {0};
        cr_assert_eq(pepa_walk_run(walk, rich, 100000, &random, &n, &end, &err), PEPA_OK, "%s",
                     err.message);
        cr_assert(end == PEPA_RUN_FOUND || end == PEPA_RUN_DEADLOCK);
        expect_at(walk, end == PEPA_RUN_FOUND ? "(P6)" : "(P0)");
        cr_expect_eq(pepa_walk_info(walk).length, n);
        steps += (double)n;
        won += end == PEPA_RUN_FOUND;
        cr_assert_eq(pepa_walk_back(walk, n, NULL), PEPA_OK);
        expect_at(walk, "(P2)");
    }
    /* Standard deviations of the means: 8 steps has one of some 7 / sqrt(GAMES), a third of 0.47. */
    cr_expect_float_eq(steps / GAMES, Z * (A - Z), 5 * 7 / sqrt(GAMES));
    cr_expect_float_eq(won / GAMES, (double)Z / A, 5 * 0.47 / sqrt(GAMES));
    pepa_walk_free(walk);
    pepa_predicate_free(rich);
    pepa_model_free(model);
}

Test(walk_api, ends_of_runs)
{
    PepaModel *model = parse("P = (a, 1).Q; Q = (b, 1).P; P"), *other = parse("P = (a, 1).P; P");
    PepaPredicate *q = predicate_of(model, "Q"), *never = predicate_of(model, "P && Q"),
                  *foreign = predicate_of(other, "P");
    PepaWalk *walk = walk_of(model, 0);
    uint64_t random = 0;
    int64_t n = -1;
    PepaRunEnd end = PEPA_RUN_DEADLOCK;
    PepaError err = {0};
    cr_assert_eq(pepa_walk_run(walk, q, 9, &random, &n, &end, &err), PEPA_OK);
    cr_expect(end == PEPA_RUN_FOUND && n == 1);
    /* where it is true already, the next state of which it is true is looked for */
    cr_assert_eq(pepa_walk_run(walk, q, 9, &random, &n, &end, &err), PEPA_OK);
    cr_expect(end == PEPA_RUN_FOUND && n == 2);
    cr_assert_eq(pepa_walk_run(walk, never, 9, &random, &n, &end, &err), PEPA_OK);
    cr_expect(end == PEPA_RUN_MOST && n == 9);
    cr_expect_eq(pepa_walk_info(walk).length, 12);
    cr_expect_eq(pepa_walk_run(walk, foreign, 9, &random, &n, &end, &err), PEPA_EARG);
    cr_expect_eq(pepa_walk_run(walk, q, 0, &random, &n, &end, &err), PEPA_EARG);
    cr_expect_eq(n, 0);
    cr_expect_eq(pepa_walk_info(walk).length, 12);
    int holds = -1;
    cr_expect_eq(pepa_walk_holds(walk, foreign, &holds, &err), PEPA_EARG);
    cr_expect_eq(holds, -1);
    pepa_walk_free(walk);
    pepa_predicate_free(q);
    pepa_predicate_free(never);
    pepa_predicate_free(foreign);
    pepa_model_free(model);
    pepa_model_free(other);
}

static int stop_after(void *user, const PepaProgress *now)
{
    int *calls = user;
    cr_expect(now->count > 0 && (!strcmp(now->phase, "walk") || !strcmp(now->phase, "derive")));
    return --*calls == 0;
}

Test(walk_api, cancelled)
{
    PepaModel *model = parse("P = (a, 1).Q; Q = (b, 1).P; P");
    PepaPredicate *never = predicate_of(model, "P && Q");
    int calls = 3;
    PepaSettings set = {.progress = stop_after, .user = &calls};
    PepaWalk *walk = NULL;
    uint64_t random = 0;
    int64_t n = -1;
    PepaRunEnd end;
    cr_assert_eq(pepa_walk_new(&walk, model, &set, NULL), PEPA_OK);
    cr_expect_eq(pepa_walk_run(walk, never, INT64_MAX, &random, &n, &end, NULL), PEPA_ECANCEL);
    cr_expect_eq(n, 3 * 1024);
    cr_expect_eq(pepa_walk_info(walk).length, n);
    pepa_walk_free(walk);
    pepa_predicate_free(never);
    pepa_model_free(model);
}

/* ---- what is wrong --------------------------------------------------------------------------- */

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
