/* The referee on priorities, and on what is wrong with immediate actions: models solved by hand. */
#include "property/by_hand.h"

#include <criterion/criterion.h>

/* In V a goes before b and c, and these, of priorities 1 and none, happen with odds 1 : 3 in W. */
Test(oracle_priorities, priorities)
{
    RefModel m = {0};
    int p = ref_process_declare(&m, "P"), v = ref_process_declare(&m, "V");
    int w = ref_process_declare(&m, "W");
    const RefTerm *a = hand_prior(&m, 2, hand_immediate(&m, "a", 1, w));
    const RefTerm *b = hand_prior(&m, 1, hand_immediate(&m, "b", 1, p));
    const RefTerm *c = hand_immediate(&m, "c", 3, p);
    const RefTerm *d = hand_prior(&m, 0, hand_immediate(&m, "d", 100, p));
    m.process[p].body = hand_timed(&m, "go", 2, v);
    m.process[v].body = hand_either(&m, a, hand_either(&m, b, c));
    m.process[w].body = hand_either(&m, d, hand_either(&m, b, c));
    m.system = hand_leaf(&m, p);
    static const HandKnown known[] = {{"go", 2}, {"a", 2}, {"b", 0.5}, {"c", 1.5}};
    hand_expect_throughputs(&m, known, 4);
}

/* Immediate before timed whatever the priorities; among timed ones the higher, so that x waits. */
Test(oracle_priorities, timed_priorities)
{
    RefModel m = {0};
    int p = ref_process_declare(&m, "P"), v = ref_process_declare(&m, "V");
    int x = ref_process_declare(&m, "X"), y = ref_process_declare(&m, "Y");
    m.process[p].body = hand_prior(&m, 3, hand_timed(&m, "go", 4, v));
    m.process[v].body = hand_prior(&m, 0, hand_immediate(&m, "a", 1, y));
    m.process[y].body = hand_prior(&m, 0, hand_timed(&m, "rest", 1, p));
    m.process[x].body = hand_prior(&m, 2, hand_timed(&m, "x", 3, x));
    m.system = ref_coop(&m, hand_leaf(&m, p), 0, hand_leaf(&m, x));
    /* go at once ends in Y, where x is before rest for ever */
    static const HandKnown stuck[] = {{"go", 0}, {"a", 0}, {"x", 3}};
    OracleResult r = oracle_run(&m, 10);
    hand_expect_graph(r.concrete, 2, 2, 0, 1);
    hand_expect_all(&r.throughput, stuck, 3);
    oracle_result_free(&r);
    m.process[x].body = hand_prior(&m, 0, hand_timed(&m, "x", 3, x));
    /* now x and rest compete in Y, which lasts 1 on average against 1/4 of P */
    static const HandKnown known[] = {{"go", 0.8}, {"a", 0.8}, {"x", 2.4}, {"rest", 0.8}};
    hand_expect_throughputs(&m, known, 4);
}

/* ((L <a> R) || S): the shared a has the larger of the priorities that L and R state, if any. */
static void expect_winner(int left, int right, int other, bool first)
{
    RefModel m = {0};
    int g = ref_process_declare(&m, "G"), l = ref_process_declare(&m, "L");
    int r = ref_process_declare(&m, "R"), s = ref_process_declare(&m, "S");
    const RefTerm *gate = hand_either(&m, hand_passive(&m, "a", 1, g), hand_passive(&m, "b", 1, g));
    m.process[g].body = ref_prefix(&m, ref_action(&m, "go"), ref_number(&m, 1), gate);
    m.process[l].body = hand_prior(&m, left, hand_immediate(&m, "a", 1, l));
    m.process[r].body = hand_prior(&m, right, hand_immediate(&m, "a", 1, r));
    m.process[s].body = hand_prior(&m, other, hand_immediate(&m, "b", 1, s));
    uint32_t a = hand_set(&m, "a"), b = hand_set(&m, "b");
    const RefStatic *both = ref_coop(&m, hand_leaf(&m, l), a, hand_leaf(&m, r));
    m.system = ref_coop(&m, ref_coop(&m, both, 0, hand_leaf(&m, s)), a | b, hand_leaf(&m, g));
    const HandKnown known[] = {{"go", 1}, {first ? "a" : "b", 1}};
    hand_expect_throughputs(&m, known, 2);
}

