/* Activities by chance: rates against the traversal with numbers, which shares the rules and nothing
 * of how they are kept; frequencies against the rates. */
#include "ctmc/semantics/choices.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "compiled.h"
#include "ctmc/numbers.h"

static const char *const texts[] = {
    "P = (a, 2).Q; Q = (b, 1).P + (c, 3).P; P",
    /* passive, weights, two ways to the same action */
    "C = (think, 1).W; W = (serve, T).C + (serve, 2 * T).D; D = (quit, 0.3).C; "
    "S = (serve, 2).L; L = (log, 3).S + (fail, 0.1).X; X = (repair, 0.3).S; C[7] <serve> S[3]",
    /* sums below a synchronisation, hiding, nested cooperations */
    "A = (a, 1).B + (a, 2).A; B = (b, 0.5).A; R = (a, 4).R2; R2 = (b, 1).R; "
    "((A || A || A[3]) <a> (R || R)) / {b}",
    "P = (a, 1).Q; Q = (b, 2).P; R = (a, 3).S; S = (c, 1).R; T1 = (c, 2).T1 + (b, 1).T1; "
    "(P[4] <a> R[2]) <b, c> T1",
    /* copies of composites */
    "P = (a, 1).Q; Q = (b, 2).P; M = (b, 5).N; N = (c, 1).M; (P <b> M)[4]",
    /* copies that move together */
    "P = (a, 1).Q + (a, 2).R; Q = (b, 2).P + (s, 1).P; R = (s, 3).P + (s, 1).Q; P[4]{s}",
    "P = (s, 1).P + (s, 2).Q; Q = (s, 3).P + (u, 1).P; P[3]{s} <s> P[2]{s}",
    /* functional rates, some of them off at times */
    "P = (a, P * 0.5).Q; Q = (b, Q * R).P + (c, 1).P; R = (d, P).S; S = (e, 2).R; P[5] || R[2]",
    "P = (a, Q).Q + (b, 1).Q; Q = (c, R + 0.5).P; R = (a, 3).S; S = (d, P + 1).R; P[3] <a> R",
    /* self-loops, an action that is always blocked */
    "P = (a, 1).P + (b, 2).Q; Q = (x, 1).P + (c, 1).P; R = (b, 1).R; P[3] <x, b> R",
    /* immediate activities: of copies, shared with timed and passive ones, hidden, off at times */
    "P = (a, 6).Q; Q = (b, 2 : immediate).R + c.P; R = (d, 1).P + (d, 2).Q; P[4]",
    "P = (a, 2).Q; Q = (s, 3 : immediate).P + (t, immediate).R; R = (u, immediate).P; "
    "S = (s, T).S2 + (s, 2 * T).S; S2 = (b, 1).S; U = (u, 1).U; (P[3] || Q) <s, u> (S[2] || U)",
    "P = (a, 1).Q; Q = (b, P : immediate).P + (c, R : immediate).R; R = (d, 1).P; P[3]",
    /* priorities of timed activities */
    "P = (a[2], 1).Q + (b, 5).Q; Q = (c[0], 2).P + (d, 1).P; R = (a, T).S; S = (e[0], 1).R; "
    "(P[3] <a> R[2]) || Q",
    /* tau of all kinds in one state */
    "P = (a, 2).Q + (tau, 1).Q; Q = (tau, 3 : immediate).R + (tau, immediate).P + (tau, 5).P; "
    "R = (tau, 1).P + (b[3], 2).P; S = (tau[2], 1).U; U = (tau[0], 1).S + (tau, 2).S; "
    "P[3] || S[2] || P || U",
};
enum { TEXTS = sizeof texts / sizeof *texts, MOST_CELLS = 32, MOST_WORDS = 4, MOST_TARGETS = 512 };

typedef struct {
    Compiled c;
    ChoicePlan *plan;
    Choices choices;
    NumberMoves numbers;
    int32_t cells[MOST_CELLS];
    int64_t counts[MOST_CELLS];
    Stream stream;
} Chance;

