/* Rates of single states, worked out by hand from Hillston 1996, section 3.3. */
#include <math.h>
#include <stdio.h>

#include "compiled.h"
#include "ctmc/semantics/moves.h"

static double from_start(const char *text, const char *action)
{
    Derived d = derive(text, 1);
    cr_assert_eq(d.status, PEPA_OK, "%s", d.diags.count ? d.diags.items[0].message : "");
    double rate = rate_of(d.chain, 0, action, -1);
    derived_free(&d);
    return rate;
}

#define EXPECT(text, action, rate)                                                                 \
    cr_assert_float_eq(from_start(text, action), rate, 1e-14 * (rate), "%s: %.17g", text,          \
                       from_start(text, action))

Test(moves, independent_components_race)
{
    EXPECT("P = (a, 2).P; Q = (a, 3).Q; P || Q", "a", 5.0);
    EXPECT("P = (a, 2).P; Q = (b, 3).Q; P <> Q", "b", 3.0);
}

Test(moves, the_slower_side_sets_the_pace)
{
    EXPECT("P = (a, 2).P; Q = (a, 3).Q; P <a> Q", "a", 2.0);
    EXPECT("P = (a, 2).P; Q = (a, T).Q; P <a> Q", "a", 2.0);
    EXPECT("P = (a, T).P; Q = (a, 3).Q; P <a> Q", "a", 3.0);
    EXPECT("P = (a, 2).P; Q = (a, 3).Q; (P || P || P) <a> (Q || Q)", "a", 6.0);
}

Test(moves, shares_of_the_apparent_rate)
{
    /* P: 1 and 3 of 4; Q: 6 of 6; min 4; the branch with rate 1 gets a quarter. */
    const char *text = "P = (a, 1).P1 + (a, 3).P2; P1 = (x, 1).P; P2 = (y, 1).P;\n"
                       "Q = (a, 6).Q; P <a> Q";
    Derived d = derive(text, 1);
    cr_assert_eq(d.chain->states.count, 3);
    cr_assert_float_eq(rate_of(d.chain, 0, "a", 1), 1.0, 1e-15);
    cr_assert_float_eq(rate_of(d.chain, 0, "a", 2), 3.0, 1e-15);
    derived_free(&d);
    EXPECT("P = (a, 4).P; Q = (a, 1).Q + (a, 2).Q; P <a> Q", "a", 3.0);
}

Test(moves, passive_weights_share_out)
{
    const char *text = "P = (a, 8).P; Q = (a, infty).Q1 + (a, 3 * infty).Q2; Q1 = (x, 1).Q;\n"
                       "Q2 = (y, 1).Q; P <a> Q";
    Derived d = derive(text, 1);
    cr_assert_float_eq(rate_of(d.chain, 0, "a", 1), 2.0, 1e-15);
    cr_assert_float_eq(rate_of(d.chain, 0, "a", 2), 6.0, 1e-15);
    derived_free(&d);
}

/* Two passive sides stay passive: (w1/W1)(w2/W2) min(W1, W2), driven by an active third. */
Test(moves, passive_cooperation_of_passives)
{
    const char *text = "P = (a, 2 * infty).P1 + (a, 2 * infty).P; P1 = (x, 1).P;\n"
                       "Q = (a, 3 * infty).Q; R = (a, 5).R; (P <a> Q) <a> R";
    Derived d = derive(text, 1);
    cr_assert_float_eq(rate_of(d.chain, 0, "a", 1), 2.5, 1e-15);
    derived_free(&d);
}

Test(moves, equal_activities_add_up)
{
    EXPECT("P = (a, 2).P + (a, 2).P; P", "a", 4.0);
    EXPECT("S = (a, 2).S; P = S + S; P", "a", 4.0);
}

