/* The referee itself, against models solved by hand or in closed form. */
#include "property/by_hand.h"

#include <criterion/criterion.h>

/* Arrivals 3, service 4, room for 5: throughput 3 (1 - p5) with p5 = (1-x) x^5 / (1 - x^6). */
Test(oracle, single_queue)
{
    RefModel m = {0};
    int q[6];
    static const char *const name[] = {"Q0", "Q1", "Q2", "Q3", "Q4", "Q5"};
    for (int i = 0; i < 6; i++)
        q[i] = ref_process_declare(&m, name[i]);
    for (int i = 0; i < 6; i++) {
        const RefTerm *in = i < 5 ? hand_timed(&m, "arrive", 3, q[i + 1]) : NULL;
        const RefTerm *out = i > 0 ? hand_timed(&m, "serve", 4, q[i - 1]) : NULL;
        m.process[q[i]].body = in && out ? hand_either(&m, in, out) : in ? in : out;
    }
    m.system = hand_leaf(&m, q[0]);
    OracleResult r = oracle_run(&m, 100);
    hand_expect_graph(r.concrete, 6, 10, 0, 1);
    double x5 = 0.75 * 0.75 * 0.75 * 0.75 * 0.75, full = 0.25 * x5 / (1 - 0.75 * x5);
    hand_expect(oracle_value(&r.throughput, "serve"), 3 * (1 - full), "serve");
    hand_expect(oracle_value(&r.throughput, "arrive"), 3 * (1 - full), "arrive");
    hand_expect(oracle_value(&r.population, "Q5"), full, "Q5");
    oracle_result_free(&r);
    ref_model_free(&m);
}

/* A key server and n clients: KDC = (response, rp).KDC, C = (response, T).(think, rx).C. */
static RefModel key_server(int clients, double rp, double rx)
{
    RefModel m = {0};
    int server = ref_process_declare(&m, "KDC"), client = ref_process_declare(&m, "C");
    m.process[server].body = hand_timed(&m, "response", rp, server);
    m.process[client].body =
        ref_passive(&m, ref_action(&m, "response"), NULL, hand_timed(&m, "think", rx, client));
    m.system = ref_coop(&m, hand_leaf(&m, server), hand_set(&m, "response"),
                        ref_copies(&m, hand_leaf(&m, client), ref_number(&m, clients), 0));
    return m;
}

/* Utilisations published with the model, to the nine digits given there. */
Test(oracle, key_server)
{
    static const struct {
        int clients;
        double busy;
    } known[] = {{5, 0.722553457}, {10, 0.983267817}};
    for (int i = 0; i < 2; i++) {
        RefModel m = key_server(known[i].clients, 1, 1 / (4 + 1 / 1.1));
        OracleResult r = oracle_run(&m, 2000);
        int n = known[i].clients;
        cr_expect(r.concrete.states == (size_t)1 << n && r.counted.states == (size_t)n + 1);
        double busy = oracle_value(&r.throughput, "response");
        cr_expect(busy - known[i].busy < 5e-10 && known[i].busy - busy < 5e-10, "%.12g", busy);
        hand_expect(oracle_value(&r.throughput, "think"), busy, "think");
        cr_expect(r.position_count == 2 && r.position[1].copies == n);
        hand_expect(oracle_value(&r.position[1].share, "C_2") * n,
                    oracle_value(&r.population, "C_2"), "C_2");
        oracle_result_free(&r);
        ref_model_free(&m);
    }
}

