/* Functions, moments and random values of acyclic phase-type distributions. */
#include "fit/phases.h"

#include <math.h>

#include "base/random.h"
#include "fit/chain.h"
#include "fit/erlangs.h"

/* Sums of positive terms, each from its logarithm: no term overflows. */
static void erlang_at(int32_t k, double rate, double t, double *survival, double *density)
{
    const double x = rate * t;
    double sum = 0;
    for (int32_t j = 0; j < k; j++)
        sum += exp((j ? j * log(x) : 0) - x - lgamma(j + 1.0));
    *survival = fmin(sum, 1);
    *density = rate * exp((k > 1 ? (k - 1) * log(x) : 0) - x - lgamma(k));
}

static void hyper_at(const Phases *p, double t, double *survival, double *density)
{
    *survival = *density = 0;
    for (int32_t i = 0; i < p->phases; i++) {
        const double left = p->share[i] * exp(-p->rate[i] * t);
        *survival += left;
        *density += left * p->rate[i];
    }
}

static void erlangs_at(const Phases *p, double t, double *survival, double *density)
{
    *survival = *density = 0;
    for (int32_t i = 0; i < p->branches; i++) {
        double left, dense;
        erlang_at(p->shape[i], p->rate[i], t, &left, &dense);
        *survival += p->share[i] * left;
        *density += p->share[i] * dense;
    }
}

void phases_at(const Phases *p, const double *time, size_t count, double *survival, double *density)
{
    double unused;
    if (p->family == PEPA_FIT_COX) {
        chain_at(p, time, count, survival, density);
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (p->family == PEPA_FIT_ERLANG)
            erlang_at(p->phases, p->rate[0], time[i], &survival[i],
                      density ? &density[i] : &unused);
        else if (p->family == PEPA_FIT_HYPER_ERLANG)
            erlangs_at(p, time[i], &survival[i], density ? &density[i] : &unused);
        else
            hyper_at(p, time[i], &survival[i], density ? &density[i] : &unused);
}

/* Of the exponential that decays slowest, so that no sum underflows. */
static double hyper_log_density(const Phases *p, double t)
{
    double most = -INFINITY, sum = 0, log_term[MOST];
    for (int32_t i = 0; i < p->phases; i++) {
        log_term[i] = log(p->share[i] * p->rate[i]) - p->rate[i] * t;
        most = fmax(most, log_term[i]);
    }
    for (int32_t i = 0; i < p->phases; i++)
        sum += exp(log_term[i] - most);
    return most + log(sum);
}

static double erlang_log_density(const Phases *p, double t)
{
    const int32_t k = p->phases;
    return k * log(p->rate[0]) + (k - 1) * log(t) - p->rate[0] * t - lgamma(k);
}

double phases_likelihood(const Phases *p, const Sample *s)
{
    double sum = 0;
    if (p->family == PEPA_FIT_COX)
        return chain_likelihood(p, s);
    for (size_t i = 0; i < s->count; i++)
        sum += s->weight[i] * (p->family == PEPA_FIT_ERLANG ? erlang_log_density(p, s->time[i])
                               : p->family == PEPA_FIT_HYPER_ERLANG
                                   ? erlangs_log_density(p, s->time[i])
                                   : hyper_log_density(p, s->time[i]));
    return sum;
}

/* The first three moments of a chain entered at phase i follow from those at i + 1, which are those
 * of the rest: with an exponential X before a rest R, E (X + R)^k = sum of binomials. */
static void raw_moments(const Phases *p, double m[4])
{
    double rest[4] = {1, 0, 0, 0};
    m[1] = m[2] = m[3] = 0;
    for (int32_t i = p->phases - 1; i >= 0; i--) {
        const double x = 1 / p->rate[i];
        const double e1 = x, e2 = 2 * x * x, e3 = 6 * x * x * x;
        if (p->family == PEPA_FIT_COX) {
            rest[3] += 3 * e1 * rest[2] + 3 * e2 * rest[1] + e3;
            rest[2] += 2 * e1 * rest[1] + e2;
            rest[1] += e1;
        } else {
            rest[1] = e1;
            rest[2] = e2;
            rest[3] = e3;
        }
        for (int k = 1; k <= 3; k++)
            m[k] += p->share[i] * rest[k];
    }
}

PepaFitMoments phases_moments(const Phases *p)
{
    double m[4];
    Phases chain;
    if (p->family == PEPA_FIT_ERLANG)
        return (PepaFitMoments){p->phases / p->rate[0], p->phases / (p->rate[0] * p->rate[0]),
                                2 / sqrt(p->phases)};
    if (p->family == PEPA_FIT_HYPER_ERLANG)
        erlangs_chain(p, &chain);
    raw_moments(p->family == PEPA_FIT_HYPER_ERLANG ? &chain : p, m);
    const double variance = m[2] - m[1] * m[1];
    return (PepaFitMoments){m[1], variance,
                            (m[3] - 3 * m[1] * variance - m[1] * m[1] * m[1]) /
                                (variance * sqrt(variance))};
}

static double exponential(double rate, uint64_t *random)
{
    return -log1p(-random_next(random)) / rate;
}

double phases_draw(const Phases *p, uint64_t *random)
{
    double sum = 0;
    if (p->family == PEPA_FIT_ERLANG) {
        for (int32_t i = 0; i < p->phases; i++)
            sum += exponential(p->rate[0], random);
        return sum;
    }
    int32_t i = 0;
    const int32_t ways = p->family == PEPA_FIT_HYPER_ERLANG ? p->branches : p->phases;
    for (double left = random_next(random); i + 1 < ways && left >= p->share[i]; i++)
        left -= p->share[i];
    if (p->family == PEPA_FIT_HYPER)
        return exponential(p->rate[i], random);
    if (p->family == PEPA_FIT_HYPER_ERLANG) {
        for (int32_t k = 0; k < p->shape[i]; k++)
            sum += exponential(p->rate[i], random);
        return sum;
    }
    for (; i < p->phases; i++)
        sum += exponential(p->rate[i], random);
    return sum;
}

void phases_scale(Phases *p, double unit)
{
    for (int32_t i = 0; i < (p->family == PEPA_FIT_ERLANG ? 1 : p->phases); i++)
        p->rate[i] /= unit;
}

/* A path ends after phase i of the Cox form if it begins in phase n - 1 - i of the chain. */
double phases_goes_on(const Phases *p, int32_t i)
{
    const int32_t ends = p->phases - 1 - i;
    double more = 0;
    for (int32_t j = 0; j < ends; j++)
        more += p->share[j];
    return more > 0 ? more / (more + p->share[ends]) : 0;
}

int32_t phases_parameters(const Phases *p)
{
    if (p->family == PEPA_FIT_ERLANG)
        return p->phases > 1 ? 2 : 1; /* the number of phases is chosen as well */
    if (p->family == PEPA_FIT_HYPER_ERLANG)
        return 3 * p->branches - 1; /* likewise */
    return 2 * p->phases - 1;
}
