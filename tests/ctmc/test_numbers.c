/* Rates as numbers, worked out by hand from Hillston 1996, section 3.3. */
#include "compiled.h"
#include "ctmc/numbers.h"

typedef struct {
    Compiled c;
    NumberMoves moves;
    int32_t cells[16];
    int64_t counts[16];
} Numbers;

/* The moves of an event in the initial state, or in that of `cells`. */
static Number run_event(Numbers *n, const char *text, const char *action, const int32_t *cells)
{
    n->c = compiled_of(text, true);
    cr_assert(n->c.system->cell_count <= 16 && n->c.model->local_count <= 16);
    system_initial(n->c.system, n->cells);
    if (cells)
        memcpy(n->cells, cells, (size_t)n->c.system->cell_count * sizeof *cells);
    system_counts(n->c.system, n->cells, n->counts);
    number_moves_init(&n->moves, n->c.system, &n->c.rates, n->cells, n->counts);
    int32_t event = event_of(&n->c, action, false);
    cr_assert_geq(event, 0);
    Number apparent = number_moves_run(&n->moves, n->c.system->events[event].prog, true);
    cr_assert_not(n->moves.no_memory);
    return apparent;
}

static void numbers_free(Numbers *n)
{
    number_moves_free(&n->moves);
    compiled_free(&n->c);
}

static void expect(const char *text, const char *action, NumberKind kind, double apparent,
                   size_t count, const double *rates)
{
    Numbers n;
    Number got = run_event(&n, text, action, NULL);
    cr_expect_eq(number_kind(got), kind, "%s", text);
    cr_expect_float_eq(got.value, apparent, 1e-14 * apparent, "%s: %.17g", text, got.value);
    cr_assert_eq(n.moves.count, count, "%s", text);
    for (size_t i = 0; i < count; i++)
        cr_expect_float_eq(n.moves.rate[i].value, rates[i], 1e-14 * rates[i], "%s: %.17g", text,
                           n.moves.rate[i].value);
    numbers_free(&n);
}

Test(numbers, rules_of_cooperation)
{
    expect("P = (a, 2).P; Q = (a, 3).Q; P || Q", "a", NUMBER_ACTIVE, 5, 2, (double[]){2, 3});
    expect("P = (a, 2).P; Q = (a, 3).Q; P <a> Q", "a", NUMBER_ACTIVE, 2, 1, (double[]){2});
    expect("P = (a, 1).P + (a, 3).R; R = (b, 1).P; Q = (a, 6).Q; P <a> Q", "a", NUMBER_ACTIVE, 4, 2,
           (double[]){1, 3});
    /* shares 1/4, 3/4 and 1/3, 2/3 of min(4, 3) */
    expect("P = (a, 1).P + (a, 3).R; R = (b, 1).P; Q = (a, 1).Q + (a, 2).S; S = (b, 1).Q; P <a> Q",
           "a", NUMBER_ACTIVE, 3, 4, (double[]){0.25, 0.5, 0.75, 1.5});
}

Test(numbers, weights)
{
    expect("P = (a, 8).P; Q = (a, T).R + (a, 3 * T).Q; R = (b, 1).Q; P <a> Q", "a", NUMBER_ACTIVE,
           8, 2, (double[]){6, 2}); /* by target: Q, then R */
    expect("P = (a, 2 * T).P; Q = (a, 3 * T).Q; P <a> Q", "a", NUMBER_PASSIVE, 2, 1, (double[]){2});
}

Test(numbers, copies_and_counts)
{
    expect("P = (a, 2).Q; Q = (b, 1).P; R = (a, 7).R; P[5] <a> R", "a", NUMBER_ACTIVE, 7, 1,
           (double[]){7});
    expect("P = (a, P * 0.5).Q; Q = (b, 1).P; P[4]", "a", NUMBER_ACTIVE, 8, 1, (double[]){8});
    expect("P = (a, 2).Q; Q = (b, 1).P; R = (c, 1).R; (P || R)[3]", "a", NUMBER_ACTIVE, 6, 1,
           (double[]){6});
}

Test(numbers, no_rate_and_mixed_rates)
{
    expect("P = (a, Q).Q; Q = (b, 1).P; P[4]", "a", NUMBER_NONE, 0, 0, NULL); /* off: no Q */
    Numbers n;
    Number got = run_event(&n, "P = (a, 1).P; Q = (a, T).Q; P || Q", "a", NULL);
    cr_assert_eq(number_kind(got), NUMBER_MIXED);
    numbers_free(&n);
}

/* Where a move leads: what it adds to the packed state. */
Test(numbers, changes_of_state)
{
    Numbers n;
    const int32_t cells[] = {1, 3, 1}, target[] = {2, 2, 0};
    uint64_t from, to;
    (void)run_event(&n, "P = (b, 1).Q; Q = (a, 2).P; R = (c, 1).S; S = (a, 9).R; P[4] <a> R", "a",
                    cells);
    system_pack(n.c.system, cells, &from);
    system_pack(n.c.system, target, &to);
    cr_assert_eq(n.moves.count, 1);
    cr_assert_eq(from + n.moves.delta[0], to);
    cr_assert_float_eq(n.moves.rate[0].value, 6, 1e-14);
    numbers_free(&n);
}