static void chance_open(Chance *x, const char *text)
{
    *x = (Chance){.c = compiled_of(text, true)};
    cr_assert(x->c.system->cell_count <= MOST_CELLS && x->c.model->local_count <= MOST_CELLS &&
              x->c.system->words <= MOST_WORDS);
    cr_assert_eq(choice_plan_new(&x->plan, x->c.system, &x->c.rates, NULL), PEPA_OK);
    cr_assert_eq(choices_new(&x->choices, x->plan, NULL), PEPA_OK);
    number_moves_init(&x->numbers, x->c.system, &x->c.rates, x->cells, x->counts);
    stream_start(&x->stream, 11, 0);
}

static void chance_close(Chance *x)
{
    number_moves_free(&x->numbers);
    choices_free(&x->choices);
    choice_plan_free(x->plan);
    compiled_free(&x->c);
}

/* How a rate competes: larger ones come first. */
static int64_t order_of(Number n)
{
    const int64_t stated = number_priority(n);
    const int64_t priority = stated == PRIORITY_UNSTATED ? PRIORITY_DEFAULT : stated;
    return number_kind(n) == NUMBER_IMMEDIATE ? 10 * (int64_t)PRIORITY_MOST + priority : priority;
}

static void run_event(Chance *x, int32_t event)
{
    x->numbers.count = 0;
    if (x->c.system->events[event].label != LABEL_NONE)
        (void)number_moves_run(&x->numbers, x->c.system->events[event].prog, true);
}

static int64_t first_order(Chance *x)
{
    int64_t most = 0;
    for (int32_t e = 0; e < x->c.system->event_count; e++) {
        run_event(x, e);
        for (size_t i = 0; i < x->numbers.count; i++)
            most = order_of(x->numbers.rate[i]) > most ? order_of(x->numbers.rate[i]) : most;
    }
    return most;
}

/* The state of the choices, for the traversal. */
static void look(Chance *x)
{
    for (int32_t i = 0; i < x->c.system->cell_count; i++)
        x->cells[i] = (int32_t)x->choices.cells[i];
    system_counts(x->c.system, x->cells, x->counts);
}

static void compare_rates(Chance *x, const char *text)
{
    double total = 0;
    look(x);
    const int64_t most = first_order(x);
    for (int32_t e = 0; e < x->c.system->event_count; e++) {
        double exact = 0;
        run_event(x, e);
        for (size_t i = 0; i < x->numbers.count; i++)
            exact += order_of(x->numbers.rate[i]) == most ? x->numbers.rate[i].value : 0;
        const double got = choices_rate(&x->choices, e);
        if (x->c.system->events[e].label == LABEL_NONE) {
            cr_expect_eq(got, 0);
            continue;
        }
        cr_expect_leq(fabs(got - exact), 1e-13 * exact, "%s: %.17g, not %.17g", text, got, exact);
        total += exact;
    }
    cr_expect_leq(fabs(choices_total(&x->choices) - total), 1e-12 * total, "%s", text);
}

/* Every rate in every state of a long trajectory. */
Test(choices, rates_are_those_of_the_traversal)
{
    for (size_t i = 0; i < TEXTS; i++) {
        Chance x;
        chance_open(&x, texts[i]);
        for (int step = 0; step < 300 && choices_total(&x.choices) > 0; step++) {
            cr_assert(!choices_stuck(&x.choices), "%s", texts[i]);
            compare_rates(&x, texts[i]);
            (void)choices_take(&x.choices, &x.stream);
        }
        chance_close(&x);
    }
}

/* A state that an activity may lead to, how likely, and how often it was drawn. */
typedef struct {
    uint64_t packed[MOST_WORDS];
    double rate;
    int64_t drawn;
} Target;

static Target *target_of(Target *target, size_t *count, const uint64_t *packed, size_t words)
{
    size_t i = 0;
    while (i < *count && memcmp(target[i].packed, packed, words * sizeof *packed) != 0)
        i++;
    if (i == *count) {
        cr_assert_lt(*count, MOST_TARGETS);
        target[i] = (Target){.rate = 0};
        memcpy(target[i].packed, packed, words * sizeof *packed);
        ++*count;
    }
    return &target[i];
}