/* Benoit, Cole, Gilmore and Hillston 2004: three stages on three processors of their own. */
Test(oracle, pipeline)
{
    static const char *const move[] = {"move1", "move2", "move3", "move4"};
    static const char *const work[] = {"process1", "process2", "process3"};
    static const char *const stage[] = {"Stage1", "Stage2", "Stage3"};
    RefModel m = {0};
    int network = ref_process_declare(&m, "Network"), processor = ref_process_declare(&m, "Proc");
    const RefTerm *moves[4], *works[3];
    const RefStatic *stages = NULL;
    uint32_t move_set = 0, work_set = 0;
    for (int i = 0; i < 4; i++) {
        moves[i] = hand_timed(&m, move[i], 1e4, network);
        move_set |= hand_set(&m, move[i]);
    }
    for (int i = 0; i < 3; i++) {
        works[i] = hand_timed(&m, work[i], 10, processor);
        work_set |= hand_set(&m, work[i]);
        int s = ref_process_declare(&m, stage[i]);
        m.process[s].body = ref_passive(&m, ref_action(&m, move[i]), NULL,
                                        ref_passive(&m, ref_action(&m, work[i]), NULL,
                                                    hand_passive(&m, move[i + 1], 1, s)));
        const RefStatic *one = hand_leaf(&m, s);
        stages = stages ? ref_coop(&m, stages, hand_set(&m, move[i]), one) : one;
    }
    m.process[network].body = ref_choice(&m, moves, 4);
    m.process[processor].body = ref_choice(&m, works, 3);
    m.system = ref_coop(&m, ref_coop(&m, hand_leaf(&m, network), move_set, stages), work_set,
                        hand_leaf(&m, processor));
    OracleResult r = oracle_run(&m, 100);
    hand_expect_graph(r.concrete, 27, 51, 0, 1);
    double rate = oracle_value(&r.throughput, "process1");
    cr_expect(rate - 5.634666690 < 5e-10 && 5.634666690 - rate < 5e-10, "%.12g", rate);
    cr_expect(oracle_value(&r.position[1].share, "Stage1_3") > 0);
    oracle_result_free(&r);
    ref_model_free(&m);
}

/* A server of rate 6 drives C = (a, T).X + (a, 2 T).Y: X and Y with odds 1 : 2. */
Test(oracle, weights)
{
    RefModel m = {0};
    int s = ref_process_declare(&m, "S"), c = ref_process_declare(&m, "C");
    int x = ref_process_declare(&m, "X"), y = ref_process_declare(&m, "Y");
    m.process[s].body = hand_timed(&m, "a", 6, s);
    m.process[c].body = hand_either(&m, hand_passive(&m, "a", 1, x), hand_passive(&m, "a", 2, y));
    m.process[x].body = hand_timed(&m, "x", 1, c);
    m.process[y].body = hand_timed(&m, "y", 1, c);
    m.system = ref_coop(&m, hand_leaf(&m, s), hand_set(&m, "a"), hand_leaf(&m, c));
    OracleResult r = oracle_run(&m, 10);
    hand_expect_graph(r.concrete, 3, 4, 0, 1);
    hand_expect(oracle_value(&r.throughput, "a"), 6.0 / 7, "a");
    hand_expect(oracle_value(&r.throughput, "x"), 2.0 / 7, "x");
    hand_expect(oracle_value(&r.throughput, "y"), 4.0 / 7, "y");
    oracle_result_free(&r);
    ref_model_free(&m);
}

/* ((C <a> E) || F) <a> S: C and E passive with weights 4 and 2 cooperate with weight min(4, 2), so
 * that C and F, of weight 2, share the rate 8 of S evenly.  By balance the states C F, X F, C Z and
 * X Z have probabilities 1, 4, 4 and 32 in 41. */
