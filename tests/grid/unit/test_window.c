/* Sample windows: ring buffers, changes, medians, and robust means. */
#include <stdlib.h>

#include "grid/machine/window.h"
#include "streams.h"

static int compare(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

Test(window, medians_are_those_of_sorting)
{
    Noise noise = {.state = 1, .sigma = 1};
    for (int32_t count = 1; count <= 200; count++) {
        double values[200], sorted[200];
        for (int32_t i = 0; i < count; i++) /* with many that are equal */
            values[i] = sorted[i] = floor(4 * noisy(&noise, 1));
        qsort(sorted, (size_t)count, sizeof *sorted, compare);
        cr_expect_eq(median_of(values, count), sorted[(count - 1) / 2], "%d values", count);
    }
}

/* Many estimates of mean 3 from 61 values each: their bias and their spread. */
static void estimates(Noise *noise, double *bias, double *spread, double *claimed)
{
    enum { RUNS = 4000, VALUES = 61 };
    double sum = 0, squares = 0, errors = 0;
    for (int run = 0; run < RUNS; run++) {
        double values[VALUES];
        for (int i = 0; i < VALUES; i++)
            values[i] = noisy(noise, 3);
        Estimate estimate = estimate_of(values, VALUES, false);
        sum += estimate.mean / 3;
        squares += estimate.mean * estimate.mean / 9;
        errors += estimate.error;
    }
    *bias = sum / RUNS - 1;
    *spread = sqrt(squares / RUNS - sum / RUNS * (sum / RUNS));
    *claimed = errors / RUNS;
}

Test(window, estimates_are_means)
{
    static const struct {
        double sigma, outliers, bias, spread;
    } cases[] = {
        {0, 0, 1e-12, 1e-7},
        {0, 0.05, 1e-12, 1e-7},
        {0.05, 0, 0.001, 0.0075},
        {0.05, 0.05, 0.001, 0.008},
        {0.3, 0, 0.005, 0.045},
        {0.3, 0.05, 0.01, 0.05},
        {-1, 0, 0.02, 0.16} /* exponential: the mean of 61 has 0.128 */,
        {-1, 0.05, 0.06, 0.17},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Noise noise = {.state = 7 + k, .sigma = cases[k].sigma, .outliers = cases[k].outliers};
        double bias, spread, claimed;
        estimates(&noise, &bias, &spread, &claimed);
        cr_expect(fabs(bias) <= cases[k].bias, "case %zu: bias %g", k, bias);
        cr_expect(spread <= cases[k].spread, "case %zu: spread %g", k, spread);
        cr_expect(fabs(claimed - spread) <= 0.35 * spread + 1e-7,
                  "case %zu: claims an error of %g, has %g", k, claimed, spread);
    }
}

Test(window, up_to_two_fifths_may_be_outliers)
{
    for (int outliers = 0; outliers <= 24; outliers++) {
        double values[61];
        for (int i = 0; i < 61; i++)
            values[i] = i < outliers ? (i % 2 ? 1e9 : 1e-9) : 5;
        expect_near(estimate_of(values, 61, false).mean, 5, 1e-12);
    }
}

static Window window_of(int32_t capacity, int32_t run)
{
    Window window;
    cr_assert_eq(window_new(&window, capacity, run), 0);
    return window;
}

Test(window, keeps_the_newest)
{
    Window window = window_of(5, 0);
    cr_expect_eq(window_recent(&window, 1), 0);
    for (int i = 0; i < 13; i++) {
        window_add(&window, (Measurement){.time = i, .value = i});
        cr_expect_eq(window.count, i < 5 ? i + 1 : 5);
        cr_expect_eq(window_at(&window, 0)->value, i < 5 ? 0 : i - 4);
        cr_expect_eq(window_at(&window, window.count - 1)->value, i);
    }
    window_free(&window);
}

Test(window, age_counts_if_there_are_newer_ones)
{
    Window window = window_of(20, 0);
    for (int i = 0; i < 20; i++)
        window_add(&window, (Measurement){.time = i < 10 ? i : 100 + i, .value = 1});
    cr_expect_eq(window_recent(&window, 1e9), 0);
    cr_expect_eq(window_recent(&window, 60), 10);
    cr_expect_eq(window_recent(&window, 7), 12);
    cr_expect_eq(window_recent(&window, 0), 20 - WINDOW_LEAST, "some always count");
    window_free(&window);
}

Test(window, a_step_drops_what_was_before)
{
    for (int up = 0; up < 2; up++) {
        Noise noise = {.state = 3, .sigma = 0.1};
        Window window = window_of(61, 8);
        for (int i = 0; i < 100; i++)
            window_add(&window, (Measurement){.time = i, .value = noisy(&noise, 1)});
        cr_expect_eq(window.count, 61);
        for (int i = 100; i < 108; i++)
            window_add(&window, (Measurement){.time = i, .value = noisy(&noise, up ? 2 : 0.5)});
        /* One or two from before can pass for new ones by chance. */
        cr_expect(window.count >= 8 && window.count <= 10, "%d are left", window.count);
        cr_expect(window.since >= 98 && window.since <= 100, "since %g", window.since);
        window_free(&window);
    }
}

/* C(61, 8) / C(13, 8) = 2.3 million values are between two alarms on one side, and more as changes
 * of less than a fifth are none. */
Test(window, chance_drops_next_to_nothing)
{
    Noise noise = {.state = 4, .sigma = -1};
    Window window = window_of(61, 8);
    int alarms = 0;
    for (int i = 0; i < 1000000; i++) {
        double before = window.since;
        window_add(&window, (Measurement){.time = i, .value = noisy(&noise, 1)});
        alarms += window.since != before;
    }
    cr_expect_leq(alarms, 5, "%d alarms, expected about 1", alarms);
    window_free(&window);
}

Test(window, a_large_step_is_seen_early)
{
    Noise noise = {.state = 5, .sigma = 0.3, .outliers = 0.05};
    Window window = window_of(61, 8);
    for (int i = 0; i < 200; i++)
        window_add(&window, (Measurement){.time = i, .value = noisy(&noise, 1)});
    for (int i = 200; i < 205; i++)
        window_add(&window, (Measurement){.time = i, .value = noisy(&noise, 10)});
    cr_expect(window.since >= 199 && window.since <= 201, "since %g", window.since);
    window_free(&window);
}

Test(window, constant_values_never_change)
{
    Window window = window_of(61, 8);
    for (int i = 0; i < 1000; i++)
        window_add(&window, (Measurement){.time = i, .value = 0.1});
    cr_expect_eq(window.count, 61);
    cr_expect(window.since < 0);
    window_free(&window);
}
