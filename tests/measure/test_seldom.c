/* Intervals from visits: by the tables of Poisson's distribution, and how often they contain the mean. */
#include "measure/seldom.h"

#include <criterion/criterion.h>
#include <math.h>

#include "base/stream.h"

static const double CONFIDENCE = 0.95;

/* `visits` of one bin and of this amount, among `bins`. */
static Seldom equal_visits(int64_t visits, double amount, int64_t bins)
{
    Seldom s = {0};
    for (int64_t i = 0; i < visits; i++) {
        seldom_add(&s, amount);
        seldom_add(&s, 0);
    }
    while (s.bins < bins)
        seldom_add(&s, 0);
    seldom_end(&s);
    return s;
}

Test(seldom, visits_are_bins_next_to_each_other)
{
    Seldom s = {0};
    const double amounts[] = {0, 1, 2, 0, 0, 4, 0};
    for (int i = 0; i < 7; i++)
        seldom_add(&s, amounts[i]);
    cr_expect_eq(s.visits, 2);
    seldom_add(&s, 1);
    seldom_end(&s); /* a run ends in one */
    seldom_add(&s, 1);
    seldom_end(&s);
    cr_expect_eq(s.visits, 4);
    cr_expect_eq(s.bins, 9);
    cr_expect_eq(s.seen, 5);
    cr_expect_eq(s.sum, 9);
    cr_expect_eq(s.squares, 9 + 16 + 1 + 1);
}

/* Ten equal visits, and ten as it were that vary twice as much as exponential ones: c is 1, and E 5, of
 * which Garwood's interval is 1.6235 to 11.6683. */
Test(seldom, the_interval_of_a_few)
{
    double less, more;
    const Seldom s = equal_visits(10, 0.5, 1000);
    cr_assert(seldom_interval(&s, 32, CONFIDENCE, &less, &more));
    const double mean = 5 / 1000.0;
    cr_expect_float_eq(1 - less / mean, 1.6235 / 5, 1e-4);
    cr_expect_float_eq(1 + more / mean, 11.6683 / 5, 1e-4);
}

Test(seldom, what_was_not_seen)
{
    double less, more;
    const Seldom s = equal_visits(0, 0, 1000);
    cr_assert(seldom_interval(&s, 32, CONFIDENCE, &less, &more));
    cr_expect_eq(less, 0);
    cr_expect_float_eq(pow(1 - more, 32), 0.025, 1e-12); /* so likely 32 runs see nothing */
    cr_expect_not(seldom_interval(&s, 0, CONFIDENCE, &less, &more));
    cr_expect_eq(more, 0);
}

Test(seldom, what_is_seen_often_or_below_0_is_left_to_others)
{
    double less, more;
    Seldom s = equal_visits(300, 1, 1000);
    cr_expect_not(seldom_interval(&s, 32, CONFIDENCE, &less, &more)); /* of a third of the bins */
    s = equal_visits(2000, 1, 100000);
    cr_expect_not(seldom_interval(&s, 32, CONFIDENCE, &less, &more));
    s = equal_visits(20, -1, 1000);
    cr_expect_not(seldom_interval(&s, 32, CONFIDENCE, &less, &more));
    cr_expect_not(seldom_interval(&(Seldom){0}, 32, CONFIDENCE, &less, &more));
    s = equal_visits(20, 1, 1000);
    cr_expect(seldom_interval(&s, 0, CONFIDENCE, &less, &more));
}

/* Visits come at random, five or fifty in the mean, and last for exponential times: of 2,000 intervals
 * 95% contain the mean, or a little more. */
Test(seldom, intervals_contain_the_mean)
{
    enum { REPEATS = 2000, BINS = 2000 };
    for (int few = 0; few < 2; few++) {
        const double visits = few ? 5 : 50, exact = 0.5 * visits / BINS;
        int inside = 0;
        Stream stream;
        stream_start(&stream, 11, 0);
        for (int i = 0; i < REPEATS; i++) {
            double less, more;
            Seldom s = {0};
            for (int b = 0; b < BINS; b++) {
                const bool now = stream_uniform(&stream) < visits / BINS;
                seldom_add(&s, now ? -0.5 * log(1 - stream_uniform(&stream)) : 0);
            }
            seldom_end(&s);
            cr_assert(seldom_interval(&s, 32, CONFIDENCE, &less, &more));
            const double mean = s.visits ? s.sum / BINS : 0;
            inside += mean - less <= exact && exact <= mean + more;
        }
        cr_expect_geq(inside, 0.94 * REPEATS, "%g visits: %d", visits, inside);
        cr_expect_leq(inside, 0.995 * REPEATS, "%g visits: %d", visits, inside);
    }
}