Test(oracle, passive_on_both_sides)
{
    RefModel m = {0};
    int s = ref_process_declare(&m, "S"), e = ref_process_declare(&m, "E");
    int c = ref_process_declare(&m, "C"), x = ref_process_declare(&m, "X");
    int f = ref_process_declare(&m, "F"), z = ref_process_declare(&m, "Z");
    m.process[s].body = hand_timed(&m, "a", 8, s);
    m.process[e].body = hand_passive(&m, "a", 2, e);
    m.process[c].body = hand_passive(&m, "a", 4, x);
    m.process[x].body = hand_timed(&m, "x", 1, c);
    m.process[f].body = hand_passive(&m, "a", 2, z);
    m.process[z].body = hand_timed(&m, "z", 1, f);
    const RefStatic *both = ref_coop(&m, hand_leaf(&m, c), hand_set(&m, "a"), hand_leaf(&m, e));
    m.system =
        ref_coop(&m, ref_coop(&m, both, 0, hand_leaf(&m, f)), hand_set(&m, "a"), hand_leaf(&m, s));
    OracleResult r = oracle_run(&m, 10);
    hand_expect_graph(r.concrete, 4, 8, 0, 1);
    hand_expect(oracle_value(&r.throughput, "a"), 72.0 / 41, "a");
    hand_expect(oracle_value(&r.throughput, "x"), 36.0 / 41, "x");
    hand_expect(oracle_value(&r.throughput, "z"), 36.0 / 41, "z");
    oracle_result_free(&r);
    ref_model_free(&m);
}

/* Two copies of P = (a, 2).P' against Q = (a, 3).Q: apparent rate min(2 + 2, 3), then min(2, 3). */
Test(oracle, apparent_rates)
{
    RefModel m = {0};
    int p = ref_process_declare(&m, "P"), stop = ref_process_declare(&m, "P'");
    int q = ref_process_declare(&m, "Q");
    m.process[p].body = hand_timed(&m, "a", 2, stop);
    m.process[stop].body = hand_timed(&m, "b", 1, p);
    m.process[q].body = hand_timed(&m, "a", 3, q);
    m.system = ref_coop(&m, ref_copies(&m, hand_leaf(&m, p), ref_number(&m, 2), 0),
                        hand_set(&m, "a"), hand_leaf(&m, q));
    OracleResult r = oracle_run(&m, 10);
    hand_expect_graph(r.concrete, 4, 8, 0, 1);
    hand_expect_graph(r.counted, 3, 4, 0, 1);
    /* birth and death: 3 p0 = p1, 2 p1 = 2 p2 */
    hand_expect(oracle_value(&r.throughput, "a"), (3 + 2 * 3) / 7.0, "a");
    oracle_result_free(&r);
    ref_model_free(&m);
}

/* P = S + S with S = (a, 2).S does a twice as often as S; a self-loop is one transition. */
Test(oracle, equal_activities_add)
{
    RefModel m = {0};
    int s = ref_process_declare(&m, "S"), p = ref_process_declare(&m, "P");
    m.process[s].body = hand_timed(&m, "a", 2, p);
    m.process[p].body = hand_either(&m, ref_constant(&m, s), ref_constant(&m, s));
    m.system = hand_leaf(&m, p);
    OracleResult r = oracle_run(&m, 10);
    hand_expect_graph(r.concrete, 1, 1, 0, 1);
    hand_expect(oracle_value(&r.throughput, "a"), 4, "a");
    oracle_result_free(&r);
    ref_model_free(&m);
}

/* P = Q is a local state of its own, left for ever. */
Test(oracle, alias)
{
    RefModel m = {0};
    int p = ref_process_declare(&m, "P"), q = ref_process_declare(&m, "Q");
    m.process[p].body = ref_constant(&m, q);
    m.process[q].body = hand_timed(&m, "a", 2, q);
    m.system = hand_leaf(&m, p);
    OracleResult r = oracle_run(&m, 10);
    hand_expect_graph(r.concrete, 2, 2, 0, 1);
    hand_expect(oracle_value(&r.population, "P"), 0, "P");
    hand_expect(oracle_value(&r.population, "Q"), 1, "Q");
    oracle_result_free(&r);
    ref_model_free(&m);
}

