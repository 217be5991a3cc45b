/* What the library says of its decisions is what happened. */
#include "ways.h"

#include "pepa_evidence.h"

#include <stdio.h>

typedef struct {
    PepaEvidence evidence;
    Answer answer;
    PepaStatus status;
} Told;

/* Derive and solve; the evidence does not change the answer. */
static Told tell(const PepaModel *model, PepaSettings set)
{
    Told t = {.evidence = {.solve.attempts = 99}};
    Answer silent;
    derive(&silent, model, &set);
    PepaStatus status = pepa_solve_steady(silent.chain, &set, silent.pi, NULL, NULL);
    set.evidence = &t.evidence;
    derive(&t.answer, model, &set);
    cr_assert_eq(t.evidence.solve.attempts, 0, "an account begins");
    cr_assert_eq(t.evidence.solve.answer, -1);
    t.status = pepa_solve_steady(t.answer.chain, &set, t.answer.pi, &t.answer.how, NULL);
    cr_assert_eq(t.status, status);
    cr_expect_eq(t.answer.info.states, silent.info.states);
    cr_expect_eq(memcmp(t.answer.pi, silent.pi, (size_t)silent.info.states * sizeof *silent.pi), 0);
    answer_free(&silent);
    return t;
}

static Told tell_text(const char *text, PepaExplore explore, PepaMethod method)
{
    PepaSettings set = {.derive.explore = explore, .solve.method = method};
    PepaModel *model = parse(text);
    Told t = tell(model, set);
    pepa_model_free(model);
    return t;
}

/* What holds of every answer: the entry that gave it says what PepaInfo says. */
static const PepaAttempt *expect_answered(const Told *t)
{
    const PepaSolveEvidence *e = &t->evidence.solve;
    cr_assert_eq(t->status, PEPA_OK);
    cr_assert(e->answer >= 0 && e->answer < e->attempts);
    const PepaAttempt *a = &e->attempt[e->answer];
    cr_expect_str_eq(a->method, t->answer.how.method);
    cr_expect_str_eq(a->precondition, t->answer.how.precondition);
    cr_expect_eq(a->iterations, t->answer.how.iterations);
    cr_expect_eq(a->end, PEPA_ENDED_MET);
    cr_expect(a->residual <= t->answer.how.tolerance && a->seconds >= 0);
    cr_expect_eq(e->residual, t->answer.how.residual);
    cr_expect(e->by_time >= 0 && e->by_time <= t->answer.how.tolerance);
    cr_expect(e->entries > 0 && e->bytes > 0 && t->evidence.derive.bytes > 0);
    cr_expect(t->evidence.derive.seconds >= 0);
    return a;
}

Test(evidence, few_states)
{
    Told t =
        tell_text("P = (a, 1).Q; Q = (b, 2).R; R = (c, 3).P; P || P", PEPA_EXPLORE_AUTO, PEPA_AUTO);
    const PepaAttempt *a = expect_answered(&t);
    cr_expect_eq(t.evidence.derive.explored, PEPA_EXPLORED_FEW);
    cr_expect_eq(t.evidence.derive.potential, 9);
    cr_expect_eq(t.evidence.derive.visits, 0);
    cr_expect_eq(t.evidence.solve.attempts, 1);
    cr_expect_str_eq(a->method, "gth");
    cr_expect_eq(a->why, PEPA_TRIED_FEW_STATES);
    cr_expect_eq(t.evidence.solve.entries, 18, "two ways out of each of nine states");
    cr_expect_eq(t.evidence.solve.components, 1);
    cr_expect_eq(t.evidence.solve.order, PEPA_ORDER_FOUND);
    answer_free(&t.answer);
}

/* The first is the model of auto_leaves_sets_that_do_not_share.  The sooner, the more upper states
 * there may be: 29,161 and 7,381. */
