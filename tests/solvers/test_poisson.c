#include "solvers/transient/poisson.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

/* By logarithms, which cost digits where the mean is large: 1e-19 x mean log(mean). */
static long double probability(double mean, int64_t k)
{
    if (mean == 0)
        return k == 0;
    return expl(-(long double)mean + (long double)k * logl(mean) - lgammal((long double)k + 1));
}

/* Weights against logarithms; the probability outside against the sum of what is inside. */
Test(poisson, weights_and_what_they_miss)
{
    static const double means[] = {0, 1e-300, 1e-9, 0.1, 0.5, 1, 2, 7.5, 25, 100, 1234.5, 1e4};
    static const double wanted[] = {1e-6, 1e-10, 1e-15};
    for (size_t i = 0; i < sizeof means / sizeof *means; i++)
        for (size_t j = 0; j < sizeof wanted / sizeof *wanted; j++) {
            PoissonWeights w;
            long double inside = 0, apart = 0, sum = 0;
            cr_assert_eq(poisson_new(&w, means[i], wanted[j], NULL), PEPA_OK);
            for (int64_t k = w.left; k <= w.right; k++) {
                long double exact = probability(means[i], k);
                inside += exact;
                sum += w.weight[k - w.left];
                apart += fabsl(exact - w.weight[k - w.left]);
            }
            double rounding = 1e-15 + 1e-18 * means[i] * 10;
            cr_expect_leq(w.missing, wanted[j]);
            cr_expect_leq(w.beyond, wanted[j]);
            cr_expect(1 - inside <= w.missing + rounding, "mean %g: %Lg is missing, not %g",
                      means[i], 1 - inside, w.missing);
            cr_expect(apart <= 2 * w.missing + rounding, "mean %g: weights differ by %Lg", means[i],
                      apart);
            cr_expect_float_eq((double)sum, 1, 1e-14);
            free(w.weight);
        }
}

/* No weight is kept that need not be: within a few of the shortest range there is. */
Test(poisson, ranges_are_short)
{
    PoissonWeights w;
    cr_assert_eq(poisson_new(&w, 1e4, 1e-10, NULL), PEPA_OK);
    cr_expect_leq(w.right - w.left, 1400); /* 2 x 6.5 standard deviations are 1300 */
    free(w.weight);
}

/* The sum of tails that is left out: of mean 10, all tails sum to 10. */
Test(poisson, tails_beyond)
{
    PoissonWeights w;
    cr_assert_eq(poisson_new(&w, 10, 1e-4, NULL), PEPA_OK);
    long double beyond = 0, tail = 0;
    for (int64_t k = 400; k > w.right; k--) {
        beyond += tail; /* P(N > k) */
        tail += probability(10, k);
    }
    cr_expect(beyond > 0 && beyond <= w.beyond, "%Lg, %g", beyond, w.beyond);
    free(w.weight);
}

/* Means at which exp(-mean) is 0. */
Test(poisson, large_means)
{
    PoissonWeights w;
    const double mean = 1e8;
    cr_assert_eq(poisson_new(&w, mean, 1e-12, NULL), PEPA_OK);
    long double sum = 0, first = 0, second = 0;
    for (int64_t k = w.left; k <= w.right; k++) {
        long double off = (long double)k - mean;
        sum += w.weight[k - w.left];
        first += off * w.weight[k - w.left];
        second += off * off * w.weight[k - w.left];
    }
    cr_expect_float_eq((double)sum, 1, 1e-13);
    cr_expect_float_eq((double)first, 0, 1e-3);
    cr_expect_float_eq((double)(second / mean), 1, 1e-6);
    free(w.weight);
}

Test(poisson, means_that_are_refused)
{
    PoissonWeights w;
    PepaError err;
    cr_expect_eq(poisson_new(&w, 1e300, 1e-10, &err), PEPA_ELIMIT);
    cr_expect_eq(poisson_new(&w, HUGE_VAL, 1e-10, &err), PEPA_ELIMIT);
}

/* Tails against probabilities that are added up, each to its own digits. */
Test(poisson, tails)
{
    static const double means[] = {1e-300, 1e-12, 1e-3, 0.9, 1.02, 7.5, 1234.5};
    for (size_t i = 0; i < sizeof means / sizeof *means; i++) {
        PoissonWeights w;
        const double share = 1e-12;
        cr_assert_eq(poisson_integral(&w, means[i], share, NULL), PEPA_OK);
        long double tail = 0, off = 0;
        for (int64_t k = w.right + 500; k >= 0; k--) {
            const double kept = k <= w.right ? poisson_tail(&w, k) : 0;
            off += fabsl(kept - tail);
            if (k < 2 && means[i] < 1)
                cr_expect_float_eq(kept, (double)tail, 4 * share * (double)tail);
            tail += probability(means[i], k);
        }
        cr_expect(off <= poisson_tails_off(&w) + 1e-14 * means[i], "mean %g: %Lg off, not %g",
                  means[i], off, poisson_tails_off(&w));
        cr_expect_leq(poisson_tails_off(&w), 4 * share * means[i]);
        poisson_free(&w);
    }
}
