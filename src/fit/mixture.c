/* EM for hyper-exponential distributions.  Densities are computed by their logarithms, so that rates
 * and times of any size do.  Source: Dempster, Laird, Rubin, "Maximum likelihood from incomplete
 * data via the EM algorithm", J. Royal Statistical Society B 39 (1977); moments: Whitt,
 * "Approximating a point process by a renewal process", Operations Research 30 (1982). */
#include "fit/mixture.h"

#include <math.h>

double mixture_step(const Sample *s, Phases *p)
{
    double count[MOST] = {0}, time[MOST] = {0}, sum = 0;
    double log_rate[MOST], part[MOST];
    for (int32_t i = 0; i < p->phases; i++)
        log_rate[i] = log(p->share[i] * p->rate[i]);
    for (size_t k = 0; k < s->count; k++) {
        double most = -INFINITY, all = 0;
        for (int32_t i = 0; i < p->phases; i++)
            most = fmax(most, part[i] = log_rate[i] - p->rate[i] * s->time[k]);
        for (int32_t i = 0; i < p->phases; i++)
            all += part[i] = exp(part[i] - most);
        for (int32_t i = 0; i < p->phases; i++) {
            count[i] += s->weight[k] * part[i] / all;
            time[i] += s->weight[k] * part[i] / all * s->time[k];
        }
        sum += s->weight[k] * (most + log(all));
    }
    for (int32_t i = 0; i < p->phases; i++) {
        p->share[i] = count[i] / s->total;
        if (time[i] > 0)
            p->rate[i] = count[i] / time[i];
    }
    return sum;
}

void mixture_by_moments(double variation, Phases *p)
{
    const double half = sqrt((variation - 1) / (variation + 1)) / 2;
    *p = (Phases){.family = PEPA_FIT_HYPER, .phases = 2};
    for (int i = 0; i < 2; i++) {
        p->share[i] = i ? 0.5 - half : 0.5 + half;
        p->rate[i] = 2 * p->share[i];
    }
}

void mixture_by_shares(const Sample *s, int32_t n, Phases *p)
{
    const double ratio = 0.3; /* of a share to the one before */
    double seen = 0, end = 0;
    size_t k = 0;
    *p = (Phases){.family = PEPA_FIT_HYPER, .phases = n};
    for (int32_t i = 0; i < n; i++) {
        const double share = pow(ratio, i) * (1 - ratio) / (1 - pow(ratio, n));
        double weight = 0, time = 0;
        end += share * s->total;
        for (; k < s->count && (weight <= 0 || seen < end || i == n - 1); k++) {
            weight += s->weight[k];
            time += s->weight[k] * s->time[k];
            seen += s->weight[k];
        }
        p->share[i] = share;
        p->rate[i] = weight > 0 ? weight / time : p->rate[i - 1] / 2;
    }
}
