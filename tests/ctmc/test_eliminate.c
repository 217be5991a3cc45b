/* Moves between tangible states, in all states of small models: against probabilities that are handed
 * on from state to state until little is left; and however much of the vanishing states is known. */
#include <float.h>
#include <math.h>

#include "planned.h"

enum { MOST_STATES = 2000 };

/* Moves of an expanded state by action and target: numbers of (action, target words) in a table. */
typedef struct {
    Table moves;
    double rate[8 * MOST_STATES];
} Sum;

static void sum_add(Sum *sum, int32_t action, const uint64_t *target, double rate)
{
    uint64_t move[8] = {(uint64_t)action};
    memcpy(move + 1, target, (sum->moves.words - 1) * sizeof *target);
    const int32_t before = sum->moves.count;
    const int32_t id = table_put(&sum->moves, move, table_hash(&sum->moves, move));
    cr_assert(id >= 0 && id < 8 * MOST_STATES);
    sum->rate[id] = (id < before ? sum->rate[id] : 0) + rate;
}

static double rate_at(const Planned *p, size_t i)
{
    return p->c.rates.value[kind_term(&p->kinds, p->block.kind[i])];
}

/* Expand a state as it is. */
static bool look_at(Planned *p, const uint64_t *packed)
{
    uint64_t copy[4];
    memcpy(copy, packed, p->c.system->words * sizeof *copy);
    cr_assert(block_begin(&p->block, 0, 1));
    cr_assert_eq(expand_one(&p->expander, copy, &p->block), EXPANDED);
    return p->expander.vanishing;
}

/* Hand a rate on from a state until it is in tangible states. */
static void hand_on(Planned *p, int32_t action, const uint64_t *from, const uint64_t *first,
                    double rate, Sum *sum)
{
    const size_t words = p->c.system->words;
    static double mass[MOST_STATES];
    double left = rate;
    Table met;
    cr_assert(table_init(&met, words));
    cr_assert_eq(table_put(&met, first, table_hash(&met, first)), 0);
    mass[0] = rate;
    for (int32_t round = 0; left > 1e-16 * rate; round++) {
        cr_assert_lt(round, 10000);
        left = 0;
        for (int32_t k = 0; k < met.count; k++) {
            const double here = mass[k];
            mass[k] = 0;
            if (here == 0)
                continue;
            if (!look_at(p, table_state(&met, k))) {
                sum_add(sum, action, table_state(&met, k), here);
                continue;
            }
            double weights = 0;
            for (size_t i = 0; i < p->block.moves; i++)
                weights += rate_at(p, i);
            for (size_t i = 0; i < p->block.moves; i++) {
                const uint64_t *to = p->block.target + i * words;
                const int32_t before = met.count, id = table_put(&met, to, table_hash(&met, to));
                cr_assert(id >= 0 && id < MOST_STATES);
                mass[id] = (id < before ? mass[id] : 0) + here * rate_at(p, i) / weights;
                left += here * rate_at(p, i) / weights;
                sum_add(sum, kind_action(&p->kinds, p->block.kind[i]), from,
                        here * rate_at(p, i) / weights);
            }
        }
    }
    table_free(&met);
}

/* What a tangible state leads to, by handing on; its self-loops are what happens on the way, too. */
static void sum_by_hand(Planned *p, const uint64_t *from, Sum *sum)
{
    const size_t words = p->c.system->words;
    cr_assert(!look_at(p, from));
    const size_t count = p->block.moves;
    uint64_t *target = mem_alloc(count * words + 1, sizeof *target);
    int32_t *kind = mem_alloc(count + 1, sizeof *kind);
    cr_assert(target && kind);
    memcpy(target, p->block.target, count * words * sizeof *target);
    memcpy(kind, p->block.kind, count * sizeof *kind);
    for (size_t i = 0; i < count; i++)
        hand_on(p, kind_action(&p->kinds, kind[i]), from, target + i * words,
                p->c.rates.value[kind_term(&p->kinds, kind[i])], sum);
    mem_free_all(target, kind);
}

