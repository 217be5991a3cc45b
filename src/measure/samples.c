/* Estimates from durations. */
#include "measure/samples.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool samples_add(Samples *s, double took, int32_t run)
{
    if (!mem_grow(s->sample, s->cap, s->count + 1))
        return false;
    s->sample[s->count++] = (Sample){took, run};
    return true;
}

void samples_free(Samples *s)
{
    mem_free_all(s->sample, s->sum);
    *s = (Samples){0};
}

/* Ties by run, so that the order is one. */
static int compare(const void *a, const void *b)
{
    const Sample *x = a, *y = b;
    if (x->took != y->took)
        return x->took < y->took ? -1 : 1;
    return (x->run > y->run) - (x->run < y->run);
}

/* ---- the incomplete beta function ------------------------------------------------------------- */

/* 1 / (1 + d1 / (1 + d2 / ...)), DLMF 8.17.22, by Lentz's method; x below (a + 1) / (a + b + 2), where
 * about sqrt(max(a, b)) terms suffice. */
static double beta_fraction(double x, double a, double b)
{
    const double least = 1e-300, close = 1e-14, most = 1e6;
    double above = 1, below = fabs(1 - (a + b) * x / (a + 1));
    below = 1 / fmax(below, least);
    double value = below, change = 0;
    for (double m = 1; m < most && fabs(change - 1) > close; m++) {
        double d = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        below = 1 / (1 + d * below);
        above = 1 + d / above;
        value *= below * above;
        d = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        below = 1 / (1 + d * below);
        above = 1 + d / above;
        change = below * above;
        value *= change;
    }
    return value;
}

/* The distribution function of a beta variable, a, b > 0.  GSL's fails where both are large. */
static double beta_share(double x, double a, double b)
{
    if (x <= 0 || x >= 1)
        return x > 0;
    const double front = exp(a * log(x) + b * log1p(-x) - gsl_sf_lnbeta(a, b));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(x, a, b) / a;
    return 1 - front * beta_fraction(1 - x, b, a) / b;
}