/* P = (a, 1).A + (b, 3).Stop, A = (c, 2).A: a quarter of the runs ends in A. */
Test(oracle, bottom_components)
{
    RefModel m = {0};
    int p = ref_process_declare(&m, "P"), a = ref_process_declare(&m, "A");
    const RefTerm *end = ref_prefix(&m, ref_action(&m, "b"), ref_number(&m, 3), ref_stop(&m));
    m.process[p].body = hand_either(&m, hand_timed(&m, "a", 1, a), end);
    m.process[a].body = hand_timed(&m, "c", 2, a);
    m.system = hand_leaf(&m, p);
    OracleResult r = oracle_run(&m, 10);
    hand_expect_graph(r.concrete, 3, 3, 1, 2);
    hand_expect(oracle_value(&r.throughput, "c"), 0.5, "c");
    hand_expect(oracle_value(&r.population, "Stop"), 0.75, "Stop");
    oracle_result_free(&r);
    ref_model_free(&m);
}

/* ((P <a> P) / {a}) <a> P: the inner a is tau, and the outer P, sharing with nobody, is blocked. */
Test(oracle, hiding)
{
    RefModel m = {0};
    int p = ref_process_declare(&m, "P");
    m.process[p].body = hand_either(&m, hand_timed(&m, "a", 5, p), hand_timed(&m, "b", 1, p));
    uint32_t a = hand_set(&m, "a");
    const RefStatic *inner = ref_hide(&m, ref_coop(&m, hand_leaf(&m, p), a, hand_leaf(&m, p)), a);
    m.system = ref_coop(&m, inner, a, hand_leaf(&m, p));
    OracleResult r = oracle_run(&m, 10);
    hand_expect_graph(r.concrete, 1, 2, 0, 1);
    hand_expect(oracle_value(&r.throughput, "tau"), 5, "tau");
    hand_expect(oracle_value(&r.throughput, "b"), 3, "b");
    oracle_result_free(&r);
    ref_model_free(&m);
}

/* <*> shares what both sides can ever do, and nothing that is hidden. */
Test(oracle, all_shared_actions)
{
    RefModel m = {0};
    int p = ref_process_declare(&m, "P"), q = ref_process_declare(&m, "Q");
    m.process[p].body = hand_either(&m, hand_timed(&m, "a", 5, p), hand_timed(&m, "b", 1, p));
    m.process[q].body = hand_either(&m, hand_timed(&m, "a", 3, q), hand_timed(&m, "c", 1, q));
    RefStatic *all = ref_coop(&m, hand_leaf(&m, p), 0, hand_leaf(&m, q));
    all->star = true;
    m.system = all;
    OracleResult r = oracle_run(&m, 10);
    hand_expect(oracle_value(&r.throughput, "a"), 3, "a shared");
    oracle_result_free(&r);
    all->left = ref_hide(&m, hand_leaf(&m, p), hand_set(&m, "a"));
    r = oracle_run(&m, 10);
    hand_expect(oracle_value(&r.throughput, "a"), 3, "a alone");
    hand_expect(oracle_value(&r.throughput, "tau"), 5, "tau");
    oracle_result_free(&r);
    ref_model_free(&m);
}

/* Machines that fail (1) and are mended (3 each, so many menders): Shop's rate is 3 x Broken, and
 * with nothing broken it cannot mend.  The machines are independent: each is up 3/4 of the time. */