/* Expand a state; check its moves against those by hand. */
static void check_state(Planned *p, const char *text, const uint64_t *from)
{
    const size_t words = p->c.system->words;
    static Sum by_hand, found;
    by_hand.moves = found.moves = (Table){0};
    cr_assert(table_init(&by_hand.moves, words + 1) && table_init(&found.moves, words + 1));
    sum_by_hand(p, from, &by_hand);
    cr_assert(block_begin(&p->block, 0, 1));
    cr_assert_eq(expand_state(&p->expander, from, &p->block), EXPANDED);
    for (size_t i = 0; i < p->block.moves; i++)
        sum_add(&found, kind_action(&p->kinds, p->block.kind[i]), p->block.target + i * words,
                rate_at(p, i));
    cr_assert_eq(found.moves.count, (int32_t)p->block.moves, "%s: no two are alike", text);
    cr_assert_eq(found.moves.count, by_hand.moves.count, "%s", text);
    for (int32_t i = 0; i < found.moves.count; i++) {
        const uint64_t *move = table_state(&found.moves, i);
        const int32_t id = table_find(&by_hand.moves, move, table_hash(&by_hand.moves, move));
        cr_assert(id >= 0, "%s: action %d", text, (int)move[0]);
        cr_assert_float_eq(found.rate[i], by_hand.rate[id], 1e-12 * by_hand.rate[id],
                           "%s: action %d: %.17g %.17g", text, (int)move[0], found.rate[i],
                           by_hand.rate[id]);
    }
    table_free(&by_hand.moves);
    table_free(&found.moves);
}

/* The tangible states of a model. */
static void find_states(Planned *p, Table *states)
{
    const System *s = p->c.system;
    uint64_t packed[4];
    cr_assert(table_init(states, s->words));
    cr_assert(block_begin(&p->block, 0, 1));
    system_initial(s, p->expander.moves.cells);
    system_pack(s, p->expander.moves.cells, packed);
    cr_assert_eq(expand_start(&p->expander, packed, &p->block), EXPANDED);
    for (int32_t k = -1; k < states->count; k++) {
        if (k >= 0) {
            memcpy(packed, table_state(states, k), s->words * sizeof *packed);
            cr_assert(block_begin(&p->block, 0, 1));
            cr_assert_eq(expand_state(&p->expander, packed, &p->block), EXPANDED);
        }
        for (size_t i = 0; i < p->block.moves; i++) {
            const uint64_t *to = p->block.target + i * s->words;
            cr_assert_geq(table_put(states, to, table_hash(states, to)), 0);
        }
    }
    cr_assert(states->count > 1 && states->count <= MOST_STATES);
}

static const char *const texts[] = {
    /* one after the other, with inner choices and loops */
    "P = (a, 3).Q; Q = (b, 3 : immediate).R + c.S; R = (back, immediate).Q + (d, 2 : "
    "immediate).S;\n"
    "S = e.P + (f, 2 : immediate).T1; T1 = (g, 1).P; P || P || P",
    /* three states that lead to each other, entered at each of them, with several ways out */
    "P = (a, 1).A + (b, 2).B + (c, 3).C; A = i.B + (j, 2 : immediate).X; B = i.C + j.Y;\n"
    "C = i.A + (j, 3 : immediate).P + k.X + k.B; X = (d, 1).P; Y = (e, 2).P; P || P",
    /* counted copies: the last local state, which is not stored, vanishes; and one in between */
    "P = (a, 1).Q; Q = (b, 2).R; R = (c, 3 : immediate).P + d.V; V = e.Q + f.P; P[4]",
    "P = (a, 1).V; V = b.Q; Q = (c, 2).W; W = (d, 2 : immediate).P + e.Q; P[3] || P[2]",
    /* copies that all move together: those that cannot are in the way */
    "P = (a, 1).Q; Q = (b, immediate).R + (c, 3).R; R = (d, 2).P;\n"
    "P[3, {b}] || (P <b> P)",
    /* copies of composites, which are sorted */
    "P = (a, 1).Q; Q = b.R; R = (c, 2).P; S = (d, 1).S1; S1 = b.S; (P <b> S)[3] || S[2]",
    /* a resource for which some wait: blocked immediate activities in tangible states */
    "P = (a, 1).Q; Q = get.R; R = (b, 2).S; S = put.P; F = (get, T).U; U = (put, T).F;\n"
    "On = (x, 1).Off; Off = (y, 2).On;\n"
    "((P || P || P[2]) <get, put> F[2]) || On",
    /* a component that never changes offers what vanishes */
    "P = (a, 1).Q; Q = (b, T).P + (c, T).R; R = (d, 1).P; C = (b, 2 : immediate).C + c.C;\n"
    "(P || P) <b, c> C",
    /* an action that is timed with one partner and immediate with the other; and as tau */
    "P = (a, 1).Q; Q = (b, 2 : immediate).P; R = (b, 3).R1; R1 = (c, 1).S; S = (b, T).R;\n"
    "(P || P) <b> R",
    "P = (a, 1).Q; Q = b.R + (c, immediate).P; R = (d, 2).P; (P || P) / {a, b}",
    "P = (tau, 1).Q + (a, 1).V; V = (tau, 2 : immediate).P + tau.Q; Q = (tau, 3).V; P || P",
    /* several moves of one action, into the same states */
    "P = (a, 1).V + (a, 2).W + (a, 4).Q; V = b.Q + (c, 2 : immediate).R; W = b.R + c.Q + c.P;\n"
    "Q = (d, 1).P; R = (d, 2).P; P || P",
    /* priorities, among immediate activities as well */
    "P = (a, 1).V; V = b[3].W + c.P; W = (d[2], 2 : immediate).Q + e[2].P; Q = (f[3], 1).P + (g, "
    "1).P;\n"
    "P || P[2] || P",
    /* stations one behind the other, with queues between them that block when they are full */
    "S1 = (make, 1).B1; B1 = put1.S1; Q0 = (put1, T).Q1; Q1 = (put1, T).Q2 + (get1, T).Q0;\n"
    "Q2 = (get1, T).Q1; S2 = get1.W2; W2 = (work, 2).B2; B2 = put2.S2 + (drop, immediate).S2;\n"
    "R0 = (put2, T).R1; R1 = (put2, T).R2 + (get2, T).R0; R2 = (get2, T).R1; S3 = get2.W3;\n"
    "W3 = (out, 1).B3 + (out, 2).S3; B3 = put3.S3; T0 = (put3, T).T1; T1 = (get3, T).T0; S4 = "
    "get3.W4;\n"
    "W4 = (end, 1).S4;\n"
    "(S1 || S2 || S3 || S4) <put1, get1, put2, get2, put3, get3> (Q0 || R0 || T0)",
    "S1 = (make, 1).B1; B1 = put1.S1; Q = (put1, T).U; U = (get1, T).Q; S2 = get1.W2;\n"
    "W2 = (work, 2).B2; B2 = put2.S2; R = (put2, T).V; V = (get2, T).R; S3 = get2.W3;\n"
    "W3 = (out, 1).S3 + (rest, 1).X; X = (on, 3).S3;\n"
    "(S1[2] || S2[2] || S3) <put1, get1, put2, get2> (Q[2] || R || R)",
    /* weights that count */
    "P = (a, 1).V; V = (b, (1 + Q) : immediate).Q + (c, 2 : immediate).P; Q = (d, 1 + P).P; P[3] "
    "|| P",
};

