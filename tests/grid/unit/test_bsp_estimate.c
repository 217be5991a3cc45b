/* Medians and lines of measurements. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "grid/bsp/predict/estimate.h"

/* Ranks of the interval from tables of the sign test: n, and k with P(at most k - 1) <= 0.025. */
Test(bsp_estimate, ranks_of_the_interval)
{
    static const size_t known[][2] = {{6, 1},  {8, 1},  {9, 2},   {12, 3},
                                      {15, 4}, {20, 6}, {31, 10}, {50, 18}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t n = known[i][0], k = known[i][1];
        double x[50];
        for (size_t j = 0; j < n; j++)
            x[j] = (double)(n - j); /* n .. 1 */
        const Estimate e = estimate_median(x, n);
        cr_expect_eq(e.value, ((double)n + 1) / 2);
        cr_expect(e.low == (double)k && e.high == (double)(n + 1 - k), "%zu: %g to %g", n, e.low,
                  e.high);
    }
}

Test(bsp_estimate, few_measurements_have_no_interval)
{
    for (size_t n = 1; n <= ESTIMATE_LEAST; n++) {
        double x[] = {3, 1, 2, 5, 4, 6};
        const Estimate e = estimate_median(x, n);
        cr_expect_eq(isinf(e.low) && isinf(e.high), n < ESTIMATE_LEAST);
    }
}

/* The interval holds the median of a skewed distribution in at least 95% of the cases. */
Test(bsp_estimate, coverage)
{
    enum { CASES = 4000, N = 31 };
    int held = 0;
    srand(3);
    for (int i = 0; i < CASES; i++) {
        double x[N];
        for (int j = 0; j < N; j++)
            x[j] = -log((rand() + 1.0) / (RAND_MAX + 2.0));
        const Estimate e = estimate_median(x, N);
        held += e.low <= log(2) && log(2) <= e.high;
    }
    cr_expect(held >= 0.94 * CASES, "%d of %d", held, CASES);
    cr_expect(held < CASES);
}

Test(bsp_estimate, lines)
{
    static const double x[] = {0, 1, 2, 10}, exact[] = {3, 5, 7, 23}, off[] = {0, 1, 0, 1};
    Line l = estimate_line(x, exact, 4);
    cr_expect(fabs(l.a - 3) < 1e-14 && fabs(l.b - 2) < 1e-14);
    l = estimate_line(x, off, 3); /* through (0, 0), (1, 1), (2, 0) */
    cr_expect(fabs(l.a - 1.0 / 3) < 1e-15 && fabs(l.b) < 1e-15);
}
