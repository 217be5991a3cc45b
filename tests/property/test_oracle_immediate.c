/* The referee on immediate actions and their weights: models solved by hand. */
#include "property/by_hand.h"

#include <criterion/criterion.h>

/* Work at rate 2, then with odds 1 : 3 to A, left at rate 1, or B, left at rate 4: a round takes
 * 1/2 + 1/4 + 3/16 on average. */
Test(oracle_immediate, weights)
{
    RefModel m = {0};
    int s = ref_process_declare(&m, "S"), v = ref_process_declare(&m, "V");
    int a = ref_process_declare(&m, "A"), b = ref_process_declare(&m, "B");
    m.process[s].body = hand_timed(&m, "work", 2, v);
    m.process[v].body =
        hand_either(&m, hand_immediate(&m, "x", 1, a), hand_immediate(&m, "y", 3, b));
    m.process[a].body = hand_timed(&m, "a", 1, s);
    m.process[b].body = hand_timed(&m, "b", 4, s);
    m.system = hand_leaf(&m, s);
    OracleResult r = oracle_run(&m, 10);
    hand_expect_graph(r.concrete, 3, 4, 0, 1);
    cr_expect(r.vanishing == 1);
    static const HandKnown throughput[] = {{"work", 16.0 / 15},
                                           {"x", 4.0 / 15},
                                           {"y", 12.0 / 15},
                                           {"a", 4.0 / 15},
                                           {"b", 12.0 / 15}},
                           population[] = {{"S", 8.0 / 15},
                                           {"A", 4.0 / 15},
                                           {"B", 3.0 / 15},
                                           {"V", 0}};
    hand_expect_all(&r.throughput, throughput, 5);
    hand_expect_all(&r.population, population, 4);
    oracle_result_free(&r);
    ref_model_free(&m);
}

/* A vanishing state that goes back to itself three times of four: 3 times on average. */
Test(oracle_immediate, self_loop)
{
    RefModel m = {0};
    int s = ref_process_declare(&m, "S"), v = ref_process_declare(&m, "V");
    m.process[s].body = hand_timed(&m, "go", 2, v);
    m.process[v].body =
        hand_either(&m, hand_immediate(&m, "again", 3, v), hand_immediate(&m, "out", 1, s));
    m.system = hand_leaf(&m, s);
    OracleResult r = oracle_run(&m, 10);
    hand_expect_graph(r.concrete, 1, 1, 0, 1);
    oracle_result_free(&r);
    static const HandKnown known[] = {{"go", 2}, {"again", 6}, {"out", 2}};
    hand_expect_throughputs(&m, known, 3);
}

/* V goes to W, which goes back two times of three: V is passed 3 times on average. */
Test(oracle_immediate, vanishing_cycle)
{
    RefModel m = {0};
    int s = ref_process_declare(&m, "S"), v = ref_process_declare(&m, "V");
    int w = ref_process_declare(&m, "W");
    m.process[s].body = hand_timed(&m, "go", 1, v);
    m.process[v].body = hand_immediate(&m, "forth", 5, w);
    m.process[w].body =
        hand_either(&m, hand_immediate(&m, "back", 2, v), hand_immediate(&m, "out", 1, s));
    m.system = hand_leaf(&m, s);
    static const HandKnown known[] = {{"go", 1}, {"forth", 3}, {"back", 2}, {"out", 1}};
    hand_expect_throughputs(&m, known, 4);
}

/* A gambler with 1 of 4, up twice as likely as down, ends with 4 with probability 8/15, after
 * (4 x 8/15 - 1) / (2/3 - 1/3) = 17/5 games on average (Wald). */
