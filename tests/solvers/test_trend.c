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

/* Of two or three entries, the last two count. */
Test(trend, few_entries)
{
    Trend trend = {0};
    trend_add(&trend, 1, 0.5);
    cr_expect(trend_slope(&trend) == 0);
    trend_add(&trend, 4, 0.5e-3);
    cr_expect_float_eq(trend_slope(&trend), log(0.1), 1e-12);
    trend_add(&trend, 6, 0.5e-4);
    cr_expect_float_eq(trend_slope(&trend), log(0.1) / 2, 1e-12);
    cr_expect_float_eq(trend_left(&trend, 0.5e-7), 6, 1e-9);
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
    const Method trial = {.name = "trial", .unit = "steps", .passes = 1, .stall = {300, 1e6}};
    Attempt try;
    attempt_open(&try, &trial, &control, 1);
    for (try.iterations = 0; try.iterations < 500; try.iterations++)
        cr_expect_eq(attempt_stalls(&try, 1), try.iterations >= 300);
}

/* Half a decade per iteration of 0.2 s: what is left is known, once there are some entries. */
Test(trend, seconds_left)
{
    Trend trend = {0};
    for (int64_t k = 0; k < 4; k++) {
        trend_add(&trend, k, pow(10, -0.5 * (double)k));
        cr_expect_eq(trend_seconds(&trend, 1e-10, 0.2), -1, "after %d", (int)k);
    }
    for (int64_t k = 4; k < 8; k++)
        trend_add(&trend, k, pow(10, -0.5 * (double)k));
    cr_expect_float_eq(trend_seconds(&trend, 1e-10, 0.2), 0.2 * 13, 1e-9);
    cr_expect_float_eq(trend_seconds(&trend, 1e-5, 0.2), 0.2 * 3, 1e-9);
    cr_expect(trend_seconds(&trend, 1e-3, 0.2) == 0);
}

Test(trend, no_estimate_without_a_fall)
{
    Trend up = {0}, flat = {0};
    for (int64_t k = 0; k < 100; k++) {
        trend_add(&up, k, (double)(k + 1));
        trend_add(&flat, k, pow(10, -1e-6 * (double)k));
    }
    cr_expect_eq(trend_seconds(&up, 1e-10, 1), -1);
    cr_expect_eq(trend_seconds(&flat, 1e-10, 1), -1, "10^7 iterations ahead, from 100");
}

/* What the callback is told: an estimate that meets the end as it nears. */
typedef struct {
    int32_t calls, estimates;
    double slope, left, seconds;
} Told;

static int note(void *user, const PepaProgress *now)
{
    Told *told = user;
    told->calls++;
    cr_expect(now->left >= 0 || now->left == -1);
    cr_expect_str_eq(now->method, "trial");
    if (now->left < 0)
        return 0;
    told->estimates++;
    told->slope = now->slope;
    told->left = now->left;
    told->seconds = now->seconds;
    return 0;
}

/* Sweeps that are measured every tenth time only, and at first make no sense: there is no estimate
 * before some that do, and it is right from then on. */
Test(trend, plateaus_are_no_news)
{
    Told told = {0};
    const Control control = {.tolerance = 1e-10, .progress = note, .user = &told};
    Monitor monitor = monitor_start(&control);
    monitor.method = "trial";
    for (int64_t k = 0; k < 100; k++) {
        monitor.last = -HUGE_VAL;
        double measure = k < 10 ? 1.4e9 : pow(10, -(double)(k / 10));
        cr_expect_not(monitor_cancels(&monitor, INT64_MAX, k, measure));
        cr_expect(told.estimates == 0 || k >= 50, "%d", (int)k);
    }
    cr_expect_eq(told.estimates, 50);
    cr_expect_float_eq(told.slope, log(0.1) / 10, 1e-9);
}

Test(trend, the_callback_is_told)
{
    Told told = {0};
    const Control control = {.tolerance = 1e-10, .progress = note, .user = &told};
    Monitor monitor = monitor_start(&control);
    const double factor = 0.98;
    monitor.method = "trial";
    for (int64_t k = 0; k < 30; k++) {
        monitor.last = -HUGE_VAL; /* as if a tenth of a second had passed */
        cr_expect_not(monitor_cancels(&monitor, INT64_MAX, k, pow(factor, (double)k)));
    }
    cr_expect_eq(told.calls, 30);
    cr_expect(told.estimates > 0 && told.estimates < 30);
    cr_expect_float_eq(told.slope, log(factor), 1e-9);
    double left = log(1e-10) / log(factor) - 29;
    cr_expect_float_eq(told.left, told.seconds / 29 * left, 1e-6 * told.left);
}
