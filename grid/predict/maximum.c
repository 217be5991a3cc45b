/* Means of maxima: the integral of 1 - the product of the distributions. */
#include "grid/predict/maximum.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <math.h>

#include "base/error.h"

#define RELATIVE 1e-10
enum { INTERVALS = 2000 };

static double largest(const Durations *d)
{
    double most = 0;
    for (int32_t i = 0; i < d->count; i++)
        most = fmax(most, d->mean[i]);
    return most;
}

/* P(sum of k exponential stages of rate 1 > x): exp(-x) times the sum of x^i / i! for i < k. */
static double erlang_tail(int32_t k, double x)
{
    double term = 1, sum = 1;
    for (int32_t i = 1; i < k; i++) {
        term *= x / i;
        sum += term;
    }
    return fmin(sum * exp(-x), 1);
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

PepaStatus maximum_mean(const Durations *d, double *out, PepaError *err)
{
    const double most = largest(d);
    double error;
    if (most == 0) {
        *out = 0;
        return PEPA_OK;
    }
    gsl_integration_workspace *space = gsl_integration_workspace_alloc(INTERVALS);
    gsl_function f = {.function = tail, .params = (void *)d};
    /* Where the slowest are likely to end the tail is steep. */
    double point[3] = {0, most, horizon(d, most)};
    int failed =
        !space ? GSL_ENOMEM
               : gsl_integration_qagp(&f, point, 3, 0, RELATIVE, INTERVALS, space, out, &error);
    if (space)
        gsl_integration_workspace_free(space);
    return !failed ? PEPA_OK
           : failed == GSL_ENOMEM
               ? error_memory(err)
               : error_set(err, PEPA_ENOCONV, "the mean of a maximum: %s", gsl_strerror(failed));
}