Test(oracle_immediate, gambler)
{
    RefModel m = {0};
    int state[5];
    static const char *const name[] = {"F0", "F1", "F2", "F3", "F4"};
    for (int i = 0; i < 5; i++)
        state[i] = ref_process_declare(&m, name[i]);
    for (int i = 1; i < 4; i++)
        m.process[state[i]].body = hand_either(&m, hand_immediate(&m, "game", 4, state[i + 1]),
                                               hand_immediate(&m, "game", 2, state[i - 1]));
    m.process[state[0]].body = hand_timed(&m, "ruined", 1, state[1]);
    m.process[state[4]].body = hand_timed(&m, "rich", 1, state[1]);
    m.system = hand_leaf(&m, state[0]);
    OracleResult r = oracle_run(&m, 10);
    hand_expect_graph(r.concrete, 2, 4, 0, 1);
    hand_expect(oracle_value(&r.population, "F0"), 7.0 / 15, "F0");
    oracle_result_free(&r);
    static const HandKnown known[] = {{"ruined", 7.0 / 15}, {"rich", 8.0 / 15}, {"game", 17.0 / 5}};
    hand_expect_throughputs(&m, known, 3);
}

/* The queue of test_oracle.c with an immediate step after each arrival and each service. */
Test(oracle_immediate, single_queue)
{
    RefModel m = {0};
    int q[6], in[6], out[6];
    static const char *const name[] = {"Q0", "Q1", "Q2", "Q3", "Q4", "Q5", "I1", "I2",
                                       "I3", "I4", "I5", "O0", "O1", "O2", "O3", "O4"};
    for (int i = 0; i < 6; i++)
        q[i] = ref_process_declare(&m, name[i]);
    for (int i = 0; i < 5; i++) {
        in[i + 1] = ref_process_declare(&m, name[6 + i]);
        out[i] = ref_process_declare(&m, name[11 + i]);
        m.process[in[i + 1]].body = hand_immediate(&m, "enter", 1, q[i + 1]);
        m.process[out[i]].body = hand_immediate(&m, "leave", 7, q[i]);
    }
    for (int i = 0; i < 6; i++) {
        const RefTerm *arrive = i < 5 ? hand_timed(&m, "arrive", 3, in[i + 1]) : NULL;
        const RefTerm *serve = i > 0 ? hand_timed(&m, "serve", 4, out[i - 1]) : NULL;
        m.process[q[i]].body = !serve ? arrive : !arrive ? serve : hand_either(&m, arrive, serve);
    }
    m.system = hand_leaf(&m, q[0]);
    OracleResult r = oracle_run(&m, 100);
    hand_expect_graph(r.concrete, 6, 10, 0, 1);
    cr_expect(r.vanishing == 10);
    oracle_result_free(&r);
    double x5 = 0.75 * 0.75 * 0.75 * 0.75 * 0.75, full = 0.25 * x5 / (1 - 0.75 * x5);
    double rate = 3 * (1 - full);
    const HandKnown known[] = {{"arrive", rate}, {"serve", rate}, {"enter", rate}, {"leave", rate}};
    hand_expect_throughputs(&m, known, 4);
}

/* A server of rate 6 with C = (a, immediate).X + (a, 2 : immediate).Y: timed, with odds 1 : 2. */
Test(oracle_immediate, timed_with_immediate)
{
    RefModel m = {0};
    int s = ref_process_declare(&m, "S"), c = ref_process_declare(&m, "C");
    int x = ref_process_declare(&m, "X"), y = ref_process_declare(&m, "Y");
    m.process[s].body = hand_timed(&m, "a", 6, s);
    m.process[c].body =
        hand_either(&m, hand_immediate(&m, "a", 1, x), hand_immediate(&m, "a", 2, y));
    m.process[x].body = hand_timed(&m, "x", 1, c);
    m.process[y].body = hand_timed(&m, "y", 1, c);
    m.system = ref_coop(&m, hand_leaf(&m, s), hand_set(&m, "a"), hand_leaf(&m, c));
    OracleResult r = oracle_run(&m, 10);
    hand_expect_graph(r.concrete, 3, 4, 0, 1);
    cr_expect(r.vanishing == 0);
    oracle_result_free(&r);
    static const HandKnown known[] = {{"a", 6.0 / 7}, {"x", 2.0 / 7}, {"y", 4.0 / 7}};
    hand_expect_throughputs(&m, known, 3);
}