Test(oracle_priorities, cooperation_takes_larger_priority)
{
    expect_winner(3, REF_UNSTATED, 2, true);
    expect_winner(REF_UNSTATED, 3, 2, true);
    expect_winner(0, 2, REF_UNSTATED, true);
    expect_winner(0, 2, 3, false);
    expect_winner(0, REF_UNSTATED, REF_UNSTATED, false); /* stated as 0, so that it is not 1 */
    expect_winner(REF_UNSTATED, REF_UNSTATED, 0, true);
}

/* Levels and priorities of one action meet in one component, or in two that do not cooperate. */
Test(oracle_priorities, mixed)
{
    RefModel m = {0};
    int p = ref_process_declare(&m, "P"), q = ref_process_declare(&m, "Q");
    const RefTerm *timed = hand_timed(&m, "a", 1, p), *immediate = hand_immediate(&m, "a", 1, p);
    m.system = hand_leaf(&m, p);
    m.process[p].body = hand_either(&m, timed, immediate);
    hand_expect_status(&m, ORACLE_MIXED);
    m.process[p].body = hand_either(&m, immediate, hand_passive(&m, "a", 1, p));
    hand_expect_status(&m, ORACLE_MIXED);
    m.process[p].body = hand_either(&m, timed, hand_prior(&m, 1, timed));
    hand_expect_status(&m, ORACLE_MIXED);
    m.process[p].body = hand_either(&m, hand_prior(&m, 1, timed), hand_prior(&m, 2, timed));
    hand_expect_status(&m, ORACLE_MIXED);
    m.process[p].body = hand_either(&m, hand_prior(&m, 2, timed), hand_prior(&m, 2, timed));
    hand_expect_status(&m, ORACLE_OK);
    const RefTerm *off = ref_immediate(&m, ref_action(&m, "a"), ref_count(&m, q), timed->next);
    m.process[p].body = hand_either(&m, timed, hand_prior(&m, 2, off));
    hand_expect_status(&m, ORACLE_OK);
    m.process[p].body = timed;
    m.process[q].body = hand_immediate(&m, "a", 1, q);
    m.system = ref_coop(&m, hand_leaf(&m, p), 0, hand_leaf(&m, q));
    hand_expect_status(&m, ORACLE_MIXED);
    m.system = ref_coop(&m, hand_leaf(&m, p), hand_set(&m, "a"), hand_leaf(&m, q));
    hand_expect_status(&m, ORACLE_OK);
    ref_model_free(&m);
}

/* Faults count where they are reached, which an activity that never happens does not. */
Test(oracle_priorities, faults)
{
    RefModel m = {0};
    int p = ref_process_declare(&m, "P"), q = ref_process_declare(&m, "Q");
    int v = ref_process_declare(&m, "V");
    m.system = hand_leaf(&m, p);
    m.process[q].body = hand_either(&m, hand_timed(&m, "a", 1, p), hand_immediate(&m, "a", 1, p));
    m.process[v].body = hand_either(&m, hand_timed(&m, "t", 1, q), hand_immediate(&m, "i", 1, p));
    m.process[p].body = hand_timed(&m, "go", 1, v);
    hand_expect_status(&m, ORACLE_OK); /* t, which leads to Q, never happens */
    m.process[v].body = hand_either(&m, hand_passive(&m, "t", 1, p), hand_immediate(&m, "i", 1, p));
    hand_expect_status(&m, ORACLE_UNDRIVEN); /* though t would not happen */
    m.process[v].body = hand_either(&m, hand_immediate(&m, "i", 1, v), hand_timed(&m, "t", 1, p));
    hand_expect_status(&m, ORACLE_TIMELESS);
    m.process[v].body =
        hand_either(&m, hand_immediate(&m, "i", 1, q), hand_immediate(&m, "j", 1, p));
    m.process[q].body = hand_immediate(&m, "i", 1, q);
    hand_expect_status(&m, ORACLE_TIMELESS); /* reached with probability 1/2 */
    m.process[q].body = ref_immediate(&m, ref_action(&m, "i"), NULL, ref_stop(&m));
    hand_expect_status(&m, ORACLE_OK); /* in a deadlock time passes */
    m.process[q].body = hand_immediate(&m, "i", 0, q);
    hand_expect_status(&m, ORACLE_BAD_RATE);
    m.process[p].body = hand_immediate(&m, "i", 1, p); /* nothing but vanishing states */
    hand_expect_status(&m, ORACLE_TIMELESS);
    ref_model_free(&m);
}
