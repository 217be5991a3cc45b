/* Rings, medians, and means that hold against outliers. */
#include <stdlib.h>

#include "grid/series.h"
#include "streams.h"

static int compare(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

Test(series, medians_are_those_of_sorting)
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
        GridEstimate estimate = estimate_of(values, VALUES);
        sum += estimate.mean / 3;
        squares += estimate.mean * estimate.mean / 9;
        errors += estimate.error;
    }
    *bias = sum / RUNS - 1;
    *spread = sqrt(squares / RUNS - sum / RUNS * (sum / RUNS));
    *claimed = errors / RUNS;
}

Test(series, estimates_are_means)
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

Test(series, up_to_two_fifths_may_be_wild)
{
    for (int wild = 0; wild <= 24; wild++) {
        double values[61];
        for (int i = 0; i < 61; i++)
            values[i] = i < wild ? (i % 2 ? 1e9 : 1e-9) : 5;
        expect_near(estimate_of(values, 61).mean, 5, 1e-12);
    }
}

static GridSeries series_of(int32_t room, int32_t turn)
{
    GridSeries series;
    cr_assert_eq(series_new(&series, room, turn), 0);
    return series;
}

Test(series, keeps_the_newest)
{
    GridSeries series = series_of(5, 0);
    cr_expect_eq(series_recent(&series, 1), 0);
    for (int i = 0; i < 13; i++) {
        series_add(&series, (GridValue){.time = i, .value = i});
        cr_expect_eq(series.count, i < 5 ? i + 1 : 5);
        cr_expect_eq(series_at(&series, 0)->value, i < 5 ? 0 : i - 4);
        cr_expect_eq(series_at(&series, series.count - 1)->value, i);
    }
    series_free(&series);
}

Test(series, age_counts_if_there_are_newer_ones)
{
    GridSeries series = series_of(20, 0);
    for (int i = 0; i < 20; i++)
        series_add(&series, (GridValue){.time = i < 10 ? i : 100 + i, .value = 1});
    cr_expect_eq(series_recent(&series, 1e9), 0);
    cr_expect_eq(series_recent(&series, 60), 10);
    cr_expect_eq(series_recent(&series, 7), 12);
    cr_expect_eq(series_recent(&series, 0), 20 - SERIES_LEAST, "some always count");
    series_free(&series);
}

Test(series, a_step_drops_what_was_before)
{
    for (int up = 0; up < 2; up++) {
        Noise noise = {.state = 3, .sigma = 0.1};
        GridSeries series = series_of(61, 8);
        for (int i = 0; i < 100; i++)
            series_add(&series, (GridValue){.time = i, .value = noisy(&noise, 1)});
        cr_expect_eq(series.count, 61);
        for (int i = 100; i < 108; i++)
            series_add(&series, (GridValue){.time = i, .value = noisy(&noise, up ? 2 : 0.5)});
        /* One or two from before can pass for new ones by chance. */
        cr_expect(series.count >= 8 && series.count <= 10, "%d are left", series.count);
        cr_expect(series.since >= 98 && series.since <= 100, "since %g", series.since);
        series_free(&series);
    }
}

/* C(61, 8) / C(13, 8) = 2.3 million values are between two alarms on one side, and more as changes
 * of less than a fifth are none. */
Test(series, chance_drops_next_to_nothing)
{
    Noise noise = {.state = 4, .sigma = -1};
    GridSeries series = series_of(61, 8);
    int alarms = 0;
    for (int i = 0; i < 1000000; i++) {
        double before = series.since;
        series_add(&series, (GridValue){.time = i, .value = noisy(&noise, 1)});
        alarms += series.since != before;
    }
    cr_expect_leq(alarms, 5, "%d alarms, expected about 1", alarms);
    series_free(&series);
}

Test(series, a_large_step_is_seen_early)
{
    Noise noise = {.state = 5, .sigma = 0.3, .outliers = 0.05};
    GridSeries series = series_of(61, 8);
    for (int i = 0; i < 200; i++)
        series_add(&series, (GridValue){.time = i, .value = noisy(&noise, 1)});
    for (int i = 200; i < 205; i++)
        series_add(&series, (GridValue){.time = i, .value = noisy(&noise, 10)});
    cr_expect(series.since >= 199 && series.since <= 201, "since %g", series.since);
    series_free(&series);
}

Test(series, constant_values_never_turn)
{
    GridSeries series = series_of(61, 8);
    for (int i = 0; i < 1000; i++)
        series_add(&series, (GridValue){.time = i, .value = 0.1});
    cr_expect_eq(series.count, 61);
    cr_expect(series.since < 0);
    series_free(&series);
}
