/* Walks at random: how often actions complete, how runs end, and when they are cancelled. */
#include <math.h>

#include "walking.h"

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
