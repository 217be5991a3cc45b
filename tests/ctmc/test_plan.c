/* How events are planned, and what tables and compositions answer, against results by hand. */
#include "planned.h"

/* A digit for each cell that decides: whether P can do a, whether R can; how many copies can. */
Test(plan, tables_by_few_digits)
{
    Planned *p = planned("P = (a, 1).Q; Q = (b, 1).P; R = (a, 1).S; S = (c, 1).R; P <a> R");
    cr_assert_eq(plan_of(p, "a")->kind, PLAN_TABLE);
    cr_assert_eq(p->plans.entry_count, 2 * 2 + 2 + 2);
    planned_free(p);
    p = planned("P = (a, 1).Q; Q = (b, 1).P; R = (a, 1).S; S = (c, 1).R; P[5] <a> R");
    cr_assert_eq(p->plans.entry_count, 6 * 2 + 6 + 2);
    planned_free(p);
}

/* 101 x 101 entries are too many: the operands have tables, of which the apparent rate is
 * wanted. */
Test(plan, composition_of_operands)
{
    Planned *p = planned("P = (a, 1).Q; Q = (b, 1).P; R = (a, 3).S; S = (c, 1).R;\n"
                         "P[100] <a> R[100]");
    const System *s = p->c.system;
    const int32_t root = s->events[event_of(&p->c, "a", false)].prog;
    cr_assert_eq(plan_of(p, "a")->kind, PLAN_COMPOSED);
    cr_assert_eq(p->plans.entry_count, 4 * 101);
    cr_assert(p->plans.operand[2 * (root + 1) + 1] >= 0 && p->plans.operand[2 * (root + 1)] < 0);
    /* 40 x 1 against 20 x 3: the least is 40 */
    cr_assert_eq(expand(p, (int32_t[]){40, 60, 20, 80}), EXPANDED);
    cr_assert_eq(p->block.moves, 3);
    cr_assert_float_eq(rate_to(p, "a", (int32_t[]){39, 61, 19, 81}), 40, 1e-13);
    cr_assert_float_eq(rate_to(p, "b", (int32_t[]){41, 59, 20, 80}), 60, 1e-13);
    cr_assert_float_eq(rate_to(p, "c", (int32_t[]){40, 60, 21, 79}), 80, 1e-13);
    planned_free(p);
}

/* One slot too large for a table is composed from those of its local states. */
Test(plan, composition_of_local_states)
{
    Planned *p = planned("P = (a, 1).R; Q = (a, 2).R; R = (b, 1).P + (c, 1).Q; P[1000]");
    cr_assert_eq(plan_of(p, "a")->kind, PLAN_COMPOSED);
    cr_assert_eq(expand(p, (int32_t[]){7, 300, 693}), EXPANDED); /* P, R, Q by discovery */
    cr_assert_float_eq(rate_to(p, "a", (int32_t[]){6, 301, 693}), 7, 1e-13);
    cr_assert_float_eq(rate_to(p, "a", (int32_t[]){7, 301, 692}), 2 * 693, 1e-12);
    cr_assert_float_eq(rate_to(p, "b", (int32_t[]){8, 299, 693}), 300, 1e-13);
    cr_assert_eq(p->block.moves, 4);
    planned_free(p);
}

/* The apparent rate of 7 x 1 + 693 x 2 is wanted: the slower side leaves each its share of 100. */
Test(plan, composition_of_local_states_below_a_synchronisation)
{
    Planned *p = planned("P = (a, 1).R; Q = (a, 2).R; R = (b, 1).P + (c, 1).Q; S = (a, 100).T;\n"
                         "T = (d, 1).S; P[1000] <a> S");
    cr_assert_eq(plan_of(p, "a")->kind, PLAN_COMPOSED);
    cr_assert_eq(expand(p, (int32_t[]){7, 300, 693, 0}), EXPANDED);
    cr_assert_float_eq(rate_to(p, "a", (int32_t[]){6, 301, 693, 1}), 100 * 7 / 1393.0, 1e-12);
    cr_assert_float_eq(rate_to(p, "a", (int32_t[]){7, 301, 692, 1}), 100 * 1386 / 1393.0, 1e-12);
    planned_free(p);
}

