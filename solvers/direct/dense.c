/* One state after the other. */
#include "solvers/direct/dense.h"

#include <float.h>
#include <math.h>

#include "solvers/internal.h"

static long double *row_of(const DenseChain *d, int32_t k)
{
    return d->rate + (size_t)k * (size_t)d->n;
}

long double dense_way_out(const DenseChain *d, int32_t k)
{
    const long double *rate = row_of(d, k);
    long double sum = d->leave ? d->leave[k] : 0;
    for (int32_t j = 0; j < k; j++)
        sum += rate[j];
    return sum;
}

void dense_censor(const DenseChain *d, int32_t k, long double out)
{
    const long double *from = row_of(d, k);
    const size_t sides = (size_t)d->sides;
    for (int32_t i = 0; i < k; i++) {
        long double *to = row_of(d, i);
        const long double visits = to[k] / out;
        if (visits == 0)
            continue;
        for (int32_t j = 0; j < k; j++)
            to[j] += visits * from[j];
        if (d->leave)
            d->leave[i] += visits * d->leave[k];
        for (size_t side = 0; side < sides; side++)
            d->x[(size_t)i * sides + side] += visits * d->x[(size_t)k * sides + side];
    }
}

/* Censoring state k is exact but for factors of (1 + u)^(k + 3) in what is left of the chain.  x is a sum of products of k of
 * these numbers over another one (Freidlin and Wentzell 1984, ch. 6, lemma 3.3), and is off by 2 k (k + 3) u for it; then by
 * (k + 3) u when its sum is made: over all k, less than this.  Source: O'Cinneide, Numer. Math. 65 (1993). */
double dense_rounding(double n)
{
    const double u = (double)LDBL_EPSILON / 2;
    return n * (n * (n + 3) + 10) * u;
}

PepaStatus dense_censor_all(const DenseChain *d, int32_t first, const Control *control,
                            PepaError *err)
{
    const long double least =
        sqrtl(LDBL_MIN); /* beside which what is lost below LDBL_MIN is nothing */
    Monitor monitor = monitor_start(control);
    for (int32_t k = d->n - 1; k >= first; k--) {
        const long double out = dense_way_out(d, k);
        if (!(out >= least && isfinite(out)))
            return error_set(err, PEPA_ENOCONV, "some state is never left");
        dense_censor(d, k, out);
        if (monitor_cancels(&monitor, (int64_t)k * k, 0, 1))
            return error_set(err, PEPA_ECANCEL, "cancelled");
    }
    return PEPA_OK;
}

void dense_differences(const DenseChain *d, int32_t first, const long double *earned,
                       long double *difference)
{
    const size_t n = (size_t)d->n;
    for (int32_t k = first; k < d->n; k++) {
        const long double *rate = row_of(d, k), out = dense_way_out(d, k);
        long double *own = difference + (size_t)k * n;
        for (int32_t t = 0; t < k; t++)
            own[t] = -earned[k];
        own[k] = 0;
        for (int32_t j = 0; j < k; j++) {
            const long double chance = rate[j] / out, *from = difference + (size_t)j * n;
            for (int32_t t = 0; t < k && chance > 0; t++)
                own[t] += chance * from[t];
        }
        for (int32_t t = 0; t < k; t++)
            difference[(size_t)t * n + (size_t)k] = -own[t];
    }
}
