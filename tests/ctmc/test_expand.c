/* What states are expanded to: moves that are alike are one, copies are sorted, against results by
 * hand. */
#include "planned.h"

/* What watches for rates that meet has no moves and no faults of its own: R drives Q, P is busy. */
Test(expand, suspects_do_not_move)
{
    static const char *const texts[] =
        {"P = (a, 1).P1; P1 = (b, 1).P; Q = (a, T).Q1; Q1 = (c, 1).Q; R = (a, 5).R;\n"
         "(P || Q) <a> R",
         "P = (a, 1).P1; P1 = (b, 1).P; Q = (a, T).Q1; Q1 = (c, 1).Q; R = (a, 5).R;\n"
         "(P[100] || Q[100]) <a> R"};
    for (int32_t i = 0; i < 2; i++) {
        Planned *p = planned(texts[i]);
        const int32_t *from = i ? (int32_t[]){0, 100, 1, 99, 0} : (int32_t[]){1, 0, 0};
        const int32_t *to = i ? (int32_t[]){0, 100, 0, 100, 0} : (int32_t[]){1, 1, 0};
        const int32_t event = event_of(&p->c, "a", true);
        cr_assert_eq(p->plans.events[event].kind, i ? PLAN_COMPOSED : PLAN_TABLE);
        cr_assert_eq(expand(p, from), EXPANDED);
        cr_assert_eq(p->block.moves, i ? 3 : 2); /* a; b; and c of those Q that did a */
        cr_assert_float_eq(rate_to(p, "a", to), 5, 1e-12);
        planned_free(p);
    }
}

/* What is interpreted may leave the state as it is. */
Test(expand, functional_self_loops_are_expected)
{
    Planned *p = planned("P = (a, P).P + (b, 1).Q; Q = (c, 1).P; P[2]");
    cr_assert_eq(expand(p, (int32_t[]){2, 0}), EXPANDED);
    cr_assert_float_eq(rate_to(p, "a", (int32_t[]){2, 0}), 4, 1e-13);
    cr_assert(p->plans.self_loops);
    planned_free(p);
}

/* Moves alike in action and target are one, at the sum of their rates. */
Test(expand, duplicates_are_merged)
{
    Planned *p = planned("P = (a, 1).Q + (b, 2).Q + (c, 4).P; Q = (d, 1).P; (P || P) / {a, b, c}");
    cr_assert_eq(expand(p, (int32_t[]){0, 0}), EXPANDED);
    cr_assert_eq(p->block.moves, 3);
    cr_assert_float_eq(rate_to(p, "tau", (int32_t[]){1, 0}), 3, 1e-13);
    cr_assert_float_eq(rate_to(p, "tau", (int32_t[]){0, 1}), 3, 1e-13);
    cr_assert_float_eq(rate_to(p, "tau", (int32_t[]){0, 0}), 8, 1e-13);
    cr_assert(p->plans.self_loops);
    planned_free(p);
}

/* Two actions of one slot share it, though no third does. */
Test(expand, two_hidden_actions_of_a_slot)
{
    Planned *p = planned("P = (a, 1).Q + (b, 2).Q; Q = (d, 1).P; P / {a, b}");
    cr_assert_eq(expand(p, (int32_t[]){0}), EXPANDED);
    cr_assert_eq(p->block.moves, 1);
    cr_assert_float_eq(rate_to(p, "tau", (int32_t[]){1}), 3, 1e-13);
    planned_free(p);
}