/* P = (go, 3).(a, immediate).P drives C = (a, T).X + (a, 2 T).Y at once.  With C ready, with C
 * busy, and with P waiting for it, the probabilities are 1, 3 and 9 in 13. */
Test(oracle_immediate, immediate_with_passive)
{
    RefModel m = {0};
    int p = ref_process_declare(&m, "P"), c = ref_process_declare(&m, "C");
    int x = ref_process_declare(&m, "X"), y = ref_process_declare(&m, "Y");
    const RefTerm *a = hand_immediate(&m, "a", 0.5, p);
    m.process[p].body = ref_prefix(&m, ref_action(&m, "go"), ref_number(&m, 3), a);
    m.process[c].body = hand_either(&m, hand_passive(&m, "a", 1, x), hand_passive(&m, "a", 2, y));
    m.process[x].body = hand_timed(&m, "x", 1, c);
    m.process[y].body = hand_timed(&m, "y", 1, c);
    m.system = ref_coop(&m, hand_leaf(&m, p), hand_set(&m, "a"), hand_leaf(&m, c));
    OracleResult r = oracle_run(&m, 10);
    hand_expect_graph(r.concrete, 5, 10, 0, 1);
    cr_expect(r.vanishing == 1);
    oracle_result_free(&r);
    static const HandKnown known[] = {{"go", 12.0 / 13},
                                      {"a", 12.0 / 13},
                                      {"x", 4.0 / 13},
                                      {"y", 8.0 / 13}};
    hand_expect_throughputs(&m, known, 4);
}

/* ((C <a> E) || F) <a> G, after each go of G: C and E of weights 4 and 2 have weight 2, F has 6. */
Test(oracle_immediate, lesser_weight)
{
    RefModel m = {0};
    int c = ref_process_declare(&m, "C"), left = ref_process_declare(&m, "L");
    int e = ref_process_declare(&m, "E"), f = ref_process_declare(&m, "F");
    int right = ref_process_declare(&m, "R"), g = ref_process_declare(&m, "G");
    m.process[c].body = hand_immediate(&m, "a", 4, left);
    m.process[left].body = hand_immediate(&m, "left", 1, c);
    m.process[e].body = hand_immediate(&m, "a", 2, e);
    m.process[f].body = hand_immediate(&m, "a", 6, right);
    m.process[right].body = hand_immediate(&m, "right", 1, f);
    m.process[g].body =
        ref_prefix(&m, ref_action(&m, "go"), ref_number(&m, 1), hand_passive(&m, "a", 1, g));
    uint32_t a = hand_set(&m, "a");
    const RefStatic *both = ref_coop(&m, hand_leaf(&m, c), a, hand_leaf(&m, e));
    m.system = ref_coop(&m, ref_coop(&m, both, 0, hand_leaf(&m, f)), a, hand_leaf(&m, g));
    static const HandKnown known[] = {{"go", 1}, {"a", 1}, {"left", 0.25}, {"right", 0.75}};
    hand_expect_throughputs(&m, known, 4);
}

/* (A[3] || B) <a, b> G: three copies of weight 1 against one of weight 2. */
Test(oracle_immediate, copies_add)
{
    RefModel m = {0};
    int a = ref_process_declare(&m, "A"), b = ref_process_declare(&m, "B");
    int g = ref_process_declare(&m, "G");
    m.process[a].body = hand_immediate(&m, "a", 1, a);
    m.process[b].body = hand_immediate(&m, "b", 2, b);
    const RefTerm *one = hand_either(&m, hand_passive(&m, "a", 1, g), hand_passive(&m, "b", 9, g));
    m.process[g].body = ref_prefix(&m, ref_action(&m, "go"), ref_number(&m, 5), one);
    const RefStatic *three = ref_copies(&m, hand_leaf(&m, a), ref_number(&m, 3), 0);
    m.system = ref_coop(&m, ref_coop(&m, three, 0, hand_leaf(&m, b)),
                        hand_set(&m, "a") | hand_set(&m, "b"), hand_leaf(&m, g));
    static const HandKnown known[] = {{"go", 5}, {"a", 3}, {"b", 2}};
    hand_expect_throughputs(&m, known, 3);
}

