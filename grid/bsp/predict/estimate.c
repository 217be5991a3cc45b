/* Medians with intervals, lines. */
#include "grid/bsp/predict/estimate.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The largest k so that the k-th smallest and the k-th largest of n are an interval: the number of
 * measurements below the median is binomial(n, 1/2), and each side may miss with half of what is
 * left.  0: there is none. */
static size_t rank_of(size_t n)
{
    const double miss = (1 - ESTIMATE_CONFIDENCE) / 2;
    double term = exp2(-(double)n), sum = term; /* P(exactly k), P(at most k) */
    size_t k = 0;
    while (sum <= miss && k < n / 2) {
        k++;
        term *= (double)(n - k + 1) / (double)k;
        sum += term;
    }
    return k;
}

Estimate estimate_median(double *x, size_t n)
{
    qsort(x, n, sizeof *x, ascending);
    const size_t k = rank_of(n);
    Estimate e = {(x[(n - 1) / 2] + x[n / 2]) / 2, -HUGE_VAL, HUGE_VAL};
    if (k > 0) {
        e.low = x[k - 1];
        e.high = x[n - k];
    }
    return e;
}

Line estimate_line(const double *x, const double *y, size_t n)
{
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    for (size_t i = 0; i < n; i++) {
        mean_x += x[i] / (double)n;
        mean_y += y[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    const double b = xy / xx;
    return (Line){mean_y - b * mean_x, b};
}
