/* Means of maxima: the integral of 1 - the product of the distributions. */
#include "grid/predict/maximum.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <math.h>

#include "base/error.h"

#define RELATIVE 1e-10
enum { INTERVALS = 2000, MOST_POINTS = 24 };

/* The least of those above 0, and the most. */
static void extremes(const Durations *d, double *least, double *most)
{
    *most = 0;
    for (int32_t i = 0; i < d->count; i++)
        *most = fmax(*most, d->mean[i]);
    *least = *most;
    for (int32_t i = 0; i < d->count; i++)
        if (d->mean[i] > 0)
            *least = fmin(*least, d->mean[i]);
}

/* P(sum of k exponential stages of rate 1 > x): exp(-x) times the sum of x^i / i! for i < k, from its
 * largest term on, so that neither x^i nor exp(-x) is beyond all doubles where the sum is not. */
static double erlang_tail(int32_t k, double x)
{
    if (x > 20.0 * k + 1000) /* less than 1e-300 */
        return 0;
    const int32_t largest = x < k - 1 ? (int32_t)x : k - 1;
    const double most = x > 0 ? exp(largest * log(x) - x - lgamma(largest + 1.0)) : 1;
    double sum = most, term = most;
    for (int32_t i = largest; i > 0; i--)
        sum += term *= i / x;
    term = most;
    for (int32_t i = largest + 1; i < k; i++)
        sum += term *= x / i;
    return fmin(sum, 1);
}

/* P(max > t), without cancellation where it is small: 1 - prod (1 - q) by logarithms. */
static double tail(double t, void *user)
{
    const Durations *d = user;
    double log_below = 0;
    for (int32_t i = 0; i < d->count; i++)
        if (d->mean[i] > 0)
            log_below += log1p(-erlang_tail(d->stages, d->stages * t / d->mean[i]));
    return -expm1(log_below);
}

/* Beyond this time the tail is less than 1e-20 for any number of durations that a machine has: there
 * P(sum of k stages > t) falls by more than exp(1 - x) x times per stage, x = t / mean
 * (Chernoff's bound). */
static double horizon(const Durations *d, double most)
{
    double x = 2;
    while (d->stages * (x - 1 - log(x)) < 60)
        x *= 1.25;
    return x * most;
}

/* Where the tail may be steep, ascending, 0 and the horizon included: where the slowest are likely to end, and
 * powers of 4 below, down to the quickest, as far as it can count. */
static int32_t find_points(const Durations *d, double least, double most, double *point)
{
    const double negligible = 1e-12;
    const int32_t below = (int32_t)ceil(log2(most / fmax(least, negligible * most)) / 2);
    int32_t count = 0;
    point[count++] = 0;
    for (int32_t i = below; i >= 0; i--)
        point[count++] = ldexp(most, -2 * i);
    point[count++] = horizon(d, most);
    return count;
}

PepaStatus maximum_mean(const Durations *d, double *out, PepaError *err)
{
    double least, most, error, point[MOST_POINTS];
    extremes(d, &least, &most);
    if (most == 0) {
        *out = 0;
        return PEPA_OK;
    }
    const int32_t points = find_points(d, least, most, point);
    gsl_integration_workspace *space = gsl_integration_workspace_alloc(INTERVALS);
    gsl_function f = {.function = tail, .params = (void *)d};
    int failed = space ? GSL_SUCCESS : GSL_ENOMEM;
    *out = 0;
    for (int32_t i = 0; i + 1 < points && !failed; i++) {
        double part;
        failed = gsl_integration_qag(&f, point[i], point[i + 1], RELATIVE * most / points, RELATIVE,
                                     INTERVALS, GSL_INTEG_GAUSS21, space, &part, &error);
        *out += part;
    }
    if (space)
        gsl_integration_workspace_free(space);
    return !failed ? PEPA_OK
           : failed == GSL_ENOMEM
               ? error_memory(err)
               : error_set(err, PEPA_ENOCONV, "the mean of a maximum: %s", gsl_strerror(failed));
}