static size_t exact_targets(Chance *x, Target *target)
{
    const System *s = x->c.system;
    uint64_t from[MOST_WORDS], to[MOST_WORDS];
    size_t count = 0;
    system_pack(s, x->cells, from);
    const int64_t most = first_order(x);
    for (int32_t e = 0; e < s->event_count; e++) {
        run_event(x, e);
        for (size_t i = 0; i < x->numbers.count; i++) {
            int32_t cells[MOST_CELLS];
            if (order_of(x->numbers.rate[i]) < most)
                continue;
            for (size_t w = 0; w < s->words; w++)
                to[w] = from[w] + x->numbers.delta[i * s->words + w];
            system_unpack(s, to, cells);
            system_canonical(s, cells);
            system_pack(s, cells, to);
            target_of(target, &count, to, s->words)->rate += x->numbers.rate[i].value;
        }
    }
    return count;
}

/* Pearson's test at a level of 1e-9, of targets that are drawn often enough. */
static void compare_frequencies(Chance *x, const char *text)
{
    enum { DRAWS = 20000 };
    static Target target[MOST_TARGETS];
    int64_t cells[MOST_CELLS];
    uint64_t packed[MOST_WORDS];
    double chi = 0;
    const double total = choices_total(&x->choices);
    look(x);
    const size_t count = exact_targets(x, target);
    size_t now = count;
    for (int32_t i = 0; i < x->c.system->cell_count; i++)
        cells[i] = x->choices.cells[i];
    for (int i = 0; i < DRAWS; i++) {
        choices_go(&x->choices, cells);
        (void)choices_take(&x->choices, &x->stream);
        cr_assert(choices_pack(&x->choices, packed));
        target_of(target, &now, packed, x->c.system->words)->drawn++;
    }
    cr_assert_eq(now, count, "%s: a state that no activity leads to", text);
    for (size_t i = 0; i < count; i++) {
        const double expected = target[i].rate / total * DRAWS;
        chi +=
            ((double)target[i].drawn - expected) * ((double)target[i].drawn - expected) / expected;
    }
    cr_expect(count < 2 || chi <= gsl_cdf_chisq_Qinv(1e-9, (double)count - 1), "%s: %g of %zu",
              text, chi, count);
    choices_go(&x->choices, cells);
}

Test(choices, frequencies_are_shares_of_rates)
{
    for (size_t i = 0; i < TEXTS; i++) {
        Chance x;
        chance_open(&x, texts[i]);
        for (int step = 0; step < 40 && choices_total(&x.choices) > 0; step++) {
            if (step % 5 == 0)
                compare_frequencies(&x, texts[i]);
            (void)choices_take(&x.choices, &x.stream);
        }
        chance_close(&x);
    }
}

/* Components that enter a local state, against the list of moves: of all local states, one by one. */
Test(choices, inflows_are_those_of_the_moves)
{
    static const char text[] = "C = (think, 1).W; W = (serve, T).C + (serve, 2 * T).D; "
                               "D = (quit, 0.3).C; S = (serve, 2).L; L = (log, 3).S; "
                               "C[7] <serve> (S || S[2])";
    Chance x;
    chance_open(&x, text);
    const System *s = x.c.system;
    for (int step = 0; step < 50; step++) {
        for (int32_t slot = 0; slot < s->slot_count; slot++)
            for (int32_t l = 0; l < s->components[s->slots[slot].component].local_count; l++) {
                int32_t marked[MOST_CELLS];
                uint8_t in[MOST_CELLS] = {0};
                uint64_t from[MOST_WORDS], to[MOST_WORDS];
                double exact = 0, got = 0;
                for (int32_t i = 0; i < s->slot_count; i++)
                    marked[i] = i == slot ? 0 : -1;
                in[l] = 1;
                look(&x);
                system_pack(s, x.cells, from);
                for (int32_t e = 0; e < s->event_count; e++) {
                    got += choices_inflow(&x.choices, e, marked, in);
                    x.numbers.count = 0;
                    if (s->events[e].label != LABEL_NONE)
                        (void)number_moves_run(&x.numbers, s->events[e].prog, true);
                    for (size_t i = 0; i < x.numbers.count; i++) {
                        int32_t cells[MOST_CELLS];
                        for (size_t w = 0; w < s->words; w++)
                            to[w] = from[w] + x.numbers.delta[i * s->words + w];
                        system_unpack(s, to, cells);
                        const int32_t cell = s->slots[slot].cell;
                        const bool more = s->slots[slot].copies
                                              ? cells[cell + l] > x.cells[cell + l]
                                              : cells[cell] == l && x.cells[cell] != l;
                        exact += more ? x.numbers.rate[i].value : 0;
                    }
                }
                cr_expect_leq(fabs(got - exact), 1e-13 * exact, "%d, %d: %g, not %g", slot, l, got,
                              exact);
            }
        (void)choices_take(&x.choices, &x.stream);
    }
    chance_close(&x);
}