/* The same where a state takes two words: what tables keep is put one after the other. */
Test(plan, composition_over_two_words)
{
    Planned *p = planned("P = (a, 1).R; Q = (a, 2).R; R = (b, 1).P + (c, 1).Q;\n"
                         "P[4000] || P[4000] || P[4000]");
    const int32_t from[] = {7, 300, 3693, 20, 500, 3480, 1, 2, 3997}; /* P, R, Q by discovery */
    cr_assert_eq(p->c.system->words, 2);
    cr_assert_eq(plan_of(p, "a")->kind, PLAN_COMPOSED);
    for (int32_t again = 0; again < 2; again++) {
        cr_assert_eq(expand(p, from), EXPANDED);
        cr_assert_eq(p->block.moves, 12);
        for (int32_t slot = 0; slot < 3; slot++) {
            int32_t to[9];
            const int32_t *here = from + 3 * slot;
            memcpy(to, from, sizeof to);
            to[3 * slot]--, to[3 * slot + 1]++;
            cr_assert_float_eq(rate_to(p, "a", to), here[0], 1e-12);
            to[3 * slot]++, to[3 * slot + 2]--;
            cr_assert_float_eq(rate_to(p, "a", to), 2 * here[2], 1e-12);
            to[3 * slot + 1] -= 2, to[3 * slot + 2] += 2;
            cr_assert_float_eq(rate_to(p, "c", to), here[1], 1e-12);
        }
    }
    planned_free(p);
}

/* Two synchronisations: the pairs of the second come after those of the first. */
Test(plan, pairs_over_two_words)
{
    Planned *p = planned("P = (a, 1).Q; Q = (b, 1).P; S = (a, 3).T; T = (c, 1).S;\n"
                         "(P[100000] <a> S[100000]) || (P[100000] <a> S[100000])");
    cr_assert_eq(p->c.system->words, 2);
    const int32_t from[] = {40, 99960, 20, 99980, 10, 99990, 3, 99997};
    cr_assert_eq(expand(p, from), EXPANDED);
    cr_assert_eq(p->block.moves, 6);
    for (int32_t half = 0; half < 8; half += 4) {
        int32_t to[8];
        memcpy(to, from, sizeof to);
        to[half]--, to[half + 1]++, to[half + 2]--, to[half + 3]++;
        cr_assert_float_eq(rate_to(p, "a", to), half ? 9 : 40, 1e-12);
    }
    planned_free(p);
}

/* 6 slots of 12 bits: the last is in the second word. */
Test(plan, tables_over_two_words)
{
    Planned *p = planned("A = (a, 1).A1; A1 = (x, 1).A; B = (b, 2).B1; B1 = (x, 1).B;\n"
                         "C = (c, 3).C1; C1 = (x, 1).C; D = (d, 4).D1; D1 = (x, 1).D;\n"
                         "E = (e, 5).E1; E1 = (x, 1).E; F = (f, 6).F1; F1 = (x, 1).F;\n"
                         "A[4000] || B[4000] || C[4000] || D[4000] || E[4000] || F[4000]");
    static const char *const actions[] = {"a", "b", "c", "d", "e", "f"};
    int32_t cells[12];
    cr_assert_eq(p->c.system->words, 2);
    cr_assert_eq(p->c.system->fields[10].word, 1);
    for (int32_t slot = 0; slot < 6; slot++) {
        cells[2 * slot] = 4000;
        cells[2 * slot + 1] = 0;
        cr_assert_eq(plan_of(p, actions[slot])->kind, PLAN_TABLE);
    }
    cr_assert_eq(expand(p, cells), EXPANDED);
    cr_assert_eq(p->block.moves, 6);
    for (int32_t slot = 0; slot < 6; slot++) {
        cells[2 * slot]--, cells[2 * slot + 1]++;
        cr_assert_float_eq(rate_to(p, actions[slot], cells), 4000 * (slot + 1), 1e-9);
        cells[2 * slot]++, cells[2 * slot + 1]--;
    }
    planned_free(p);
}

/* Whatever is below a synchronisation has its apparent rate wanted, also the operands of a sum. */
Test(plan, operands_of_a_sum_below_a_synchronisation)
{
    Planned *p = planned("P = (a, 1).Q; Q = (b, 1).P; R = (a, 3).S; S = (c, 1).R;\n"
                         "(P[100] || P[100]) <a> R[100]");
    const int32_t root = p->c.system->events[event_of(&p->c, "a", false)].prog;
    cr_assert_eq(p->c.system->progs[root + 1].kind, PROG_SUM);
    for (int32_t prog = root + 2; prog < root + 5; prog++)
        cr_assert(p->plans.operand[2 * prog + 1] >= 0 && p->plans.operand[2 * prog] < 0);
    planned_free(p);
}

/* P || Q is an event of its own, for active and passive rates might meet there: it wants no
 * apparent rate, while the cooperation with R wants that of each side: 40 of P, of R 15. */
Test(plan, two_tables_of_one_program)
{
    Planned *p = planned("P = (a, 1).P1; P1 = (b, 1).P; Q = (a, T).Q1; Q1 = (c, 1).Q;\n"
                         "R = (a, 3).S; S = (d, 1).R; (P[100] || Q[100]) <a> R[100]");
    const int32_t from[] = {40, 60, 0, 100, 5, 95};
    const int32_t root = p->c.system->events[event_of(&p->c, "a", false)].prog;
    cr_assert_geq(event_of(&p->c, "a", true), 0);
    cr_assert(p->plans.operand[2 * (root + 2)] >= 0 && p->plans.operand[2 * (root + 2) + 1] >= 0);
    for (int32_t again = 0; again < 2; again++) {
        cr_assert_eq(expand(p, from), EXPANDED);
        cr_assert_eq(p->block.moves, 4);
        cr_assert_float_eq(rate_to(p, "a", (int32_t[]){39, 61, 0, 100, 4, 96}), 15, 1e-12);
    }
    planned_free(p);
}