/* M is looked at between a and c, with which it shares no slot. */
Test(expand, hidden_actions_that_share_a_slot_with_an_earlier_one)
{
    Planned *p = planned("P = (a, 1).Q + (c, 4).Q; Q = (d, 1).P; M = (m, 1).N; N = (n, 1).M;\n"
                         "R = (c, 10).R + (e, 1).S; S = (f, 1).U; U = (g, 1).R;\n"
                         "((P || M) <c> R) / {a, c, m}");
    cr_assert_eq(expand(p, (int32_t[]){0, 0, 0}), EXPANDED);
    cr_assert_eq(p->block.moves, 3); /* of P, M and R */
    cr_assert_float_eq(rate_to(p, "tau", (int32_t[]){1, 0, 0}), 5, 1e-13);
    cr_assert_float_eq(rate_to(p, "tau", (int32_t[]){0, 1, 0}), 1, 1e-13);
    planned_free(p);
}

/* Self-loops of different slots are one transition, whatever comes between. */
Test(expand, hidden_self_loops)
{
    Planned *p = planned("P = (a, 1).P; Q = (b, 2).Q; (P || Q) / {a, b}");
    cr_assert_eq(p->c.system->cell_count, 1);
    cr_assert_eq(expand(p, (int32_t[]){0}), EXPANDED);
    cr_assert_eq(p->block.moves, 1);
    cr_assert_float_eq(rate_to(p, "tau", (int32_t[]){0}), 3, 1e-13);
    planned_free(p);
    p = planned("P = (a, 1).P; Q = (b, 2).S; S = (d, 1).Q; R = (c, 3).R;\n"
                "(P || Q || R) / {a, b, c}");
    /* the cell of Q, then that of P and R, which never change */
    cr_assert_eq(expand(p, (int32_t[]){0, 0}), EXPANDED);
    cr_assert_eq(p->block.moves, 2);
    cr_assert_float_eq(rate_to(p, "tau", (int32_t[]){0, 0}), 4, 1e-13);
    cr_assert_float_eq(rate_to(p, "tau", (int32_t[]){1, 0}), 2, 1e-13);
    planned_free(p);
}

/* Both local states of P stay where they are: that is told by the table of P. */
Test(expand, self_loops_in_a_table_of_an_operand)
{
    Planned *p = planned("P = (a, 1).P + (b, 1).Q; Q = (a, 2).Q + (b, 1).P; R = (a, 3).S;\n"
                         "S = (c, 1).R; P[100] || R[100]");
    cr_assert_eq(plan_of(p, "a")->kind, PLAN_COMPOSED);
    for (int32_t again = 0; again < 2; again++) {
        cr_assert_eq(expand(p, (int32_t[]){40, 60, 20, 80}), EXPANDED);
        cr_assert_eq(p->block.moves, 2 + 2 + 1); /* by a, b and c */
        cr_assert_float_eq(rate_to(p, "a", (int32_t[]){40, 60, 20, 80}), 160, 1e-12);
        cr_assert_float_eq(rate_to(p, "a", (int32_t[]){40, 60, 19, 81}), 60, 1e-12);
    }
    planned_free(p);
}

/* Functional activities alike in action and target, which are evaluated in each state. */
Test(expand, functional_duplicates_are_merged)
{
    Planned *p = planned("P = (a, P).Q + (a, 2 * P).Q; Q = (b, 1).P; P[3]");
    cr_assert_eq(expand(p, (int32_t[]){2, 1}), EXPANDED);
    cr_assert_eq(p->block.moves, 2);
    cr_assert_float_eq(rate_to(p, "a", (int32_t[]){1, 2}), 2 * (2 + 4), 1e-13);
    planned_free(p);
}

/* What is merged stands where its first move stood, before a move to S. */
Test(expand, merged_moves_keep_their_order)
{
    Planned *p = planned("P = (a, 1).Q + (b, 2).S + (c, 4).Q; Q = (d, 1).P; S = (e, 1).P;\n"
                         "P / {a, b, c}");
    cr_assert_eq(expand(p, (int32_t[]){0}), EXPANDED);
    cr_assert_eq(p->block.moves, 2);
    cr_assert_eq(p->block.target[0], 1);
    cr_assert_eq(p->block.target[1], 2);
    cr_assert_float_eq(rate_to(p, "tau", (int32_t[]){1}), 5, 1e-13);
    planned_free(p);
}

