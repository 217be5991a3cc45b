/* What a prediction depends on: by central differences, and by predictions on a grid of factors. */
#include "grid/gum/predict/advise.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"

#define STEP 0.05 /* of a difference: larger than what the solver's tolerance leaves */
enum { HALVINGS = 6 };

PolicyName best_policy(const Prediction each[POLICIES])
{
    double least = INFINITY;
    int best = 0;
    for (int k = 0; k < POLICIES; k++)
        least = fmin(least, each[k].makespan);
    for (int k = 0; k < POLICIES; k++)
        if (each[k].makespan <= 1.001 * least)
            best = k;
    return (PolicyName)best;
}

PepaStatus predict_all(const Platform *platform, const Profile *profile, const Predicting *how,
                       Prediction each[POLICIES], PepaError *err)
{
    PepaStatus status = PEPA_OK;
    for (int k = 0; k < POLICIES && status == PEPA_OK; k++)
        status = predict_policy(platform, profile, (PolicyName)k, how, &each[k], err);
    return status;
}

/* ---- crossovers ------------------------------------------------------------------------------ */

static PepaStatus best_of(const Platform *platform, const Profile *profile, const Predicting *how,
                          PolicyName *best, PepaError *err)
{
    Prediction each[POLICIES];
    PepaStatus status = predict_all(platform, profile, how, each, err);
    if (status == PEPA_OK)
        *best = best_policy(each);
    return status;
}

static void note(Crossover *out, int32_t *count, int power, PolicyName before, PolicyName now)
{
    if (power > -HALVINGS && before != now)
        out[(*count)++] = (Crossover){ldexp(sqrt(0.5), power), before, now};
}

static void scale_tasks(Profile *to, const Profile *from, double factor)
{
    *to = *from;
    to->critical *= factor;
    for (int32_t d = 0; d < to->levels; d++) {
        to->level[d].work *= factor;
        to->level[d].deviation *= factor;
        to->level[d].longest *= factor;
    }
}

PepaStatus task_crossovers(const Platform *platform, const Profile *profile, const Predicting *how,
                           Crossover out[MOST_CROSSOVERS], int32_t *count, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    PolicyName before = POLICY_UNKNOWN, now = POLICY_UNKNOWN;
    *count = 0;
    for (int power = -HALVINGS; power <= HALVINGS && status == PEPA_OK; power++, before = now) {
        Profile scaled;
        scale_tasks(&scaled, profile, ldexp(1, power));
        status = best_of(platform, &scaled, how, &now, err);
        if (status == PEPA_OK)
            note(out, count, power, before, now);
    }
    return status;
}

/* Latencies of links of that cluster (-1: of all), from `base`. */
static PepaStatus scale_latencies(Platform *p, const double *base, int32_t cluster, double factor,
                                  PepaError *err)
{
    for (int32_t a = 0; a < p->size; a++)
        for (int32_t b = 0; b < p->size; b++) {
            const int64_t at = (int64_t)a * p->size + b;
            const bool its = cluster < 0 || p->tables.fixed[a].cluster == cluster ||
                             p->tables.fixed[b].cluster == cluster;
            p->latency[at] = base[at] * (its ? factor : 1);
        }
    return platform_regroup(p, err);
}

static PepaStatus copy_latencies(const Platform *p, double **out, PepaError *err)
{
    const size_t links = (size_t)p->size * (size_t)p->size;
    if (!mem_new(*out, links))
        return error_memory(err);
    memcpy(*out, p->latency, links * sizeof **out);
    return PEPA_OK;
}

PepaStatus latency_crossovers(Platform *platform, const Profile *profile, const Predicting *how,
                              Crossover out[MOST_CROSSOVERS], int32_t *count, PepaError *err)
{
    double *base;
    PolicyName before = POLICY_UNKNOWN, now = POLICY_UNKNOWN;
    PepaStatus status = copy_latencies(platform, &base, err);
    *count = 0;
    if (status != PEPA_OK)
        return status;
    for (int power = -HALVINGS; power <= HALVINGS && status == PEPA_OK; power++, before = now) {
        status = scale_latencies(platform, base, -1, ldexp(1, power), err);
        if (status == PEPA_OK)
            status = best_of(platform, profile, how, &now, err);
        if (status == PEPA_OK)
            note(out, count, power, before, now);
    }
    (void)scale_latencies(platform, base, -1, 1, NULL);
    mem_free(base);
    return status;
}

/* ---- what to buy ----------------------------------------------------------------------------- */

