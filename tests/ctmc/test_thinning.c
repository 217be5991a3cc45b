/* Activities from random points: shares of time, whatever the unit is and however late it is. */
#include "ctmc/simulate/thinning.h"

#include <math.h>

#include "compiled.h"

/* The mean number of components in Q, of a model with P and Q, over so many activities. */
static double mean_of_q(const char *text, double unit, double from, int activities)
{
    Compiled c = compiled_of(text, true);
    ChoicePlan *plan = NULL;
    Choices choices;
    Thinning x;
    double time = from, sum = 0;
    cr_assert_eq(choice_plan_new(&plan, c.system, &c.rates, NULL), PEPA_OK);
    cr_assert_eq(choices_new(&choices, plan, NULL), PEPA_OK);
    cr_assert_eq(thinning_new(&x, &choices, unit, NULL), PEPA_OK);
    thinning_start(&x, 3, 0);
    thinning_look(&x, time, true);
    for (int i = 0; i < activities; i++) {
        const double next = thinning_next(&x, HUGE_VAL);
        cr_assert(next >= time && next < HUGE_VAL);
        sum += (double)choices.cells[1] * (next - time);
        time = next;
        choices_take_event(&choices, &x.pick, thinning_take(&x));
        thinning_look(&x, time, false);
    }
    thinning_free(&x);
    choices_free(&choices);
    choice_plan_free(plan);
    compiled_free(&c);
    return sum / (time - from);
}

/* Each of three is in Q for 1/4 after 1/2 in P: a third of the time.  A unit above all rates; next
 * to them; far below; and so late that windows cannot be told apart. */
Test(thinning, shares_of_time)
{
    static const char text[] = "P = (a, 2).Q; Q = (b, 1).P + (c, 3).P; P[3]";
    static const struct {
        double unit, from;
    } cases[] = {{1e3, 0}, {5, 0}, {0.7, 0}, {1e-3, 0}, {1e-6, 17}, {1e-3, 4e12}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double mean = mean_of_q(text, cases[i].unit, cases[i].from, 60000);
        cr_expect_float_eq(mean, 1, 0.03, "unit %g from %g: %g", cases[i].unit, cases[i].from,
                           mean);
    }
}

/* An action that is blocked. */
Test(thinning, nothing_happens_at_rate_0)
{
    Compiled c = compiled_of("P = (a, 2).Q; Q = (b, 1).P; R = (b, 1).R; P <a, b> R", true);
    ChoicePlan *plan = NULL;
    Choices choices;
    Thinning x;
    cr_assert_eq(choice_plan_new(&plan, c.system, &c.rates, NULL), PEPA_OK);
    cr_assert_eq(choices_new(&choices, plan, NULL), PEPA_OK);
    cr_assert_eq(thinning_new(&x, &choices, 1, NULL), PEPA_OK);
    thinning_start(&x, 3, 0);
    thinning_look(&x, 0, true);
    cr_expect_eq(thinning_next(&x, HUGE_VAL), HUGE_VAL);
    thinning_free(&x);
    choices_free(&choices);
    choice_plan_free(plan);
    compiled_free(&c);
}
