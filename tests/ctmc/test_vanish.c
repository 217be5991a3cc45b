/* Immediate activities and priorities, worked out by hand. */
#include <math.h>

#include "compiled.h"

static double rate(const char *text, const char *action)
{
    Derived d = derive(text, 1);
    cr_assert_eq(d.status, PEPA_OK, "%s: %s", text, d.diags.count ? d.diags.items[0].message : "");
    const double found = rate_of(d.chain, 0, action, -1);
    derived_free(&d);
    return found;
}

static int64_t states(const char *text)
{
    Derived d = derive(text, 1);
    cr_assert_eq(d.status, PEPA_OK, "%s", text);
    const int64_t found = d.chain->state_count;
    derived_free(&d);
    return found;
}

#define EXPECT(text, action, value)                                                                \
    cr_assert_float_eq(rate(text, action), value, 1e-14 * (value), "%s: %.17g", text,              \
                       rate(text, action))

static void expect_error(const char *text, const char *message)
{
    Derived d = derive(text, 1);
    cr_assert_eq(d.status, PEPA_EMODEL, "%s", text);
    cr_assert_gt(d.diags.count, 0);
    cr_assert_str_eq(d.diags.items[0].message, message);
    derived_free(&d);
}

Test(vanish, weights_divide_a_rate)
{
    const char *text = "P = (a, 6).Q; Q = (b, 2 : immediate).R + c.P; R = (d, 1).P; P";
    cr_assert_eq(states(text), 2);
    EXPECT(text, "a", 6.0);
    EXPECT(text, "b", 4.0);
    EXPECT(text, "c", 2.0);
    Derived d = derive(text, 1);
    cr_assert_eq(rate_of(d.chain, 0, "a", 1), 4, "into R");
    cr_assert_eq(rate_of(d.chain, 0, "a", 0), 2, "back to P");
    derived_free(&d);
}

Test(vanish, a_chain_of_immediate_activities)
{
    const char *text = "P = (a, 3).b.c.b.d.Q; Q = (e, 1).P; P";
    cr_assert_eq(states(text), 2);
    EXPECT(text, "b", 6.0);
    EXPECT(text, "c", 3.0);
    EXPECT(text, "d", 3.0);
}

/* From Q, `round` is taken 3 of 4 times: 3 times in the mean before `out`. */
Test(vanish, loops)
{
    EXPECT("P = (a, 5).Q; Q = (round, 3 : immediate).Q + out.P; P", "round", 15.0);
    EXPECT("P = (a, 5).Q; Q = (round, 3 : immediate).R + out.P; R = back.Q; P", "back", 15.0);
    EXPECT("P = (a, 5).Q; Q = (round, 3 : immediate).R + out.P; R = back.Q; P", "out", 5.0);
}

/* Gambler's ruin from 2 of 4 with odds p = 2/3: P(win) = (1 - (1/2)^2) / (1 - (1/2)^4) = 0.8, and
 * (4 P(win) - 2) / (2p - 1) = 3.6 games. */
Test(vanish, ruin)
{
    const char *text = "P = (a, 1).G2;\n"
                       "G1 = (win, 2 : immediate).G2 + (lose, immediate).Lost;\n"
                       "G2 = (win, 2 : immediate).G3 + (lose, immediate).G1;\n"
                       "G3 = (win, 2 : immediate).Won + (lose, immediate).G2;\n"
                       "Won = won.P; Lost = lost.P; P";
    cr_assert_eq(states(text), 1);
    EXPECT(text, "won", 0.8);
    EXPECT(text, "lost", 0.2);
    cr_assert_float_eq(rate(text, "win") + rate(text, "lose"), 3.6, 1e-14);
}

Test(vanish, levels_in_a_cooperation)
{
    /* always ready: the timed side sets the pace, weights divide it */
    EXPECT("P = (a, 6).P; Q = (a, 2 : immediate).Q + (a, immediate).R; R = (b, 1).Q; P <a> Q", "a",
           6.0);
    /* immediate with passive is immediate */
    EXPECT("P = (x, 2).a.P; Q = (a, T).Q; P <a> Q", "a", 2.0);
    /* both immediate: each side chooses by its weights */
    const char *both = "P = (x, 8).P1; P1 = (a, 3 : immediate).P2 + a.P; P2 = (y, 1).P;\n"
                       "Q = a.Q1 + a.Q; Q1 = (z, 1).Q; P <a> Q";
    Derived d = derive(both, 1);
    double sum = 0;
    for (int32_t t = 1; t < d.chain->state_count; t++)
        sum += rate_of(d.chain, 0, "x", t);
    cr_assert_float_eq(sum, 7, 1e-14, "all but P, Q again");
    cr_assert_float_eq(rate_of(d.chain, 0, "x", 0), 1, 1e-14, "1/4 times 1/2 of 8");
    derived_free(&d);
}

/* Of 3 copies one goes on at a time; the vanishing state has a weight for each. */
Test(vanish, copies)
{
    EXPECT("P = (a, 2).Q; Q = b.R; R = (c, 1).P; P[3]", "b", 6.0);
    cr_assert_eq(states("P = (a, 2).Q; Q = b.R; R = (c, 1).P; P[3]"), 4);
}