Test(plan, what_depends_on_the_state_is_interpreted)
{
    Planned *p = planned("P = (a, 2 * Q + 1).Q; Q = (b, 1).P; P[3]");
    cr_assert_eq(plan_of(p, "a")->kind, PLAN_INTERPRETED);
    cr_assert_eq(plan_of(p, "b")->kind, PLAN_TABLE);
    cr_assert_eq(expand(p, (int32_t[]){2, 1}), EXPANDED);
    cr_assert_float_eq(rate_to(p, "a", (int32_t[]){1, 2}), 2 * 3.0, 1e-13);
    planned_free(p);
    p = planned("P = (a, 1).Q; Q = (b, 1).P; R = (a, 1).S; S = (b, 1).R; (P || R)[3]");
    cr_assert_eq(plan_of(p, "a")->kind, PLAN_INTERPRETED);
    planned_free(p);
}

/* Also if it depends on it in the first operand alone: 2 P at the rate 2 x 0 + 1 or 2 x 1 + 1. */
Test(plan, a_sum_with_a_functional_operand_is_interpreted)
{
    Planned *p = planned("P = (a, 2 * V + 1).Q; Q = (b, 1).P; R = (a, 4).S; S = (c, 1).R;\n"
                         "U = (d, 1).V; V = (e, 1).U; P[3] || R || U");
    cr_assert_eq(plan_of(p, "a")->kind, PLAN_INTERPRETED);
    for (int32_t v = 0; v < 2; v++) {
        cr_assert_eq(expand(p, (int32_t[]){2, 1, 0, v}), EXPANDED);
        cr_assert_float_eq(rate_to(p, "a", (int32_t[]){1, 2, 0, v}), 2.0 * (2 * v + 1), 1e-13);
        cr_assert_float_eq(rate_to(p, "a", (int32_t[]){2, 1, 1, v}), 4, 1e-13);
    }
    planned_free(p);
}

/* Each of 5,000 local states has an action of its own: digits for all pairs would take 200 MB. */
Test(plan, a_component_of_many_states_and_actions_is_looked_up)
{
    enum { STATES = 5000 };
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (int32_t i = 0; i < STATES; i++)
        fprintf(out, "P%d = (a%d, %d).P%d; Q%d = (a%d, 2).Q%d;\n", i, i, i + 1, (i + 1) % STATES, i, i,
                (i + 1) % STATES);
    fputs("P0 <*> Q0", out);
    cr_assert_eq(fclose(out), 0);
    Planned *p = planned(text);
    cr_assert_eq(plan_of(p, "a7")->kind, PLAN_INTERPRETED);
    cr_assert_lt(plans_bytes(&p->plans), 1e6);
    cr_assert_eq(expand(p, (int32_t[]){0, 0}), EXPANDED);
    cr_assert_eq(p->block.moves, 1);
    cr_assert_float_eq(rate_to(p, "a0", (int32_t[]){1, 1}), 1, 1e-13);
    cr_assert_eq(expand(p, (int32_t[]){7, 7}), EXPANDED);
    cr_assert_float_eq(rate_to(p, "a7", (int32_t[]){8, 8}), 2, 1e-13);
    planned_free(p);
    free(text);
}

/* Others may read plans only: what is not there yet is missing, and then no longer. */
Test(plan, entries_are_learnt_once)
{
    static const char *const texts[] =
        {"P = (a, 1).Q; Q = (b, 1).P; R = (a, 3).S; S = (c, 1).R; P[4] <a> R[4]",
         "P = (a, 1).Q; Q = (b, 1).P; R = (a, 3).S; S = (c, 1).R; P[100] <a> R[100]"};
    for (size_t i = 0; i < 2; i++) {
        Planned *p = planned(texts[i]);
        const int32_t cells[] = {4, i ? 96 : 0, 2, i ? 98 : 2};
        p->expander.frozen = true;
        cr_assert_eq(expand(p, cells), EXPAND_MISSING);
        cr_assert_eq(p->block.moves, 0);
        p->expander.frozen = false;
        cr_assert_eq(expand(p, cells), EXPANDED);
        size_t moves = p->block.moves;
        p->expander.frozen = true;
        cr_assert_eq(expand(p, cells), EXPANDED);
        cr_assert_eq(p->block.moves, moves);
        planned_free(p);
    }
}