/* Where it is `share`. */
static double beta_quantile(double share, double a, double b)
{
    double low = 0, high = 1;
    for (int i = 0; i < 100 && high - low > high * DBL_EPSILON; i++) {
        const double middle = low + (high - low) / 2;
        if (beta_share(middle, a, b) < share)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* ---- means ------------------------------------------------------------------------------------ */

/* The variance of a ratio of sums over runs, from the sums of the deviations within each. */
static double variance_of(const Samples *s)
{
    double square = 0;
    for (int32_t r = 0; r < s->runs; r++)
        square += s->sum[r] * s->sum[r];
    const double n = (double)s->count, runs = s->runs;
    return runs > 1 ? square / n / n * runs / (runs - 1) : HUGE_VAL;
}

static double student(const Samples *s, double confidence)
{
    return s->runs > 1 ? gsl_cdf_tdist_Pinv((1 + confidence) / 2, s->runs - 1) : HUGE_VAL;
}

static double mean_of(const Samples *s)
{
    double mean = 0;
    for (size_t i = 0; i < s->count; i++)
        mean += (s->sample[i].took - mean) / (double)(i + 1);
    return mean;
}

static bool all_end(const Samples *s)
{
    return s->sample[s->count - 1].took <= DBL_MAX;
}

static Estimate around(const Samples *s, double value, double confidence)
{
    const double half = student(s, confidence) * sqrt(variance_of(s));
    return (Estimate){value, fmax(value - half, 0), value + half};
}

Estimate samples_mean(Samples *s, double confidence)
{
    if (!all_end(s))
        return (Estimate){HUGE_VAL, HUGE_VAL, HUGE_VAL};
    const double mean = mean_of(s);
    memset(s->sum, 0, (size_t)s->runs * sizeof *s->sum);
    for (size_t i = 0; i < s->count; i++)
        s->sum[s->sample[i].run] += s->sample[i].took - mean;
    return around(s, mean, confidence);
}

Estimate samples_variance(Samples *s, double confidence)
{
    if (!all_end(s))
        return (Estimate){HUGE_VAL, HUGE_VAL, HUGE_VAL};
    const double mean = mean_of(s);
    double variance = 0;
    for (size_t i = 0; i < s->count; i++)
        variance += pow(s->sample[i].took - mean, 2) / (double)s->count;
    memset(s->sum, 0, (size_t)s->runs * sizeof *s->sum);
    for (size_t i = 0; i < s->count; i++)
        s->sum[s->sample[i].run] += pow(s->sample[i].took - mean, 2) - variance;
    const double n = (double)s->count;
    return around(s, s->single && n > 1 ? variance * n / (n - 1) : variance, confidence);
}

/* ---- shares ----------------------------------------------------------------------------------- */

/* How many durations take `t` at most. */
static size_t rank_of(const Samples *s, double t)
{
    size_t low = 0, high = s->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->sample[middle].took <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* By how much dependence multiplies the variance of the share of the samples first .. end - 1, at
 * least 1; 0: the share is 0 or 1. */
static double spread_of(Samples *s, size_t first, size_t end)
{
    const double n = (double)s->count, p = (double)(end - first) / n;
    if (p <= 0 || p >= 1)
        return 0;
    memset(s->sum, 0, (size_t)s->runs * sizeof *s->sum);
    for (size_t i = 0; i < s->count; i++)
        s->sum[s->sample[i].run] += (i >= first && i < end) - p;
    return fmax(1, variance_of(s) * n / (p * (1 - p)));
}

/* The number of independent durations that would say as much of this share. */
static double effective(Samples *s, size_t first, size_t end, double confidence)
{
    if (s->single)
        return (double)s->count;
    const double spread = spread_of(s, first, end);
    const double loss = gsl_cdf_ugaussian_Pinv((1 + confidence) / 2) / student(s, confidence);
    return (double)s->count / (spread > 0 ? spread : s->spread) * loss * loss;
}

bool samples_sort(Samples *s, int32_t runs)
{
    mem_free(s->sum);
    s->runs = runs;
    s->spread = 1;
    if (!mem_new_zeroed(s->sum, runs))
        return false;
    qsort(s->sample, s->count, sizeof *s->sample, compare);
    for (size_t i = 0; i < s->count; i++)
        s->sum[s->sample[i].run]++;
    int32_t r = 0;
    while (r < runs && s->sum[r] == 1)
        r++;
    s->single = r == runs;
    for (size_t quarter = 1; quarter <= 3 && !s->single; quarter++)
        s->spread = fmax(s->spread, spread_of(s, 0, quarter * s->count / 4));
    return true;
}

Estimate samples_share(Samples *s, double from, double to, double confidence)
{
    const size_t first = from < 0 ? 0 : rank_of(s, from), end = rank_of(s, to);
    const double p = (double)(end - first) / (double)s->count;
    const double n = effective(s, first, end, confidence), k = p * n, beyond = (1 - confidence) / 2;
    Estimate out = {p, 0, 1};
    if (n > 0 && p > 0)
        out.low = beta_quantile(beyond, k, n - k + 1);
    if (n > 0 && p < 1)
        out.high = beta_quantile(1 - beyond, k + 1, n - k);
    return out;
}

/* ---- quantiles -------------------------------------------------------------------------------- */

/* The probability that of n independent events with probability p fewer than `rank` happen. */
static double fewer(double n, double p, double rank)
{
    return rank <= 0 ? 0 : rank >= n + 1 ? 1 : beta_share(1 - p, n - rank + 1, rank);
}

/* The least rank, in a sample of s->count for one of n, of which that probability is at least
 * `least`; s->count + 1: none. */
static size_t find_rank(const Samples *s, double n, double p, double least)
{
    const double scale = n / (double)s->count;
    size_t low = 1, high = s->count + 1;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (fewer(n, p, (double)middle * scale) >= least)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

Estimate samples_quantile(Samples *s, double share, double confidence)
{
    const double wanted = ceil(share * (double)s->count * (1 - DBL_EPSILON));
    const size_t rank = wanted < 1 ? 1 : (size_t)wanted;
    Estimate out = {s->sample[rank - 1].took, 0, HUGE_VAL};
    const double n = effective(s, 0, rank, confidence), beyond = (1 - confidence) / 2;
    if (!(n > 0))
        return out;
    const size_t low = find_rank(s, n, share, nextafter(beyond, 1)),
                 high = find_rank(s, n, share, 1 - beyond);
    if (low > 1)
        out.low = s->sample[low - 2].took;
    if (high <= s->count)
        out.high = s->sample[high - 1].took;
    return out;
}
