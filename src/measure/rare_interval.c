/* Keeps moments and the largest values, and computes the interval from them. */
#include "measure/rare_interval.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define LEAST_TAIL 1.5

void rare_sample_add(RareSample *s, double x)
{
    const double n = ++s->count, off = x - s->mean, part = off / n, more = off * part * (n - 1);
    s->mean += part;
    s->cube += more * part * (n - 2) - 3 * part * s->square; /* Terriberry */
    s->square += more;
    s->sum += x;
    s->squares += x * x;
    for (int i = 0; i < RARE_TAIL && x > 0; i++)
        if (x > s->largest[i]) {
            const double kept = s->largest[i];
            s->largest[i] = x;
            x = kept;
        }
}

double rare_sample_tail(const RareSample *s)
{
    const int among = (int)fmin(sqrt(s->count), RARE_TAIL - 1);
    double sum = 0;
    if (!(s->largest[among] > 0))
        return LEAST_TAIL; /* most values are 0 */
    for (int i = 0; i < among; i++)
        sum += log(s->largest[i] / s->largest[among]);
    return sum > 0 ? fmax(among / sum, LEAST_TAIL) : HUGE_VAL;
}

/* Where Hall's transformation of T has the value y. */
static double inverse(double y, double skewness, double n)
{
    const double least = 1e-6; /* below it the transformation is T itself */
    if (fabs(skewness) < least)
        return y;
    return 3 / skewness * (cbrt(1 + skewness * (y - skewness / (6 * n))) - 1);
}

Estimate rare_sample_interval(const RareSample *s, double confidence)
{
    const double n = s->count, deviation = sqrt(s->square / (n - 1));
    const double skewness = s->cube / n / (deviation * deviation * deviation);
    const double t = gsl_cdf_tdist_Pinv((1 + confidence) / 2, n - 1) / sqrt(n);
    const double tail = rare_sample_tail(s);
    const double beyond = tail < HUGE_VAL ? (s->largest[0] - s->mean) / n * tail / (tail - 1) : 0;
    return (Estimate){s->mean, s->mean - deviation * inverse(t, skewness, n),
                      s->mean - deviation * inverse(-t, skewness, n) + beyond};
}
