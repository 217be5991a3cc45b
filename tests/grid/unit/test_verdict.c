/* The rule of the rescheduler, case by case. */
#include "grid/verdict.h"
#include "streams.h"

/* Moving pays: 100 items at 2 instead of 1 per second save 50 s. */
static const Weighing pays = {.present = 1,
                              .best = 2,
                              .doubt = 0.04,
                              .gave = 1,
                              .fall_doubt = 0.04,
                              .samples = 4,
                              .left = 100,
                              .cost = 1,
                              .before = 1};

static Verdict with(Weighing w)
{
    GridReschedulerSettings set = grid_rescheduler_default();
    return verdict_of(&w, &set);
}

#define expect_verdict(wanted, change)                                                             \
    do {                                                                                           \
        Weighing w = pays;                                                                         \
        change;                                                                                    \
        cr_expect_eq(with(w), wanted, "%s: %s", #change, verdict_name(with(w)));                   \
    } while (0)

Test(verdict, one_thing_after_the_other)
{
    expect_verdict(VERDICT_MOVE, w.left = 100);
    expect_verdict(VERDICT_DONE, w.left = 0);
    expect_verdict(VERDICT_BEST, w.best = 1);
    expect_verdict(VERDICT_BEST, w.best = 0.9);
    expect_verdict(VERDICT_BEST, w.best = NAN);
    expect_verdict(VERDICT_GAIN, w.best = 1.049);
    expect_verdict(VERDICT_DOUBT, w.best = 1.1);
    expect_verdict(VERDICT_DOUBT, w.best = 1.10);
    expect_verdict(VERDICT_MOVE, w.best = 1.11);
    expect_verdict(VERDICT_DOUBT, w.doubt = 0.28);
    expect_verdict(VERDICT_MOVE, w.doubt = 0.27);
    expect_verdict(VERDICT_COST, w.cost = 25);
    expect_verdict(VERDICT_MOVE, w.cost = 24.9);
    expect_verdict(VERDICT_COST, w.left = 4);
    expect_verdict(VERDICT_UNCONFIRMED, w.before = 0);
    expect_verdict(VERDICT_UNCONFIRMED, (w.before = 0, w.gave = 1.42));
    expect_verdict(VERDICT_ALARM, (w.before = 0, w.gave = 1.43));
    expect_verdict(VERDICT_COST, (w.cost = 25, w.gave = 10));
}

/* Few samples decide nothing, whether it pays or not, but that what is known has collapsed. */
Test(verdict, few_samples)
{
    expect_verdict(VERDICT_MEASURING, w.samples = 3);
    expect_verdict(VERDICT_MEASURING, (w.samples = 0, w.doubt = 1));
    expect_verdict(VERDICT_MEASURING, (w.samples = 3, w.cost = 1e6));
    expect_verdict(VERDICT_GAIN, (w.samples = 0, w.best = 1.01));
    expect_verdict(VERDICT_BEST, (w.samples = 0, w.best = 1));
    expect_verdict(VERDICT_DONE, (w.samples = 0, w.left = 0));
    expect_verdict(VERDICT_ALARM, (w.samples = 3, w.before = 0, w.gave = 1.43));
    expect_verdict(VERDICT_DOUBT, (w.samples = 3, w.gave = 1.43, w.doubt = 0.3));
    expect_verdict(VERDICT_MEASURING, (w.samples = 3, w.gave = 0));
}

/* A fall that errors explain is none: ln 2 is 17 of 0.04, and 2.5 of 0.277. */
Test(verdict, the_alarm_has_its_own_evidence)
{
    expect_verdict(VERDICT_ALARM, (w.before = 0, w.gave = 2));
    expect_verdict(VERDICT_ALARM, (w.before = 0, w.gave = 2, w.fall_doubt = 0.277));
    expect_verdict(VERDICT_UNCONFIRMED, (w.before = 0, w.gave = 2, w.fall_doubt = 0.278));
    expect_verdict(VERDICT_MEASURING, (w.samples = 3, w.gave = 2, w.fall_doubt = 0.278));
}

Test(verdict, without_a_number_of_items_the_horizon_counts)
{
    GridReschedulerSettings set = grid_rescheduler_default();
    Weighing w = pays;
    w.left = -1;
    expect_near(seconds_left(&w, &set), 60, 1e-15);
    expect_near(seconds_saved(&w, &set), 30, 1e-15);
    w.cost = 14.9;
    cr_expect_eq(verdict_of(&w, &set), VERDICT_MOVE);
    w.cost = 15;
    cr_expect_eq(verdict_of(&w, &set), VERDICT_COST);
}