/* Three of 21 bits fill the first word: moves of P and Q differ in the second alone. */
Test(expand, duplicates_over_two_words)
{
    Planned *p = planned(
        "F = (f, 1).G; G = (g, 1).F; P = (a, 1).P1 + (b, 2).P1; P1 = (c, 1).P;\n"
        "Q = (x, 3).Q1 + (y, 4).Q1; Q1 = (d, 1).Q;\n"
        "((F[1500000] || F[1500000] || F[1500000] || F[1500000]) || P || Q) / {a, b, x, y}");
    const int32_t all = 1500000, from[] = {0, all, 0, all, 0, all, 0, all, 0, 0};
    int32_t to[10];
    cr_assert_eq(p->c.system->words, 2);
    cr_assert(p->c.system->fields[8].word == 1 && p->c.system->fields[9].word == 1);
    cr_assert_eq(expand(p, from), EXPANDED);
    cr_assert_eq(p->block.moves, 4 + 2);
    for (int32_t cell = 8; cell < 10; cell++) {
        memcpy(to, from, sizeof to);
        to[cell] = 1;
        cr_assert_float_eq(rate_to(p, "tau", to), cell == 8 ? 3 : 7, 1e-13);
    }
    planned_free(p);
}

/* ---- copies of composites ------------------------------------------------------------------ */

/* Three copies alike, and two that differ from them and from each other. */
Test(expand, equal_copies_move_at_once)
{
    Planned *p = planned("P = (a, 1).Q; Q = (b, 1).P; R = (c, 1).S; S = (d, 1).R; (P || R)[5]");
    cr_assert_eq(expand(p, (int32_t[]){0, 0, 0, 0, 0, 0, 0, 1, 1, 0}), EXPANDED);
    cr_assert_float_eq(rate_to(p, "a", (int32_t[]){0, 0, 0, 0, 0, 1, 1, 0, 1, 0}), 3, 1e-13);
    cr_assert_float_eq(rate_to(p, "a", (int32_t[]){0, 0, 0, 0, 0, 0, 1, 0, 1, 1}), 1, 1e-13);
    cr_assert_float_eq(rate_to(p, "c", (int32_t[]){0, 0, 0, 0, 0, 1, 0, 1, 1, 0}), 3, 1e-13);
    cr_assert_float_eq(rate_to(p, "c", (int32_t[]){0, 0, 0, 0, 0, 0, 0, 1, 1, 1}), 1, 1e-13);
    cr_assert_float_eq(rate_to(p, "d", (int32_t[]){0, 0, 0, 0, 0, 0, 0, 0, 1, 0}), 1, 1e-13);
    cr_assert_float_eq(rate_to(p, "b", (int32_t[]){0, 0, 0, 0, 0, 0, 0, 0, 0, 1}), 1, 1e-13);
    cr_assert_eq(p->block.moves, 6);
    planned_free(p);
}

/* Each of two copies stays where it is; b is out of reach of S, and P never does d. */
Test(expand, self_loops_of_two_copies)
{
    Planned *p = planned("P = (a, 1).P + (b, 1).Q; Q = (a, 2).Q; R = (b, 1).S; S = (d, 1).R;\n"
                         "(P <b, d> R)[2]");
    cr_assert_eq(expand(p, (int32_t[]){0, 1, 1, 1}), EXPANDED);
    cr_assert_eq(p->block.moves, 1);
    cr_assert_float_eq(rate_to(p, "a", (int32_t[]){0, 1, 1, 1}), 3, 1e-13);
    planned_free(p);
}

Test(expand, faults)
{
    Planned *p = planned("P = (a, T).Q; Q = (b, 1).P; P");
    cr_assert_eq(expand(p, (int32_t[]){0}), EXPAND_FAULTY);
    cr_assert_eq(expand(p, (int32_t[]){1}), EXPANDED);
    planned_free(p);
}
