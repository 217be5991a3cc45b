/* Slots in two parts. */
#include "ctmc/diagram/split.h"
#include "ctmc/system/system.h"

#include "support.h"

typedef struct {
    Model *model;
    RateTable rates;
    System *system;
    Split *split;
} Parted;

static Parted part(const char *text, int aggregate, int32_t most_lower, bool mirrored)
{
    Parted p = {.model = model_of(text)};
    PepaError err = {0};
    cr_assert_eq(rates_init(&p.rates, p.model, &err), PEPA_OK);
    cr_assert_eq(system_new(&p.system, p.model, &p.rates, aggregate, &err), PEPA_OK);
    cr_assert_eq(split_new(&p.split, p.system, most_lower, mirrored, &err), PEPA_OK);
    return p;
}

static void parted_free(Parted *p)
{
    split_free(p->split);
    system_free(p->system);
    rates_free(&p->rates);
    model_free(p->model);
}

/* The joint local states of n copies of a component with k local states are the ways to put n
 * balls into k urns. */
Test(split, joint_states)
{
    static const struct {
        const char *text;
        double states;
    } cases[] = {
        {"P = (a, 1).Q; Q = (b, 1).P; P || P", 2},
        {"P = (a, 1).Q; Q = (b, 1).P; P[7] || P", 8},
        {"P = (a, 1).Q; Q = (b, 1).R; R = (b, 1).P; P[10] || P", 66},
        {"P = (a, 1).Q; Q = (b, 1).R; R = (b, 1).S; S = (c, 1).P; P[10] || P", 286},
        {"P = (a, 1).Q; Q = (b, 1).R; R = (b, 1).S; S = (c, 1).P; P[40] || P", 12341},
        {"P = (a, 1).Q; Q = (b, 1).R; R = (b, 1).S; S = (c, 1).T; T = (c, 1).U; U = (c, 1).V;\n"
         "V = (a, 1).P; P[60] || P",
         90858768},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Parted p = part(cases[i].text, 1, 2, false);
        cr_expect_eq(split_slot_states(p.system, 0), cases[i].states, "%s: %.17g", cases[i].text,
                     split_slot_states(p.system, 0));
        parted_free(&p);
    }
}

/* As many slots at the end as have so few joint states. */
Test(split, lower_part)
{
    const char *text = "P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).P; P || P || P || P";
    static const struct {
        int32_t most, first, lower;
    } cases[] = {{3, 3, 3}, {8, 3, 3}, {9, 2, 9}, {26, 2, 9}, {27, 1, 27}, {81, 1, 27}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int mirrored = 0; mirrored < 2; mirrored++) {
            Parted p = part(text, 0, cases[i].most, mirrored);
            cr_assert(p.split != NULL);
            cr_expect_eq(p.split->first, cases[i].first);
            cr_expect_eq(p.split->lower.count, cases[i].lower);
            for (int32_t k = 0; k < 4; k++) {
                cr_expect_eq(p.split->sequence[k], mirrored ? 3 - k : k);
                cr_expect_eq(p.split->upper[p.split->sequence[k]], k < cases[i].first);
            }
            parted_free(&p);
        }
}

/* Where there is room for more, neither part has far more joint local states than the other. */
Test(split, balanced)
{
    char text[512] = "";
    static const char *const copies[] = {"P[9] || R[9] || S[9] || T[9]", "P[2] || R[99] || S[99]",
                                         "P[99] || R[99] || S[2]"};
    static const struct {
        double work[2]; /* in their order, and in the reverse one */
        int32_t first, lower;
    } wants[] = {{{500, 500}, 2, 100},  /* 100 + 4 100, not 1,000 + 4 10 */
                 {{1300, 700}, 2, 100}, /* 100 + 4 300, not 10,000 + 4 3; 300 + 4 100 */
                 {{700, 1300}, 1, 300}};
    for (size_t i = 0; i < sizeof wants / sizeof *wants; i++) {
        (void)snprintf(text, sizeof text,
                       "P = (a, 1).P2; P2 = (b, 1).P; R = (a, 1).R2; R2 = (b, 1).R;\n"
                       "S = (a, 1).S2; S2 = (b, 1).S; T = (a, 1).T2; T2 = (b, 1).T; %s",
                       copies[i]);
        Parted p = part(text, 1, 1000, false);
        cr_assert(p.split != NULL);
        for (int mirrored = 0; mirrored < 2; mirrored++)
            cr_expect_float_eq(split_work(p.system, 1000, mirrored), wants[i].work[mirrored], 1e-9,
                               "%s: %g", copies[i], split_work(p.system, 1000, mirrored));
        cr_expect_eq(p.split->first, wants[i].first, "%s", copies[i]);
        cr_expect_eq(p.split->lower.count, wants[i].lower, "%s", copies[i]);
        parted_free(&p);
    }
}

/* Constant slots are first in the sequence and in neither part; some slot that changes is upper if
 * there are two, and the lower part may be empty. */
