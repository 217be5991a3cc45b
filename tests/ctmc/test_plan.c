/* How events are planned, and what tables and compositions answer, against results by hand. */
#include "compiled.h"
#include "ctmc/semantics/expand.h"

typedef struct {
    Compiled c;
    Plans plans;
    Table kinds;
    Expander expander;
    Block block;
} Planned;

static Planned *planned(const char *text)
{
    Planned *p = mem_calloc(1, sizeof *p);
    PepaError err = {0};
    cr_assert_not_null(p);
    p->c = compiled_of(text, true);
    cr_assert(table_init(&p->kinds, 1));
    cr_assert_eq(plans_new(&p->plans, p->c.system, &err), PEPA_OK);
    cr_assert_eq(expander_init(&p->expander, p->c.system, &p->c.rates, &p->plans, &p->kinds, &err),
                 PEPA_OK);
    return p;
}

static void planned_free(Planned *p)
{
    expander_free(&p->expander);
    plans_free(&p->plans);
    table_free(&p->kinds);
    block_free(&p->block);
    compiled_free(&p->c);
    mem_free(p);
}

static const EventPlan *plan_of(const Planned *p, const char *action)
{
    return &p->plans.events[event_of(&p->c, action, false)];
}

static Expansion expand(Planned *p, const int32_t *cells)
{
    uint64_t packed[4];
    system_pack(p->c.system, cells, packed);
    cr_assert(block_begin(&p->block, 0, 1));
    return expand_state(&p->expander, packed, &p->block);
}

/* The rate at which an action leads to a state; 0: it does not. */
static double rate_to(const Planned *p, const char *action, const int32_t *cells)
{
    uint64_t packed[4];
    const size_t words = p->c.system->words;
    double rate = 0;
    system_pack(p->c.system, cells, packed);
    for (size_t i = 0; i < p->block.moves; i++)
        if (memcmp(p->block.target + i * words, packed, words * sizeof *packed) == 0 &&
            strcmp(p->c.model->actions[kind_action(&p->kinds, p->block.kind[i])], action) == 0)
            rate += p->c.rates.value[kind_term(&p->kinds, p->block.kind[i])];
    return rate;
}

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

/* Moves alike in action and target are one, at the sum of their rates. */
Test(plan, duplicates_are_merged)
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

Test(plan, faults)
{
    Planned *p = planned("P = (a, T).Q; Q = (b, 1).P; P");
    cr_assert_eq(expand(p, (int32_t[]){0}), EXPAND_FAULTY);
    cr_assert_eq(expand(p, (int32_t[]){1}), EXPANDED);
    planned_free(p);
}