Test(eliminate, as_by_hand)
{
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        Planned *p = planned(texts[t]);
        Table states;
        find_states(p, &states);
        cr_assert_gt(p->expander.vanished.keys.count, 1, "%s: something vanishes", texts[t]);
        for (int32_t k = 0; k < states.count; k++)
            check_state(p, texts[t], table_state(&states, k));
        table_free(&states);
        planned_free(p);
    }
}

/* Expand all states, from the first or from the last on; the moves of all of them are in p->block. */
static void expand_each(Planned *p, const Table *states, bool backwards, size_t *begin)
{
    cr_assert(block_begin(&p->block, 0, 1));
    for (int32_t i = 0; i < states->count; i++) {
        const int32_t k = backwards ? states->count - 1 - i : i;
        begin[k] = p->block.moves;
        cr_assert_eq(expand_state(&p->expander, table_state(states, k), &p->block), EXPANDED);
    }
}

/* The same kinds in the same order, whatever is remembered and whichever state came first. */
Test(eliminate, whatever_is_known)
{
    static size_t begin[MOST_STATES], again[MOST_STATES];
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        Planned *p = planned(texts[t]);
        Table states;
        find_states(p, &states);
        expand_each(p, &states, false, begin);
        const Block first = p->block;
        for (int32_t way = 0; way < 3; way++) {
            p->block = (Block){0};
            p->expander.vanished.most = way == 0 ? p->expander.vanished.most : 0;
            cr_assert(way != 0 || vanished_trim(&p->expander.vanished));
            expand_each(p, &states, way != 1, again);
            cr_assert_eq(p->block.moves, first.moves, "%s", texts[t]);
            for (int32_t k = 0; k < states.count; k++) {
                const size_t end = k + 1 < states.count ? begin[k + 1] : first.moves;
                for (size_t i = begin[k]; i < end; i++) {
                    const size_t at = again[k] + i - begin[k];
                    cr_assert_eq(p->block.kind[at], first.kind[i], "%s", texts[t]);
                    cr_assert(table_equal(states.words, p->block.target + at * states.words,
                                          first.target + i * states.words));
                }
            }
            block_free(&p->block);
        }
        p->block = first;
        table_free(&states);
        planned_free(p);
    }
}