Test(moves, hidden_actions_are_tau_and_do_not_cooperate)
{
    EXPECT("P = (a, 2).P; Q = (a, 3).Q; (P / {a}) <a> Q", "tau", 2.0);
    EXPECT("P = (a, 2).P; Q = (a, 3).Q; (P / {a}) || (Q / {a})", "tau", 5.0);
    EXPECT("P = (a, 2).P; Q = (a, 3).Q; (P <a> Q) / {a}", "tau", 2.0);
    EXPECT("P = (tau, 2).P; Q = (tau, 3).Q; P <*> Q", "tau", 5.0);
}

Test(moves, wildcard_is_all_shared_actions)
{
    EXPECT("P = (a, 2).P + (b, 1).P; Q = (a, 3).Q + (c, 1).Q; P <*> Q", "a", 2.0);
    EXPECT("P = (a, 2).P + (b, 1).P; Q = (a, 3).Q + (c, 1).Q; P <*> Q", "c", 1.0);
}

Test(moves, copies_count)
{
    EXPECT("P = (a, 2).P1; P1 = (b, 1).P; P[5]", "a", 10.0);
    EXPECT("P = (a, 2).P1; P1 = (b, 1).P; Q = (a, 3).Q; P[5] <a> Q[2]", "a", 6.0);
    EXPECT("P = (a, 2).P1; P1 = (b, 1).P; P[5]{a}", "a", 2.0);
    EXPECT("P = (a, 2).P1; P1 = (b, 1).P; P[5][a]", "a", 2.0);
    EXPECT("P = (a, 2).P1; P1 = (b, 1).P; (P / {a})[5]", "tau", 10.0);
}

/* The state with so many components in the first and the second local state of its only slot. */
static int32_t state_with(const Derived *d, int32_t first, int32_t second)
{
    int32_t cells[8];
    cr_assert_leq(d->chain->system->cell_count, 8);
    for (int32_t s = 0; s < d->chain->states.count; s++)
        if (chain_cells(d->chain, s, cells) && cells[0] == first && cells[1] == second)
            return s;
    return -1;
}

/* Copies that all move, each with odds 1 : 3 to P1 or P2: a binomial distribution, at the apparent
 * rate 4 of one copy.  Of 200, there are up to 9e58 ways to choose those that go to P1. */
Test(moves, copies_that_move_together_choose)
{
    static const int32_t copies[] = {5, 33, 34, 200};
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
        const int32_t n = copies[i];
        char text[128];
        (void)snprintf(text, sizeof text,
                       "P = (a, 1).P1 + (a, 3).P2; P1 = (b, 1).P; P2 = (c, 1).P; P[%d]{a}", n);
        Derived d = derive(text, 1);
        cr_assert_eq(d.status, PEPA_OK);
        cr_assert_eq(d.chain->system->slot_count, 1);
        long double want = 4 * powl(0.75L, n);
        for (int32_t k = 0; k <= n; k++) {
            const int32_t to = state_with(&d, 0, k);
            cr_assert_geq(to, 0);
            cr_expect_float_eq(rate_of(d.chain, 0, "a", to), (double)want, 1e-13 * (double)want,
                               "%d of %d in P1: %.17g", k, n, rate_of(d.chain, 0, "a", to));
            want *= (n - k) / (3.0L * (k + 1));
        }
        derived_free(&d);
    }
}

/* Copies in different local states: the slowest sets the pace, moves may cancel each other, and a
 * copy that cannot do the action holds up all. */