Test(evidence, sets_abandoned)
{
    static const struct {
        const char *text;
        int visits;
    } abandoned[] = {{"Think = (ask, 1).Wait; Wait = (get, T).Read; Read = (see, 2).Think;\n"
                      "Server = (get, 60).A; A = (a, 90).B; B = (b, 90).C; C = (c, 90).Server;\n"
                      "Think[240] <get> Server",
                      256},
                     {"P = (a, 1).Q; Q = (b, 2).R; R = (c, 3).P; P[120] <a, b, c> P[120]", 4096}};
    for (size_t c = 0; c < sizeof abandoned / sizeof *abandoned; c++) {
        Told t = tell_text(abandoned[c].text, PEPA_EXPLORE_AUTO, PEPA_AUTO);
        const PepaDeriveEvidence *e = &t.evidence.derive;
        (void)expect_answered(&t);
        cr_expect_eq(e->explored, PEPA_EXPLORED_ABANDONED);
        cr_expect_eq(e->abandoned, PEPA_SEARCH_ALONE);
        cr_expect_eq(e->left_visits, abandoned[c].visits, "%lld", (long long)e->left_visits);
        cr_expect(e->left_found > 0 && e->left_found < 8 * e->left_visits);
        cr_expect_eq(e->visits, 0);
        answer_free(&t.answer);
    }
}

/* Some fifteen states for each visit are enough if a visit is cheap, and not if there are dozens of
 * actions to look at: readers who see one thing, or forty. */
Test(evidence, sets_that_share_little)
{
    for (int dear = 0; dear < 2; dear++) {
        char text[2048];
        int length = snprintf(text, sizeof text,
                              "Think = (ask, 1).Wait; Wait = (get, T).Read; Read = (see, 1).Think");
        for (int i = 0; dear && i < 39; i++)
            length +=
                snprintf(text + length, sizeof text - (size_t)length, " + (see%d, 1).Think", i);
        snprintf(text + length, sizeof text - (size_t)length,
                 "; Server = (get, 60).A; A = (a, 90).B; B = (b, 90).Server;\n"
                 "Think[185] <get> (Server || Server)");
        Told t = tell_text(text, PEPA_EXPLORE_AUTO, PEPA_AUTO);
        const PepaDeriveEvidence *e = &t.evidence.derive;
        (void)expect_answered(&t);
        cr_expect_eq(e->explored, dear ? PEPA_EXPLORED_ABANDONED : PEPA_EXPLORED_SHARED);
        if (dear) {
            cr_expect_eq(e->left_visits, 1024);
            cr_expect(e->left_found >= 8 * e->left_visits && e->left_found < 16 * e->left_visits);
        } else {
            cr_expect(e->found >= 8 * e->visits && e->found < 16 * e->visits);
        }
        answer_free(&t.answer);
    }
}

Test(evidence, unfit_for_sets)
{
    Told t = tell_text("P = (a, 1).Q; Q = (b, R + 1).R; R = (c, 3).P; P[300]", PEPA_EXPLORE_AUTO,
                       PEPA_GAUSS_SEIDEL);
    cr_expect_eq(t.evidence.derive.explored, PEPA_EXPLORED_ABANDONED);
    cr_expect_eq(t.evidence.derive.abandoned, PEPA_SEARCH_UNFIT);
    cr_expect_eq(t.evidence.derive.potential, 302 * 301 / 2);
    answer_free(&t.answer);
}

/* Derived only: how. */
static PepaDeriveEvidence derived(const char *text)
{
    PepaEvidence evidence;
    PepaSettings set = {.derive.explore = PEPA_EXPLORE_AUTO, .evidence = &evidence};
    PepaModel *model = parse(text);
    PepaChain *chain = NULL;
    cr_assert_eq(pepa_chain_derive(&chain, model, &set, NULL), PEPA_OK);
    pepa_chain_free(chain);
    pepa_model_free(model);
    return evidence.derive;
}

/* 33,489 joint local states, of which a third is reachable: no diagram is made of them. */
Test(evidence, few_of_many)
{
    PepaDeriveEvidence e =
        derived("P = (a, 1).Q; Q = (b, 1).P; R = (c, 1).S; S = (d, 1).R;\n"
                "X = (e, 1).Y; Y = (f, 1).Z; Z = (g, 1).X; (P[60] || R[60]) || (X <e, f, g> X)");
    cr_expect_eq(e.explored, PEPA_EXPLORED_FEW);
    cr_expect(e.visits > 0);
    cr_expect_eq(e.found, 61 * 61 * 3);
    cr_expect_eq(e.abandoned, PEPA_SEARCH_NOT_ABANDONED);
}