Test(oracle, functional_rate)
{
    RefModel m = {0};
    int shop = ref_process_declare(&m, "Shop"), up = ref_process_declare(&m, "Up");
    int broken = ref_process_declare(&m, "Broken");
    const RefRate *rate = ref_operation(&m, REF_MUL, ref_number(&m, 3), ref_count(&m, broken));
    m.process[shop].body = ref_prefix(&m, ref_action(&m, "mend"), rate, ref_constant(&m, shop));
    m.process[up].body = hand_timed(&m, "fail", 1, broken);
    m.process[broken].body = hand_passive(&m, "mend", 1, up);
    const RefStatic *machines = ref_copies(&m, hand_leaf(&m, up), ref_number(&m, 4), 0);
    m.system = ref_coop(&m, hand_leaf(&m, shop), hand_set(&m, "mend"), machines);
    OracleResult r = oracle_run(&m, 100);
    hand_expect_graph(r.concrete, 16, 64, 0, 1);
    hand_expect_graph(r.counted, 5, 8, 0, 1);
    hand_expect(oracle_value(&r.position[1].share, "Up"), 0.75, "Up");
    hand_expect(oracle_value(&r.throughput, "mend"), 3, "mend");
    oracle_result_free(&r);
    m.system = hand_leaf(&m, broken); /* a rate that is nowhere used may be what it likes */
    r = oracle_run(&m, 100);
    cr_expect(r.status == ORACLE_UNDRIVEN);
    oracle_result_free(&r);
    ref_model_free(&m);
}

/* (P[2] || Q)[2] with P and Q of two local states: 2^6 states, and counted multisets of two from
 * 3 x 2; six transitions out of each. */
Test(oracle, nested_copies)
{
    RefModel m = {0};
    int p = ref_process_declare(&m, "P"), p1 = ref_process_declare(&m, "P1");
    m.process[p].body = hand_timed(&m, "a", 1, p1);
    m.process[p1].body = hand_timed(&m, "b", 3, p);
    const RefStatic *pair = ref_copies(&m, hand_leaf(&m, p), ref_number(&m, 2), 0);
    const RefStatic *cell = ref_coop(&m, pair, 0, hand_leaf(&m, p));
    m.system = ref_copies(&m, cell, ref_number(&m, 2), 0);
    OracleResult r = oracle_run(&m, 100);
    hand_expect_graph(r.concrete, 64, 64 * 6, 0, 1);
    cr_expect(r.counted.states == 21);
    cr_expect(r.position_count == 2 && r.position[0].copies == 4 && r.position[1].copies == 2);
    hand_expect(oracle_value(&r.position[0].share, "P"), 0.75, "P");
    hand_expect(oracle_value(&r.population, "P1"), 1.5, "P1");
    oracle_result_free(&r);
    ref_model_free(&m);
}

/* Faults count where they are reached, and in parts that are blocked too. */
Test(oracle, faults)
{
    RefModel m = {0};
    int p = ref_process_declare(&m, "P"), q = ref_process_declare(&m, "Q");
    m.process[p].body = hand_timed(&m, "a", 1, q);
    m.process[q].body = hand_either(&m, hand_timed(&m, "b", 1, p), hand_passive(&m, "b", 1, p));
    m.system = hand_leaf(&m, p);
    OracleResult r = oracle_run(&m, 10);
    cr_expect(r.status == ORACLE_MIXED);
    m.system = ref_hide(&m, hand_leaf(&m, q), hand_set(&m, "b"));
    r = oracle_run(&m, 10);
    cr_expect(r.status == ORACLE_MIXED || r.status == ORACLE_UNDRIVEN);
    m.process[q].body = hand_passive(&m, "b", 1, p);
    r = oracle_run(&m, 10);
    cr_expect(r.status == ORACLE_UNDRIVEN);
    m.process[p].body = hand_timed(&m, "a", 1, p); /* Q is no longer reached */
    m.system = hand_leaf(&m, p);
    r = oracle_run(&m, 10);
    cr_expect(r.status == ORACLE_OK);
    oracle_result_free(&r);
    const RefRate *negative = ref_operation(&m, REF_SUB, ref_count(&m, q), ref_number(&m, 1));
    m.process[p].body = ref_prefix(&m, ref_action(&m, "a"), negative, ref_constant(&m, p));
    r = oracle_run(&m, 10);
    cr_expect(r.status == ORACLE_BAD_RATE);
    cr_expect(oracle_run(&m, 0).status != ORACLE_OK);
    ref_model_free(&m);
}
