/* Predicting the end of an iteration. */
#include <criterion/criterion.h>
#include <math.h>

#include "solvers/internal.h"

Test(trend, geometric_decay_is_predicted)
{
    Trend trend = {0};
    for (int64_t k = 0; k <= 1000; k++)
        trend_add(&trend, k, pow(0.99, (double)k));
    cr_expect(trend.count <= TREND_MARKS && trend.count >= TREND_MARKS / 2);
    cr_expect_float_eq(trend_slope(&trend), log(0.99), 1e-9);
    double from = exp(trend.level[trend.count - 1]), left = log(1e-10 / from) / log(0.99);
    cr_expect_float_eq(trend_left(&trend, 1e-10), left, 1e-6 * left);
    cr_expect(trend_left(&trend, 0.5) == 0);
}

Test(trend, a_fast_start_is_forgotten)
{
    Trend trend = {0};
    for (int64_t k = 0; k < 200; k++)
        trend_add(&trend, k, k < 50 ? pow(0.5, (double)k) : pow(0.5, 50));
    cr_expect(fabs(trend_slope(&trend)) < 1e-12);
    cr_expect(!(trend_left(&trend, 1e-30) < 1e9));
}

Test(trend, growth_and_zero)
{
    Trend trend = {0};
    cr_expect(isinf(trend_left(&trend, 1e-10)));
    for (int64_t k = 0; k < 20; k++)
        trend_add(&trend, k, (double)(k + 1));
    cr_expect(trend_slope(&trend) > 0 && isinf(trend_left(&trend, 1e-10)));
    trend_add(&trend, 20, 0);
    cr_expect(trend_left(&trend, 1e-10) == 0);
}

Test(trend, patience_comes_before_giving_up)
{
    const Control control = {.tolerance = 1e-10};
    Attempt try = {.control = &control};
    Trend trend = {0};
    for (try.iterations = 0; try.iterations < 500; try.iterations++) {
        trend_add(&trend, try.iterations, 1);
        cr_expect_eq(attempt_stalls(&try, &trend, (Resolve){300, 1e6}), try.iterations >= 300);
    }
}