/* The order in which neither part is far larger is searched first; in the other one hardly seven
 * states go with each of 9,870. */
Test(evidence, order_of_less_work)
{
    PepaDeriveEvidence e = derived("Think = (ask, 1).Wait; Wait = (get, T).Read;\n"
                                   "Read = (see, 2).Think; Server = (get, 60).A; A = (a, 90).B;\n"
                                   "B = (b, 90).C; C = (c, 90).Server; Think[139] <get> Server");
    cr_expect_eq(e.explored, PEPA_EXPLORED_SHARED);
    cr_expect(e.found > 30 * e.visits);
}

/* Where answers are computed for hardly more than one state each, that shows soon.  But the other
 * order may still be worth it: it is searched as long as it finds states cheaply. */
Test(evidence, the_other_order)
{
    PepaDeriveEvidence e = derived(bench_text("structures/locks.awk 6 12"));
    cr_expect_eq(e.explored, PEPA_EXPLORED_ABANDONED);
    cr_expect_eq(e.left_visits, 64);
    e = derived(bench_text("structures/readers.awk 150 60"));
    cr_expect_eq(e.explored, PEPA_EXPLORED_SHARED);
    cr_expect_eq(e.found, 709096);
}

/* Not as much memory as sets need, but enough to go on one by one. */
Test(evidence, no_memory_for_sets)
{
    PepaModel *model = family("polling 12");
    PepaEvidence evidence;
    PepaSettings set = {.derive.explore = PEPA_EXPLORE_AUTO,
                        .memory = 100 * 1000,
                        .evidence = &evidence};
    PepaChain *chain = NULL;
    cr_expect_eq(pepa_chain_derive(&chain, model, &set, NULL), PEPA_ELIMIT);
    cr_expect_eq(evidence.derive.explored, PEPA_EXPLORED_NOT);
    cr_expect_eq(evidence.derive.abandoned, PEPA_SEARCH_MEMORY);
    pepa_model_free(model);
}

Test(evidence, sets)
{
    PepaModel *model = family("pipeline 10");
    PepaSettings set = {.derive.explore = PEPA_EXPLORE_AUTO};
    Told t = tell(model, set);
    const PepaDeriveEvidence *e = &t.evidence.derive;
    const PepaAttempt *a = expect_answered(&t);
    cr_expect_eq(e->explored, PEPA_EXPLORED_SHARED);
    cr_expect_eq(e->found, t.answer.info.states);
    cr_expect(e->visits > 0 && e->visits < e->found / 8);
    cr_expect_eq(e->abandoned, PEPA_SEARCH_NOT_ABANDONED);
    cr_expect_eq(a->why, PEPA_TRIED_BLOCKS);
    cr_expect(a->start > a->residual);
    cr_expect_neq(t.evidence.solve.order, PEPA_ORDER_FOUND);
    cr_expect(t.evidence.solve.backward > 0 && t.evidence.solve.backward <= 0.5);
    answer_free(&t.answer);
    set.derive.explore = PEPA_SYMBOLIC;
    t = tell(model, set);
    cr_expect_eq(e->explored, PEPA_EXPLORED_REQUESTED);
    answer_free(&t.answer);
    pepa_model_free(model);
}

Test(evidence, states_left_for_ever)
{
    Told t = tell_text("P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).Q; S = (d, 1).T; T = (e, 1).S;\n"
                       "P[50] || S || S || S || S || S || S || S",
                       PEPA_EXPLORE_AUTO, PEPA_AUTO);
    cr_expect_eq(t.evidence.derive.explored, PEPA_EXPLORED_LEFT);
    answer_free(&t.answer);
}