/* What exploration refuses is noticed, also where the activity is blocked further out. */
Test(choices, faults)
{
    static const struct {
        const char *text;
        int steps; /* until it is noticed */
    } faulty[] = {
        {"P = (a, T).P; P", 0},
        {"P = (a, 1).P; Q = (a, T).Q; P || Q", 0},
        {"P = (a, 1).P; Q = (a, T).Q; R = (b, 1).R; (P || Q) <a> R", 0},
        {"P = (b, 1).Q; Q = (a, 1).P; R = (a, T).R; P || R <b> R", -1},
        {"P = (b, 1).Q; Q = (a, T).P; P", 1},
        {"P = (b, 1).Q; Q = (a, 1).P + (a, T).P; R = (a, 1).R; P <a> R", 1},
        {"P = (b, 1).Q; Q = (a, P - 1).P; P[3]", 3},
    };
    for (size_t i = 0; i < sizeof faulty / sizeof *faulty; i++) {
        Chance x;
        chance_open(&x, faulty[i].text);
        int steps = 0;
        while (!choices_stuck(&x.choices) && choices_total(&x.choices) > 0 && steps < 10) {
            (void)choices_take(&x.choices, &x.stream);
            steps++;
        }
        if (faulty[i].steps >= 0)
            cr_expect_eq(steps, faulty[i].steps, "%s: %d", faulty[i].text, steps);
        cr_expect(choices_stuck(&x.choices), "%s", faulty[i].text);
        chance_close(&x);
    }
}

/* An event that always moves the same components does what drawing it does, and takes as many random
 * numbers: none. */
Test(choices, fixed_events_are_what_is_drawn)
{
    int64_t fixed = 0, not_fixed = 0;
    for (size_t i = 0; i < TEXTS; i++) {
        Chance x, y;
        chance_open(&x, texts[i]);
        chance_open(&y, texts[i]);
        const System *s = x.c.system;
        for (int32_t e = 0; e < s->event_count; e++)
            y.plan->fixed[e].always = false;
        for (int step = 0; step < 2000 && choices_total(&x.choices) > 0; step++) {
            const int32_t event = choices_take(&x.choices, &x.stream);
            *(x.plan->fixed[event].always ? &fixed : &not_fixed) += 1;
            cr_assert_eq(choices_take(&y.choices, &y.stream), event, "%s", texts[i]);
            cr_assert_arr_eq(x.choices.cells, y.choices.cells,
                             (size_t)s->cell_count * sizeof *x.choices.cells, "%s", texts[i]);
            cr_assert_arr_eq(x.choices.rate_sums, y.choices.rate_sums,
                             2 * (size_t)s->event_count * sizeof *x.choices.rate_sums, "%s",
                             texts[i]);
            cr_assert_eq(x.choices.change_count, y.choices.change_count);
            for (size_t k = 0; k < x.choices.change_count; k++) {
                cr_expect_eq(x.choices.changes[k].slot, y.choices.changes[k].slot);
                cr_expect_eq(x.choices.changes[k].local, y.choices.changes[k].local);
                cr_expect_eq(x.choices.changes[k].by, y.choices.changes[k].by);
            }
            cr_assert_eq(x.choices.changed_count, y.choices.changed_count);
            cr_assert_arr_eq(x.choices.changed, y.choices.changed,
                             x.choices.changed_count * sizeof *x.choices.changed, "%s", texts[i]);
        }
        chance_close(&x);
        chance_close(&y);
    }
    cr_expect_gt(fixed, 1000);
    cr_expect_gt(not_fixed, 1000);
}