Test(vanish, priorities_preempt)
{
    EXPECT("P = (a[2], 3).P + (b, 5).Q; Q = (c, 1).P; P", "a", 3.0);
    cr_assert_eq(states("P = (a[2], 3).P + (b, 5).Q; Q = (c, 1).P; P"), 1);
    cr_assert_eq(states("P = (a[0], 3).P + (b, 5).Q; Q = (c, 1).P; P"), 2,
                 "1 where none is stated");
    /* immediate activities come before timed ones, and among themselves by priority */
    const char *text = "P = (x, 1).Q; Q = (a[9], 3).P + b[2].R + c.P; R = (d, 1).P; P";
    EXPECT(text, "b", 1.0);
    Derived d = derive(text, 1);
    cr_assert_eq(rate_of(d.chain, 0, "x", 1), 1);
    cr_assert_eq(d.chain->action_count, 3, "a and c never happen");
    derived_free(&d);
}

/* A partner that states no priority has that of the other; else the larger counts. */
Test(vanish, priorities_of_shared_activities)
{
    static const char rest[] = "R = (b, 5).R1; R1 = (c, 1).R; (P <a> Q) || R";
    static const struct {
        const char *text;
        int64_t states;
    } cases[] = {{"P = (a[2], 3).P; Q = (a, T).Q;", 1},    {"P = (a, 3).P; Q = (a[2], T).Q;", 1},
                 {"P = (a, 3).P; Q = (a[2], 7).Q;", 1},    {"P = (a[0], 3).P; Q = (a, T).Q;", 2},
                 {"P = (a[0], 3).P; Q = (a[2], T).Q;", 1}, {"P = (a, 3).P; Q = (a, T).Q;", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Text text = {0};
        text_add(&text, "%s %s", cases[i].text, rest);
        cr_assert_eq(states(text.text), cases[i].states, "%s", text.text);
        if (i != 3) /* there, b goes first */
            EXPECT(text.text, "a", 3.0);
        text_free(&text);
    }
}

/* It begins in one of several states. */
Test(vanish, the_start)
{
    Derived d = derive("P = (a, 3 : immediate).Q + b.R; Q = (c, 1).P; R = (d, 1).P; P", 1);
    double p[2];
    cr_assert_eq(d.status, PEPA_OK);
    cr_assert_eq(d.chain->start_count, 2);
    chain_begin(d.chain, d.chain->now.term, p);
    cr_assert_eq(p[0], 0.75);
    cr_assert_eq(p[1], 0.25);
    cr_assert_eq(d.diags.count, 0, "%s", d.diags.count ? d.diags.items[0].message : "");
    derived_free(&d);
}

Test(vanish, traps)
{
    expect_error("P = (a, 1).Q; Q = b.R; R = c.Q; P",
                 "immediate activities go on for ever, and no time passes: (Q) -b-> (R) -c-> (Q); "
                 "let one of these actions take time");
    expect_error("P = b.P; P", "immediate activities go on for ever, and no time passes: (P) -b-> "
                               "(P); let one of these actions take time");
    expect_error("P = (a, 1).P1 + (x, 1).P; P1 = c.P + d.Q; Q = (b, 2 : immediate).Q; P",
                 "immediate activities go on for ever, and no time passes: (Q) -b-> (Q); let one "
                 "of these actions take time");
}

/* What is wrong with a vanishing state is reported with that state. */
Test(vanish, faults)
{
    expect_error("P = (a, 1).Q; Q = b.P + (c, T).P; P",
                 "passive activity `c` has nothing to drive it in state (Q); let it cooperate with "
                 "a component that does `c` at an active rate");
    expect_error("P = (a, 1).Q; Q = b.P + (b, 2).P; P",
                 "rates of `b` that do not add up meet in one component, in state (Q): all have to "
                 "be timed, or immediate, or passive, and of one priority");
    expect_error("P = (a, 1).Q; Q = b[2].P + b.P; P",
                 "rates of `b` that do not add up meet in one component, in state (Q): all have to "
                 "be timed, or immediate, or passive, and of one priority");
    expect_error("P = (a, 1).P; Q = (a[2], 2).Q; P || Q",
                 "rates of `a` that do not add up meet in one component, in state (P, Q): all have "
                 "to be timed, or immediate, or passive, and of one priority");
}

/* Weights can have other values later. */
Test(vanish, weights_are_terms)
{
    Derived d = derive("w = 1; P = (a, 6).Q; Q = (b, w : immediate).R + c.P; R = (d, 1).P; P", 1);
    cr_assert_eq(rate_of(d.chain, 0, "b", 0), 3);
    const int32_t w = 0;
    const double five = 5;
    cr_assert_eq(rate_values_set(&d.chain->now, &d.chain->rates, 1, &w, &five, NULL), PEPA_OK);
    cr_assert_float_eq(rate_of(d.chain, 0, "b", 0), 5, 1e-14);
    derived_free(&d);
}