Test(split, constant_slots)
{
    static const struct {
        const char *system;
        int32_t most, constant, first, lower;
    } cases[] = {
        {"P || C || P || C", 100, 2, 3, 2},
        {"P || P || C", 4, 1, 2, 2},
        {"P || C[3]", 2, 1, 1, 2},
        {"P || C", 1, 1, 2, 1},
        {"C || C", 9, 2, 2, 1},
        {"(P || C)[2]", 4, 2, 4, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int mirrored = 0; mirrored < 2; mirrored++) {
            char text[128];
            (void)snprintf(text, sizeof text, "P = (a, 1).Q; Q = (b, 1).P; C = (a, 1).C; %s",
                           cases[i].system);
            Parted p = part(text, 1, cases[i].most, mirrored);
            cr_assert(p.split != NULL, "%s", cases[i].system);
            cr_expect_eq(p.split->constant, cases[i].constant, "%s", cases[i].system);
            cr_expect_eq(p.split->first, cases[i].first, "%s", cases[i].system);
            cr_expect_eq(p.split->lower.count, cases[i].lower, "%s", cases[i].system);
            for (int32_t k = 0; k < p.system->prog_count; k++)
                if (p.system->progs[k].kind == PROG_SLOT &&
                    slot_is_constant(p.system, p.system->progs[k].slot))
                    cr_expect_eq(p.split->part[k], 0);
            parted_free(&p);
        }
}

Test(split, none)
{
    static const struct {
        const char *text;
        int32_t most;
    } cases[] = {
        {"P = (a, 1).Q; Q = (b, 1).P; P", 100},       /* one slot */
        {"P = (a, 1).Q; Q = (b, 1).P; P[5]", 100},    /* one of copies */
        {"P = (a, 1).Q; Q = (b, 1).P; P || P", 1},    /* the last one too large */
        {"P = (a, 1).Q; Q = (b, 1).P; P || P[9]", 9}, /* likewise */
        /* whatever is taken away from the end of a group of copies, it is in two */
        {"P = (a, 1).Q; Q = (b, 1).P; (P || P)[3]", 60},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Parted p = part(cases[i].text, 1, cases[i].most, false);
        cr_expect_null(p.split, "%s", cases[i].text);
        parted_free(&p);
    }
}

/* Copies that are kept in order are on one side, whole. */
Test(split, groups_stay_whole)
{
    const char *text = "P = (a, 1).Q; Q = (b, 1).P; R = (c, 1).R + (a, 1).S; S = (d, 1).R;\n"
                       "P || (P || R)[2] || P";
    for (int32_t most = 2; most <= 64; most++) {
        Parted p = part(text, 1, most, false);
        cr_assert(p.split != NULL);
        /* slots: P, then P R P R, then P: all of those four or none of them */
        cr_expect_eq(p.split->first, most < 32 ? 5 : 1, "%d: %d", most, p.split->first);
        parted_free(&p);
    }
}

/* Lower states are all there, each once, in the order of their slots; upper cells do not count. */
Test(split, lower_states)
{
    const char *text = "P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).P; P || P[3] || P";
    Parted p = part(text, 1, 30, false);
    cr_assert(p.split && p.split->first == 1);
    cr_assert_eq(p.split->lower.count, 30);
    uint64_t packed[4], scratch[4];
    int32_t cells[8], before[3] = {-1, 0, 0};
    cr_assert(p.system->words <= 4 && p.system->cell_count == 5);
    for (int32_t i = 0; i < 30; i++) {
        system_unpack(p.system, p.split->lower.state + (size_t)i * p.system->words, cells);
        cr_expect_eq(cells[1] + cells[2] + cells[3], 3);
        /* many in the first local state come first; the last slot goes round fastest */
        int32_t now[3] = {3 - cells[1], 3 - cells[2], cells[4]}, k = 0;
        while (k < 3 && now[k] == before[k])
            k++;
        cr_expect(k < 3 && now[k] > before[k], "lower state %d", i);
        memcpy(before, now, sizeof now);
        cells[0] = i % 3;
        system_pack(p.system, cells, packed);
        cr_expect_eq(split_lower(p.split, packed, scratch), i);
    }
    cr_expect_eq(p.split->lower.count, 30);
    parted_free(&p);
}

/* Every local state once, the initial one first; a way through without branches in its order. */
Test(split, flow_order)
{
    static const char *const texts[] = {
        "P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).S; S = (d, 1).P; P || P",
        "P = (a, 1).S + (b, 1).Q; Q = (b, 1).R; R = (c, 1).P; S = (d, 1).R; P || P",
        "P = (a, 1).Q; Q = (b, 1).P + (c, 1).Stop; P || P",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Parted p = part(texts[i], 0, 4, false);
        const Component *c = &p.system->components[0];
        int32_t order[8], seen = 0;
        cr_assert(c->local_count <= 8 && component_flow_order(c, order));
        cr_expect_eq(order[0], 0);
        for (int32_t k = 0; k < c->local_count; k++)
            seen |= 1 << order[k];
        cr_expect_eq(seen, (1 << c->local_count) - 1);
        for (int32_t k = 0; i == 0 && k < 4; k++)
            cr_expect_str_eq(p.model->locals[c->local[order[k]]].name,
                             ((const char *[]){"P", "Q", "R", "S"})[k]);
        parted_free(&p);
    }
}