/* Three machines on the left or on the right, each moving by itself at rates 1 and 2; D goes left
 * or right with odds as there are machines, and not where there is none. */
Test(oracle_immediate, functional_weights)
{
    RefModel m = {0};
    int d = ref_process_declare(&m, "D"), v = ref_process_declare(&m, "V");
    int l = ref_process_declare(&m, "L"), r = ref_process_declare(&m, "R");
    const RefTerm *home = ref_constant(&m, d);
    m.process[d].body = hand_timed(&m, "go", 6, v);
    m.process[v].body =
        hand_either(&m, ref_immediate(&m, ref_action(&m, "left"), ref_count(&m, l), home),
                    ref_immediate(&m, ref_action(&m, "right"), ref_count(&m, r), home));
    m.process[l].body = hand_timed(&m, "swap", 1, r);
    m.process[r].body = hand_timed(&m, "swap", 2, l);
    m.system =
        ref_coop(&m, hand_leaf(&m, d), 0, ref_copies(&m, hand_leaf(&m, l), ref_number(&m, 3), 0));
    OracleResult found = oracle_run(&m, 100);
    hand_expect_graph(found.concrete, 8, 8 * 4, 0, 1);
    hand_expect_graph(found.counted, 4, 4 + 6, 0, 1);
    hand_expect(oracle_value(&found.population, "L"), 2, "L");
    oracle_result_free(&found);
    static const HandKnown known[] = {{"go", 6}, {"left", 4}, {"right", 2}, {"swap", 4}};
    hand_expect_throughputs(&m, known, 4);
}

/* ((go, 2).(a, immediate).(b, immediate).P) / {a, b}: two of tau for each go. */
Test(oracle_immediate, hidden)
{
    RefModel m = {0};
    int p = ref_process_declare(&m, "P"), q = ref_process_declare(&m, "Q");
    m.process[q].body = ref_immediate(&m, ref_action(&m, "a"), NULL, hand_immediate(&m, "b", 3, p));
    m.process[p].body = hand_timed(&m, "go", 2, q);
    m.system = ref_hide(&m, hand_leaf(&m, p), hand_set(&m, "a") | hand_set(&m, "b"));
    static const HandKnown known[] = {{"go", 2}, {"tau", 4}};
    hand_expect_throughputs(&m, known, 2);
}

/* Time begins in A with probability 1/4 and in B with 3/4, and neither is ever left. */
Test(oracle_immediate, initial_state_vanishes)
{
    RefModel m = {0};
    int v = ref_process_declare(&m, "V"), a = ref_process_declare(&m, "A");
    int b = ref_process_declare(&m, "B");
    m.process[v].body =
        hand_either(&m, hand_immediate(&m, "x", 1, a), hand_immediate(&m, "y", 3, b));
    m.process[a].body = hand_timed(&m, "a", 1, a);
    m.process[b].body = hand_timed(&m, "b", 2, b);
    m.system = hand_leaf(&m, v);
    OracleResult r = oracle_run(&m, 10);
    hand_expect_graph(r.concrete, 2, 2, 0, 2);
    hand_expect(oracle_value(&r.population, "B"), 0.75, "B");
    oracle_result_free(&r);
    static const HandKnown known[] = {{"x", 0}, {"y", 0}, {"a", 0.25}, {"b", 1.5}};
    hand_expect_throughputs(&m, known, 4);
}