Test(moves, copies_that_move_together_from_different_states)
{
    Derived d =
        derive("P = (a, 2).Q + (b, 1).Q; Q = (a, 3).P + (c, 1).R; R = (d, 1).P; P[3]{a}", 1);
    cr_assert_eq(d.status, PEPA_OK);
    cr_expect_float_eq(rate_of(d.chain, state_with(&d, 3, 0), "a", state_with(&d, 0, 3)), 2, 1e-15);
    cr_expect_float_eq(rate_of(d.chain, state_with(&d, 0, 3), "a", state_with(&d, 3, 0)), 3, 1e-15);
    cr_expect_float_eq(rate_of(d.chain, state_with(&d, 2, 1), "a", state_with(&d, 1, 2)), 2, 1e-15);
    cr_expect_eq(rate_of(d.chain, state_with(&d, 2, 0), "a", -1), 0);
    cr_expect_eq(rate_of(d.chain, state_with(&d, 1, 1), "a", -1), 0);
    derived_free(&d);
    d = derive("P = (a, 2).Q + (b, 1).Q; Q = (a, 3).P; P[2]{a}", 1);
    int32_t even = state_with(&d, 1, 1);
    cr_expect_float_eq(rate_of(d.chain, even, "a", even), 2, 1e-15);
    derived_free(&d);
    /* both choose between P and Q: a quarter each to P:2 and Q:2, half a self-loop */
    d = derive("P = (a, 2).Q + (a, 2).P + (b, 1).Q; Q = (a, 3).P + (a, 3).Q; P[2]{a}", 1);
    even = state_with(&d, 1, 1);
    cr_expect_float_eq(rate_of(d.chain, even, "a", even), 2, 1e-15);
    cr_expect_float_eq(rate_of(d.chain, even, "a", state_with(&d, 2, 0)), 1, 1e-15);
    cr_expect_float_eq(rate_of(d.chain, even, "a", state_with(&d, 0, 2)), 1, 1e-15);
    derived_free(&d);
}

/* Passive weights share out as well, and one active copy drives the passive ones. */
Test(moves, copies_that_move_together_passively)
{
    Derived d = derive("P = (a, T).P1 + (a, 2 * T).P2; P1 = (b, 1).P; P2 = (c, 1).P;\n"
                       "R = (a, 9).R; P[2]{a} <a> R",
                       1);
    cr_assert_eq(d.status, PEPA_OK);
    cr_expect_float_eq(rate_of(d.chain, 0, "a", state_with(&d, 0, 2)), 1, 1e-14);
    cr_expect_float_eq(rate_of(d.chain, 0, "a", state_with(&d, 0, 1)), 4, 1e-14);
    cr_expect_float_eq(rate_of(d.chain, 0, "a", state_with(&d, 0, 0)), 4, 1e-14);
    derived_free(&d);
    d = derive("P = (a, 5).P + (b, 1).Q; Q = (a, T).Q + (c, 1).P; R = (a, T).R; P[3]{a} || R", 1);
    cr_expect_neq(d.status, PEPA_OK); /* R alone is not driven, and a of Q:3 neither */
    derived_free(&d);
    d = derive("P = (a, 5).P + (b, 1).Q; Q = (a, T).Q + (c, 1).P; R = (a, 7).R; P[3]{a} <a> R", 1);
    cr_assert_eq(d.status, PEPA_OK);
    cr_expect_float_eq(rate_of(d.chain, state_with(&d, 2, 1), "a", -1), 5, 1e-14);
    cr_expect_float_eq(rate_of(d.chain, state_with(&d, 0, 3), "a", -1), 7, 1e-14);
    derived_free(&d);
}

Test(moves, functional_rates_see_the_whole_state)
{
    EXPECT("r = 0.5; P = (a, P * r).P1; P1 = (b, 1).P; P[4]", "a", 8.0);
    EXPECT("P = (a, 1).P1; P1 = (b, 1).P; Q = (serve, P * 3).Q; P[4] || Q", "serve", 12.0);
    /* in a state without Waiting the rate is 0: the activity is off */
    EXPECT("P = (a, 1).P1; P1 = (b, 1).P; Q = (serve, P1 * 3).Q; P[4] || Q", "serve", 0.0);
}

