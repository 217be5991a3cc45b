/* The rule of the rescheduler, case by case. */
#include "grid/steer/rule.h"
#include "grid/steer/rescheduler.h"
#include "streams.h"

/* Moving pays: 100 items at 2 instead of 1 per second save 50 s. */
static const Comparison pays = {.present = 1,
                                .best = 2,
                                .error = 0.04,
                                .earlier = 1,
                                .fall_error = 0.04,
                                .samples = 4,
                                .left = 100,
                                .cost = 1,
                                .paid_before = 1};

static Decision with(Comparison w)
{
    GridReschedulerSettings set = grid_rescheduler_default();
    return decision_rule(&w, &set);
}

#define expect_decision(wanted, change)                                                            \
    do {                                                                                           \
        Comparison w = pays;                                                                       \
        change;                                                                                    \
        cr_expect_eq(with(w), wanted, "%s: %s", #change, decision_name(with(w)));                  \
    } while (0)

Test(rule, one_thing_after_the_other)
{
    expect_decision(DECISION_MOVE, w.left = 100);
    expect_decision(DECISION_DONE, w.left = 0);
    expect_decision(DECISION_BEST, w.best = 1);
    expect_decision(DECISION_BEST, w.best = 0.9);
    expect_decision(DECISION_BEST, w.best = NAN);
    expect_decision(DECISION_GAIN, w.best = 1.049);
    expect_decision(DECISION_DOUBT, w.best = 1.1);
    expect_decision(DECISION_DOUBT, w.best = 1.10);
    expect_decision(DECISION_MOVE, w.best = 1.11);
    expect_decision(DECISION_DOUBT, w.error = 0.28);
    expect_decision(DECISION_MOVE, w.error = 0.27);
    expect_decision(DECISION_COST, w.cost = 25);
    expect_decision(DECISION_MOVE, w.cost = 24.9);
    expect_decision(DECISION_COST, w.left = 4);
    expect_decision(DECISION_UNCONFIRMED, w.paid_before = 0);
    expect_decision(DECISION_UNCONFIRMED, (w.paid_before = 0, w.earlier = 1.42));
    expect_decision(DECISION_ALARM, (w.paid_before = 0, w.earlier = 1.43));
    expect_decision(DECISION_COST, (w.cost = 25, w.earlier = 10));
}

/* Few samples decide nothing, whether it pays or not, but that what is known has collapsed. */
Test(rule, few_samples)
{
    expect_decision(DECISION_MEASURING, w.samples = 3);
    expect_decision(DECISION_MEASURING, (w.samples = 0, w.error = 1));
    expect_decision(DECISION_MEASURING, (w.samples = 3, w.cost = 1e6));
    expect_decision(DECISION_GAIN, (w.samples = 0, w.best = 1.01));
    expect_decision(DECISION_BEST, (w.samples = 0, w.best = 1));
    expect_decision(DECISION_DONE, (w.samples = 0, w.left = 0));
    expect_decision(DECISION_ALARM, (w.samples = 3, w.paid_before = 0, w.earlier = 1.43));
    expect_decision(DECISION_DOUBT, (w.samples = 3, w.earlier = 1.43, w.error = 0.3));
    expect_decision(DECISION_MEASURING, (w.samples = 3, w.earlier = 0));
}

/* What is just enough: a gain of least_gain is none too small, but neither certainty nor a cost
 * nor an alarm that is only reached decides.  All numbers are exact. */
Test(rule, borders)
{
    GridReschedulerSettings set = {.least_gain = 0.5,
                                   .certainty = 2,
                                   .caution = 2,
                                   .alarm = 0.5,
                                   .least_samples = 4};
    Comparison w = pays;
    w.best = 1.5;
    w.error = 0;
    cr_expect_eq(decision_rule(&w, &set), DECISION_MOVE);
    w.best = nextafter(1.5, 1);
    cr_expect_eq(decision_rule(&w, &set), DECISION_GAIN);
    w.best = 2;
    w.error = log(2) / 2;
    cr_expect_eq(decision_rule(&w, &set), DECISION_DOUBT);
    w.error = nextafter(log(2) / 2, 0);
    cr_expect_eq(decision_rule(&w, &set), DECISION_MOVE);
    w.cost = 25;
    cr_expect_eq(decision_rule(&w, &set), DECISION_COST);
    w.cost = nextafter(25, 0);
    cr_expect_eq(decision_rule(&w, &set), DECISION_MOVE);
    w.earlier = 2;
    cr_expect_not(has_fallen(&w, &set));
    w.earlier = nextafter(2, 3);
    cr_expect(has_fallen(&w, &set));
}

/* A fall that errors explain is none: ln 2 is 17 of 0.04, and 2.5 of 0.277. */
Test(rule, the_alarm_has_its_own_evidence)
{
    expect_decision(DECISION_ALARM, (w.paid_before = 0, w.earlier = 2));
    expect_decision(DECISION_ALARM, (w.paid_before = 0, w.earlier = 2, w.fall_error = 0.277));
    expect_decision(DECISION_UNCONFIRMED, (w.paid_before = 0, w.earlier = 2, w.fall_error = 0.278));
    expect_decision(DECISION_MEASURING, (w.samples = 3, w.earlier = 2, w.fall_error = 0.278));
}

Test(rule, without_a_number_of_items_the_horizon_counts)
{
    GridReschedulerSettings set = grid_rescheduler_default();
    Comparison w = pays;
    w.left = -1;
    expect_near(seconds_left(&w, &set), 60, 1e-15);
    expect_near(seconds_saved(&w, &set), 30, 1e-15);
    w.cost = 14.9;
    cr_expect_eq(decision_rule(&w, &set), DECISION_MOVE);
    w.cost = 15;
    cr_expect_eq(decision_rule(&w, &set), DECISION_COST);
}