static PepaStatus scale_speed(Platform *p, int32_t cluster, double factor, PepaError *err)
{
    for (int32_t i = 0; i < p->size; i++)
        if (p->tables.fixed[i].cluster == cluster)
            p->time[i] /= factor;
    return platform_regroup(p, err);
}

static double elasticity(double up, double down)
{
    return log(up / down) / log((1 + STEP) / (1 - STEP));
}

/* From makespans at 1 + STEP and 1 - STEP; all is as before afterwards, but for rounding. */
static PepaStatus speed_worth(Platform *p, const Profile *profile, PolicyName policy,
                              const Predicting *how, int32_t cluster, double *out, PepaError *err)
{
    Prediction at[2];
    PepaStatus status = PEPA_OK;
    for (int side = 0; side < 2 && status == PEPA_OK; side++) {
        const double factor = side == 0 ? 1 + STEP : 1 - STEP;
        status = scale_speed(p, cluster, factor, err);
        if (status == PEPA_OK)
            status = predict_policy(p, profile, policy, how, &at[side], err);
        (void)scale_speed(p, cluster, 1 / factor, NULL);
    }
    if (status == PEPA_OK)
        *out = elasticity(at[0].makespan, at[1].makespan);
    return status;
}

static PepaStatus latency_worth(Platform *p, const Profile *profile, PolicyName policy,
                                const Predicting *how, int32_t cluster, double *out, PepaError *err)
{
    Prediction at[2];
    double *base;
    PepaStatus status = copy_latencies(p, &base, err);
    if (status != PEPA_OK)
        return status;
    for (int side = 0; side < 2 && status == PEPA_OK; side++) {
        status = scale_latencies(p, base, cluster, side == 0 ? 1 + STEP : 1 - STEP, err);
        if (status == PEPA_OK)
            status = predict_policy(p, profile, policy, how, &at[side], err);
    }
    (void)scale_latencies(p, base, -1, 1, NULL);
    if (status == PEPA_OK)
        *out = elasticity(at[0].makespan, at[1].makespan);
    mem_free(base);
    return status;
}

static PepaStatus one_more(const Platform *p, const Profile *profile, PolicyName policy,
                           const Predicting *how, int32_t cluster, double before, Worth *out,
                           PepaError *err)
{
    Platform more = {0};
    Prediction at;
    PepaStatus status = platform_grow(&more, p, cluster, err);
    if (status == PEPA_OK)
        status = predict_policy(&more, profile, policy, how, &at, err);
    platform_free(&more);
    if (status != PEPA_OK)
        return status;
    const double n = p->members[cluster];
    out->one_more = at.makespan;
    out->processes = log(at.makespan / before) / log((n + 1) / n);
    return PEPA_OK;
}

/* An earlier cluster that is alike, so that it is worth the same; -1: there is none. */
static int32_t earlier_alike(const Platform *p, int32_t cluster, int32_t *moved)
{
    for (int32_t c = 0; c < cluster; c++)
        if (platform_alike(p, c, cluster, moved))
            return c;
    return -1;
}

static PepaStatus worth_of(Platform *p, const Profile *profile, PolicyName policy,
                           const Predicting *how, int32_t cluster, double before, Worth *out,
                           PepaError *err)
{
    PepaStatus status = speed_worth(p, profile, policy, how, cluster, &out->speed, err);
    if (status == PEPA_OK)
        status = latency_worth(p, profile, policy, how, cluster, &out->latency, err);
    if (status == PEPA_OK)
        status = one_more(p, profile, policy, how, cluster, before, out, err);
    return status;
}

PepaStatus cluster_worth(Platform *platform, const Profile *profile, PolicyName policy,
                         const Predicting *how, Worth *worth, PepaError *err)
{
    const int32_t clusters = platform->tables.clusters;
    int32_t *like, *moved = NULL;
    Prediction now;
    if (!mem_new(like, clusters) || !mem_new(moved, platform->size)) {
        mem_free(like);
        return error_memory(err);
    }
    for (int32_t c = 0; c < clusters; c++) /* before times change, by rounding */
        like[c] = earlier_alike(platform, c, moved);
    PepaStatus status = predict_policy(platform, profile, policy, how, &now, err);
    for (int32_t c = 0; c < clusters && status == PEPA_OK; c++)
        if (like[c] >= 0)
            worth[c] = worth[like[c]];
        else
            status = worth_of(platform, profile, policy, how, c, now.makespan, &worth[c], err);
    mem_free_all(like, moved);
    return status;
}

int32_t advise_predictions(const Platform *platform)
{
    const int32_t factors = 2 * HALVINGS + 1;
    return POLICIES * (1 + 2 * factors) + 1 + 5 * platform->tables.clusters;
}