/* The same from both sides: what blocks or errs does not depend on the order of operands. */
Test(moves, faults)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"P = (a, T).P; P", "passive activity `a` has nothing to drive it"},
        {"P = (a, T).P; Q = (a, T).Q; P <a> Q", "nothing to drive it"},
        {"P = (a, T).P; (P / {a})", "is hidden before anything drives it"},
        {"P = (a, T).P + (a, 1).P; Q = (a, 1).Q; P <a> Q", "active and passive rates of `a`"},
        {"P = (a, T).P + (a, 1).P; Q = (a, 1).Q; Q <a> P", "active and passive rates of `a`"},
        {"P = (a, T).P; Q = (a, 1).Q; R = (a, 1).R; (P || Q) <a> R", "active and passive"},
        {"P = (a, T).P + (a, 1).P; Q = (b, 1).Q; P <a> Q", "active and passive"},
        {"P = (b, 1).P1; P1 = (a, T).P; P", "(P1)"},
        {"P = (a, P * T).Q; Q = (b, 1).P; P[2]", "passive activity `a` has nothing to drive it"},
        {"P = (a, P * 2).Q + (a, T).Q; Q = (b, 1).P; P", "active and passive rates of `a`"},
        {"P = (tau, T).P; P", "a passive `tau` has nothing to drive it"},
        {"P = (a, 1e308).Q + (b, 1e308).Q; Q = (c, 1).P; P", "out of state (P) add up to inf"},
        {"P = (a, 1e308).Q + (a, 1e308).Q; Q = (c, 1).P; P", "comes to inf"},
        {"P = (a, 1).P1; P1 = (b, 1).P; Q = (serve, P - 2).Q; P[2] || Q", "comes to -1"},
        {"P = (a, 1).Q; Q = (b, 1 / P).P; P", "`b` has no value in state (Q): a division by 0"},
        {"P = (a, 1).Q; Q = (b, exp(1000 * Q)).P; P", "or numbers that are too large"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Derived d = derive(cases[i].text, 1);
        cr_assert_eq(d.status, PEPA_EMODEL, "%s", cases[i].text);
        cr_assert(says(&d.diags, cases[i].words), "%s: %s", cases[i].text,
                  d.diags.count ? d.diags.items[0].message : "silent");
        derived_free(&d);
    }
}

/* Two copies that can do a at an active or at a passive rate; wanted or not. */
static void expect_mixed(const char *text)
{
    Compiled c = compiled_of(text, true);
    Moves moves;
    cr_assert_eq(moves_init(&moves, c.system, &c.rates, NULL), PEPA_OK);
    system_initial(c.system, moves.cells);
    const int32_t root = c.system->events[event_of(&c, "a", false)].prog;
    const int32_t terms = c.rates.count;
    for (int32_t prog = root; prog < root + 2; prog++)
        for (int wanted = 0; wanted < 2; wanted++) {
            cr_assert_eq(moves_run(&moves, prog, wanted).apparent, TERM_MIXED);
            cr_assert_eq(moves.count, 0);
        }
    cr_assert_eq(c.rates.count, terms);
    moves_free(&moves);
    compiled_free(&c);
}

Test(moves, mixed_rates_of_copies)
{
    expect_mixed("P = (a, T).P + (a, 1).P; Q = (a, 1).Q; P[2] <a> Q");
    expect_mixed("P = (a, T).P + (a, 1).P; Q = (a, 1).Q; P[2]{a} <a> Q");
}

Test(moves, what_is_not_reached_is_no_fault)
{
    Derived d = derive("P = (a, 1).P; Q = (b, T).Q; R = (b, 1).R1; R1 = (c, 1).R1;\n"
                       "P <a> (Q <b> R)",
                       1);
    cr_assert_eq(d.status, PEPA_OK);
    derived_free(&d);
}

Test(moves, several_faults_are_reported_in_one_run)
{
    Derived d = derive("P = (a, T).P; Q = (b, T).Q; R = (c, 1).R; P || Q || R", 1);
    cr_assert_eq(d.diags.errors, 2);
    cr_assert(says(&d.diags, "`a`") && says(&d.diags, "`b`"));
    derived_free(&d);
}