/* So little may be kept that all is forgotten before each state. */
Test(eliminate, memory_is_bounded)
{
    Planned *p = planned("P = (a, 1).Q; Q = b.R + c.P; R = (d, 1).P; P || P || P || P");
    Table states;
    find_states(p, &states);
    const Vanished *v = &p->expander.vanished;
    const int32_t all = v->keys.count;
    p->expander.vanished.most = 0;
    cr_assert_eq(expand_state(&p->expander, table_state(&states, 0), &p->block), EXPANDED);
    cr_assert(v->keys.count > 0 && v->keys.count <= all);
    const size_t portions = v->portion_count, shared = v->shared_count;
    for (int32_t i = 0; i < 10; i++) {
        cr_assert_eq(expand_state(&p->expander, table_state(&states, 0), &p->block), EXPANDED);
        cr_assert_eq(v->portion_count, portions);
        cr_assert_eq(v->shared_count, shared);
    }
    table_free(&states);
    planned_free(p);
}

/* Components in local states that offer nothing immediate do not tell vanishing states apart. */
Test(eliminate, what_does_not_matter_is_not_looked_at)
{
    Text text = {0};
    for (int i = 0; i < 9; i++)
        text_add(&text, "A%d = (a%d, 1).B%d; B%d = (b%d, 2).A%d;\n", i, i, i, i, i, i);
    text_add(&text, "P = (x, 1).V; V = y.Q; Q = (z, 1).P;\nP[2]");
    for (int i = 0; i < 9; i++)
        text_add(&text, " || A%d", i);
    Derived d = derive(text.text, 1);
    cr_assert_eq(d.chain->state_count, 3 * 512);
    derived_free(&d);
    Planned *p = planned(text.text);
    Table states;
    cr_assert(table_init(&states, p->c.system->words));
    table_free(&states);
    find_states(p, &states);
    cr_assert_eq(p->expander.vanished.keys.count, 2, "the initial state's, and one of V");
    cr_assert_eq(p->expander.vanished.portion_count, 2, "Q, and y");
    table_free(&states);
    planned_free(p);
    text_free(&text);
}

/* What is wrong is found again and again, beside what is known. */
Test(eliminate, traps_are_not_remembered)
{
    Planned *p = planned("P = (a, 1).Q + (b, 2).A; Q = c.P; A = d.B; B = e.A; P");
    uint64_t packed[1];
    system_pack(p->c.system, (int32_t[]){0}, packed);
    for (int32_t i = 0; i < 3; i++) {
        cr_assert(block_begin(&p->block, 0, 1));
        cr_assert_eq(expand_state(&p->expander, packed, &p->block), EXPAND_FAULTY);
        cr_assert(p->expander.trapped);
        cr_assert_not_null(p->expander.culprit);
        cr_assert_eq(p->block.moves, 0);
        system_unpack(p->c.system, p->expander.culprit, p->expander.moves.cells);
        const int32_t local = p->c.system->components[0].local[p->expander.moves.cells[0]];
        cr_assert_str_eq(p->c.model->locals[local].name, "A");
    }
    planned_free(p);
}

/* A job goes on until it meets a station that is not there: as many footprints as there are stations, of
 * one change, more than are kept apart.  What follows is right all the same, whatever is known. */
Test(eliminate, many_footprints)
{
    enum { STATIONS = 20 };
    Text text = {0};
    text_add(&text, "P = (start, 1).V0; ");
    for (int i = 0; i < STATIONS; i++)
        text_add(&text, "V%d = go%d.V%d + (stop%d, immediate).P;\n", i, i, i + 1, i);
    text_add(&text, "V%d = end.P;\n", STATIONS);
    for (int i = 0; i < STATIONS; i++)
        text_add(&text,
                 "U%d = (go%d, T).U%d + (down%d, 1).D%d; D%d = (up%d, 2).U%d + (stop%d, T).D%d;\n",
                 i, i, i, i, i, i, i, i, i, i);
    text_add(&text, "P <go0, stop0");
    for (int i = 1; i < STATIONS; i++)
        text_add(&text, ", go%d, stop%d", i, i);
    text_add(&text, "> (U0");
    for (int i = 1; i < STATIONS; i++)
        text_add(&text, " || U%d", i);
    text_add(&text, ")");
    Planned *p = planned(text.text);
    for (int32_t down = 0; down <= STATIONS; down++)
        for (int32_t other = down; other <= STATIONS; other++) {
            int32_t cells[STATIONS + 1] = {0};
            uint64_t packed[4];
            if (down < STATIONS)
                cells[down + 1] = 1;
            if (other < STATIONS)
                cells[other + 1] = 1;
            system_pack(p->c.system, cells, packed);
            check_state(p, text.text, packed);
        }
    const Vanished *v = &p->expander.vanished;
    cr_assert(v->print_count > 16 && v->print_count <= 18, "%d", (int)v->print_count);
    planned_free(p);
    text_free(&text);
}
