#include "reading.h"

#define MODEL  "r = 1; P = (a, r).P;\n"
#define INSIDE " inside a sequential component: a choice or prefix has sequential components only\n"

Test(check_processes, unguarded)
{
    expect_findings(
        "P = P; P", PEPA_EMODEL,
        "1:1: error: process `P` is unguarded: P -> P without an activity in between\n");
    expect_findings("P = Q;\nQ = P; P", PEPA_EMODEL,
                    "1:1: error: process `P` is unguarded: P -> Q -> P without an activity in "
                    "between\n");
    expect_findings(
        MODEL "Q = Q + (a, r).P; Q", PEPA_EMODEL,
        "2:1: error: process `Q` is unguarded: Q -> Q without an activity in between\n");
    expect_findings(MODEL "Q = (a, r).P + R; R = (b, r).R + Q; P", PEPA_EMODEL,
                    "2:1: error: process `Q` is unguarded: Q -> R -> Q without an activity in "
                    "between\n");
    expect_findings(MODEL "Q = (a, r).Q + R; R = (b, r).Q; Q", PEPA_OK,
                    "1:8: warning: process `P` is never used\n");
}

Test(check_processes, cooperation_that_contains_itself)
{
    expect_findings(MODEL "S = P || S; S", PEPA_EMODEL,
                    "2:1: error: `S` contains itself: S -> S\n");
    expect_findings(MODEL "S = (R <a> P)[2]; R = U; U = S / {a}; S", PEPA_EMODEL,
                    "2:1: error: `S` contains itself: S -> R -> U -> S\n");
    expect_findings(MODEL "S = (S + P) || P; P", PEPA_EMODEL,
                    "2:1: error: `S` contains itself: S -> S\n");
}

Test(check_processes, static_inside_sequential)
{
    expect_findings(MODEL "Q = (a, r).(P <a> (P || P)); Q", PEPA_EMODEL,
                    "2:15: error: cooperation" INSIDE);
    expect_findings(MODEL "P + (P || P)", PEPA_EMODEL, "2:8: error: cooperation" INSIDE);
    expect_findings(MODEL "Q = (a, r).P / {a}; Q", PEPA_EMODEL, "2:12: error: hiding" INSIDE);
    expect_findings(MODEL "Q = (a, r).P[2] + P; Q", PEPA_EMODEL, "2:12: error: replication" INSIDE);
    expect_findings(MODEL "(P + P[2]) <a> P", PEPA_EMODEL, "2:6: error: replication" INSIDE);
}

Test(check_processes, static_names_inside_sequential)
{
    expect_findings(MODEL
                    "S = P || P; A = S; H = P / {a}; C = P[2];\nQ = (a, r).S + A; R = H + C;\n"
                    "Q",
                    PEPA_EMODEL,
                    "3:12: error: cooperation inside a sequential component: `S` (line 2) is a "
                    "cooperation\n"
                    "3:16: error: cooperation inside a sequential component: `A` (line 2) is a "
                    "cooperation\n"
                    "3:23: error: hiding inside a sequential component: `H` (line 2) is a hiding\n"
                    "3:27: error: replication inside a sequential component: `C` (line 2) is a "
                    "replication\n");
    expect_findings(MODEL "S = P || P; P + S", PEPA_EMODEL,
                    "2:17: error: cooperation inside a sequential component: `S` (line 2) is a "
                    "cooperation\n");
}

Test(check_processes, long_cycles_are_cut)
{
    Text text = {0}, found = {0};
    PepaStatus status;
    for (int i = 0; i < 100; i++)
        text_add(&text, "P%d = P%d; ", i, (i + 1) % 100);
    text_add(&text, "P0");
    cr_expect_null(read_bytes(text.text, text.length, &status, &found));
    cr_expect_str_eq(
        found.text, "1:1: error: process `P0` is unguarded: P0 -> P1 -> P2 -> P3 -> P4 -> P5 -> P6 "
                    "-> P7 -> ... -> P0 without an activity in between\n");
    text_free(&text);
    text_free(&found);
}