Test(evidence, stalled_sweeps_then_bicgstab)
{
    PepaModel *model = family("polling 8");
    Told t = tell(model, (PepaSettings){.derive.explore = PEPA_EXPLICIT});
    const PepaSolveEvidence *e = &t.evidence.solve;
    const PepaAttempt *a = expect_answered(&t), *first = &e->attempt[0];
    cr_expect_eq(t.evidence.derive.explored, PEPA_EXPLORED_REQUESTED);
    cr_expect_str_eq(first->method, "gauss-seidel");
    cr_expect_eq(first->why, PEPA_TRIED_SWEEPS);
    cr_expect_eq(first->end, PEPA_ENDED_STALLED);
    cr_expect(first->left > 1 && first->iterations > 1 && first->residual < first->start);
    cr_expect_str_eq(a->method, "bicgstab");
    cr_expect_eq(a->why, PEPA_TRIED_SLOW_SWEEPS);
    cr_expect_float_eq(a->start, first->residual, 1e-9 * a->start, "it goes on from there");
    cr_expect(strstr(t.answer.how.trail, "gauss-seidel stalled"));
    answer_free(&t.answer);
    pepa_model_free(model);
}

/* Long before the trend of the residual says so: all sweeps hardly gained anything. */
Test(evidence, hopeless_sweeps_over_sets)
{
    PepaModel *model = NULL;
    PepaError err;
    cr_assert(pepa_model_load(&model, "models/pipeline8.pepa", NULL, &err) == PEPA_OK, "%s",
              err.message);
    Told t = tell(model, (PepaSettings){.derive.explore = PEPA_SYMBOLIC});
    const PepaAttempt *a = expect_answered(&t), *first = &t.evidence.solve.attempt[0];
    cr_expect_str_eq(first->method, "gauss-seidel with extrapolation");
    cr_expect_eq(first->why, PEPA_TRIED_BLOCKS);
    cr_expect_eq(first->end, PEPA_ENDED_STALLED);
    cr_expect_eq(first->iterations, 15, "%lld: the first at which it is said",
                 (long long)first->iterations);
    cr_expect_str_eq(a->method, "bicgstab");
    answer_free(&t.answer);
    pepa_model_free(model);
}

/* Windows may hardly gain anything where extrapolation after them does: what counts then is the mean
 * of all sweeps. */
Test(evidence, sweeps_over_sets_in_the_mean)
{
    Told t = tell_text(bench_text("structures/crews.awk 3 2 9"), PEPA_EXPLORE_AUTO, PEPA_AUTO);
    const PepaAttempt *first = &t.evidence.solve.attempt[0];
    (void)expect_answered(&t);
    cr_expect_eq(t.evidence.solve.attempts, 1);
    cr_expect(first->iterations > 60 && first->iterations < 120, "%lld",
              (long long)first->iterations);
    answer_free(&t.answer);
    t = tell_text(bench_text("structures/handover.awk 3 30"), PEPA_EXPLORE_AUTO, PEPA_AUTO);
    (void)expect_answered(&t);
    cr_expect_eq(first->why, PEPA_TRIED_BLOCKS);
    cr_expect_eq(first->end, PEPA_ENDED_STALLED);
    cr_expect_eq(first->iterations, 17, "%lld: a trial of aggregation ends in its middle",
                 (long long)first->iterations);
    answer_free(&t.answer);
}

/* Two modes that rare jumps join, beside 21 x 21 x 11 states that mix well. */
Test(evidence, nearly_decomposable)
{
    Told t = tell_text("P = (a, 1).Q + (c, 1e-7).R; Q = (b, 2).P; R = (d, 1).S;\n"
                       "S = (e, 2).R + (f, 3e-7).P; X = (g, 1).Y; Y = (h, 1).X;\n"
                       "P || X[20] || X[20] || X[10]",
                       PEPA_EXPLICIT, PEPA_AUTO);
    const PepaSolveEvidence *e = &t.evidence.solve;
    const PepaAttempt *a = expect_answered(&t);
    cr_expect_str_eq(a->method, "bicgstab");
    cr_expect_eq(a->why, PEPA_TRIED_SLOW_SWEEPS);
    cr_expect_str_eq(t.answer.how.caution, "");
    for (int32_t k = 0; k < e->attempts; k++)
        cr_expect(k == e->answer || e->attempt[k].end != PEPA_ENDED_MET,
                  "to settle the shares of groups is no attempt");
    answer_free(&t.answer);
}

Test(evidence, requested_method)
{
    Told t =
        tell_text("P = (a, 1).Q; Q = (b, 2).R; R = (c, 3).P; P || P", PEPA_EXPLICIT, PEPA_GMRES);
    const PepaAttempt *a = expect_answered(&t);
    cr_expect_eq(t.evidence.solve.attempts, 1);
    cr_expect_eq(a->why, PEPA_TRIED_REQUESTED);
    cr_expect_str_eq(a->precondition, "ilu0");
    answer_free(&t.answer);
}

/* Of two components, of three states and of two; from P, and from P2. */
Test(evidence, several_components)
{
    Told t = tell_text("P = (a, 1).A + (a, 1).P2; P2 = (b, 1).B + (b, 1).P;\n"
                       "A = (c, 1).A2; A2 = (d, 2).A3; A3 = (e, 3).A; B = (f, 1).B2; B2 = (g, 1).B;"
                       " P",
                       PEPA_EXPLORE_AUTO, PEPA_AUTO);
    const PepaSolveEvidence *e = &t.evidence.solve;
    (void)expect_answered(&t);
    cr_expect_eq(e->components, 2);
    cr_expect_eq(e->transient, 2);
    cr_expect(e->censored);
    cr_expect_eq(e->attempts, 1, "of the larger one");
    cr_expect_eq(e->entries, 3);
    answer_free(&t.answer);
}

Test(evidence, no_answer)
{
    PepaModel *model = family("pipeline 6");
    PepaSettings set = {.solve.method = PEPA_POWER, .solve.max_iter = 4};
    Told t = tell(model, set);
    const PepaSolveEvidence *e = &t.evidence.solve;
    cr_assert_eq(t.status, PEPA_ENOCONV);
    cr_expect_eq(e->attempts, 1);
    cr_expect_eq(e->answer, -1);
    cr_expect_eq(e->attempt[0].end, PEPA_ENDED_ITERATIONS);
    cr_expect_eq(e->attempt[0].iterations, 4);
    cr_expect(e->attempt[0].residual > 1e-10);
    answer_free(&t.answer);
    set = (PepaSettings){.solve.max_iter = 1, .solve.tolerance = 1e-15};
    t = tell(model, set);
    cr_expect(t.status == PEPA_OK || e->answer == -1);
    answer_free(&t.answer);
    pepa_model_free(model);
}

/* The second solution replaces the first one's account; a single state needs no method. */
Test(evidence, solved_again)
{
    PepaModel *model = parse("P = (a, 1).Q; Q = (b, 2).P; P || P");
    PepaEvidence evidence;
    PepaSettings set = {.evidence = &evidence, .solve.method = PEPA_JACOBI};
    Answer a;
    derive(&a, model, &set);
    cr_assert_eq(pepa_solve_steady(a.chain, &set, a.pi, NULL, NULL), PEPA_OK);
    cr_expect_str_eq(evidence.solve.attempt[0].method, "jacobi");
    set.solve.method = PEPA_GTH;
    cr_assert_eq(pepa_solve_steady(a.chain, &set, a.pi, NULL, NULL), PEPA_OK);
    cr_expect_str_eq(evidence.solve.attempt[0].method, "gth");
    cr_expect_eq(evidence.solve.attempts, 1);
    answer_free(&a);
    pepa_model_free(model);
    model = parse("P = (a, 1).P; P");
    derive(&a, model, &set);
    cr_assert_eq(pepa_solve_steady(a.chain, &set, a.pi, NULL, NULL), PEPA_OK);
    cr_expect(evidence.solve.attempts == 0 && evidence.solve.answer == -1);
    answer_free(&a);
    pepa_model_free(model);
}

/* The aggregated chain's own solution is no part of the account. */
Test(evidence, guess_of_the_aggregated_chain)
{
    PepaModel *model = family("clients 7");
    PepaSettings set = {.derive = {.explore = PEPA_SYMBOLIC, .separate_copies = 1}};
    Told t = tell(model, set);
    (void)expect_answered(&t);
    cr_expect_gt(t.evidence.solve.lumped, 0);
    cr_expect_lt(4 * t.evidence.solve.lumped, t.answer.info.states);
    cr_expect_eq(t.evidence.solve.attempts, 1);
    answer_free(&t.answer);
    pepa_model_free(model);
}
