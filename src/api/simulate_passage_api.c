/* Passage times, by simulation. */
#include <float.h>
#include <math.h>

#include "api/passage_ends.h"
#include "api/queries.h"
#include "api/simulating.h"
#include "base/clock.h"
#include "measure/simulate_passage.h"
#include "pepa_simulate.h"

#define DEFAULT_CONFIDENCE 0.95
static const int64_t default_passages = 10000, most_passages = 50000000, default_long_runs = 32,
                     most_long_runs = 4096, default_events = 1000000000;

static PepaStatus check(const PepaModel *model, const PepaPassageEnds *ends,
                        const PepaPassageSampling *how, PepaError *err)
{
    if ((ends->from && ends->from->owner != model) || (ends->to && ends->to->owner != model))
        return error_set(err, PEPA_EARG, "a predicate is of another model");
    if (!ALL_ZERO(how->reserved))
        return error_set(err, PEPA_EARG,
                         "PepaPassageSampling: reserved words must be 0; is the library older than "
                         "pepa_simulate.h?");
    if (how->runs < 0 || how->events < 0)
        return error_set(err, PEPA_EARG, "runs and events must be >= 0");
    if (how->runs == 1)
        return simulating_one_run(err);
    if (how->runs > (ends->from_start ? most_passages : most_long_runs))
        return error_set(err, PEPA_EARG, "at most %lld %s",
                         (long long)(ends->from_start ? most_passages : most_long_runs),
                         ends->from_start ? "passages" : "long runs");
    if (!(how->confidence >= 0 && how->confidence < 1))
        return error_set(err, PEPA_EARG, "the confidence must be between 0 and 1");
    if (!(how->relative_width >= 0 && how->relative_width < HUGE_VAL))
        return error_set(err, PEPA_EARG, "the relative width must be a number >= 0");
    for (size_t i = 0; i < how->shares; i++)
        if (!(how->share[i] > 0 && how->share[i] < 1))
            return error_set(err, PEPA_EARG, "a quantile is of a share between 0 and 1, not %g",
                             how->share[i]);
    return how->count ? times_check(how->time, how->count, err) : PEPA_OK;
}

static SimulationJob job_of(const PepaPassageEnds *ends, const PepaPassageSampling *how)
{
    const int64_t passages = how->relative_width > 0 ? most_passages : default_passages;
    const int64_t runs = ends->from_start ? passages : default_long_runs;
    return (SimulationJob){.count = 1,
                           .runs = how->runs ? how->runs : runs,
                           .confidence = how->confidence > 0 ? how->confidence : DEFAULT_CONFIDENCE,
                           .width = how->relative_width,
                           .activities = how->events ? how->events : default_events,
                           .seed = how->seed};
}

/* ---- results ---------------------------------------------------------------------------------- */

static PepaEstimate given(Estimate x)
{
    return (PepaEstimate){x.value, x.low, x.high};
}

/* The ends of the bin around a time: halfway to its neighbours, and as far beyond the last one. */
static void bin_of(const PepaPassageSampling *how, size_t i, double *from, double *to)
{
    const double *t = how->time;
    *from = i ? t[i] - (t[i] - t[i - 1]) / 2 : t[i] - fmin(t[i], (t[i + 1] - t[i]) / 2);
    *to = i + 1 < how->count ? t[i] + (t[i + 1] - t[i]) / 2 : t[i] + (t[i] - t[i - 1]) / 2;
}

static void report(Samples *s, const PepaPassageSampling *how, double confidence, PepaEstimate *cdf,
                   PepaEstimate *pdf, PepaEstimate *quantile, PepaPassageSample *out)
{
    out->passages = (int64_t)s->count;
    out->ends = given(samples_share(s, -1, DBL_MAX, confidence));
    out->mean = given(samples_mean(s, confidence));
    out->variance = given(samples_variance(s, confidence));
    for (size_t i = 0; i < how->count; i++) {
        double from, to;
        cdf[i] = given(samples_share(s, -1, how->time[i], confidence));
        pdf[i] = (PepaEstimate){NAN, NAN, NAN};
        if (how->count == 1)
            continue;
        bin_of(how, i, &from, &to);
        const Estimate share = samples_share(s, from, to, confidence);
        const double width = to - from;
        pdf[i] = (PepaEstimate){share.value / width, share.low / width, share.high / width};
    }
    for (size_t i = 0; i < how->shares; i++)
        quantile[i] = given(samples_quantile(s, how->share[i], confidence));
}

/* ---- the whole -------------------------------------------------------------------------------- */

typedef struct {
    Simulation s;
    PassagePlan plan;
    uint8_t *from, *to; /* marks of actions */
    Samples samples;
    DiagList diags;
} Sampling;

static PepaStatus plan(Sampling *x, const PepaModel *model, const PepaPassageEnds *ends,
                       const PepaSettings *set, PepaError *err)
{
    static const Query nothing = {0};
    PepaStatus status = simulation_new(&x->s, model->model, &nothing, set, &x->diags, err);
    if (status == PEPA_OK && ends->from_actions)
        status =
            passage_ends_actions(&x->s.chain, ends->from_action, ends->from_actions, &x->from, err);
    if (status == PEPA_OK && ends->to_actions)
        status = passage_ends_actions(&x->s.chain, ends->to_action, ends->to_actions, &x->to, err);
    const PassageMark from = {x->from, ends->from ? &ends->from->query : NULL},
                      to = {x->to, ends->to ? &ends->to->query : NULL};
    return status == PEPA_OK ? passage_plan_new(&x->plan, &x->s, from, to, err) : status;
}

static PepaStatus sample(Sampling *x, const PepaModel *model, const PepaPassageEnds *ends,
                         const PepaPassageSampling *how, const PepaSettings *set,
                         PepaPassageSample *out, PepaError *err)
{
    const SimulationJob job = job_of(ends, how);
    SimulationFound found = {0};
    PepaStatus status = plan(x, model, ends, set, err);
    if (status == PEPA_OK)
        status = simulate_passages(&x->plan, &job, &(PassageWanted){how->share, how->shares},
                                   &x->samples, &found, &x->diags, err);
    if (status == PEPA_EMODEL)
        status = diagnose_all(&x->diags, &model->model->source, set->derive.diagnose, set->user,
                              status, err);
    *out = (PepaPassageSample){.runs = found.runs,
                               .events = found.activities,
                               .length = found.length,
                               .warm_up = found.warm_up,
                               .width = found.width};
    return status;
}

PepaStatus pepa_simulate_passage(const PepaModel *model, const PepaPassageEnds *ends,
                                 const PepaPassageSampling *how, const PepaSettings *set,
                                 PepaEstimate *cdf, PepaEstimate *pdf, PepaEstimate *quantile,
                                 PepaPassageSample *out, PepaError *err)
{
    if (!model || !ends || !how || !out || (how->count && (!how->time || !cdf || !pdf)) ||
        (how->shares && (!how->share || !quantile)))
        return error_null(err, "pepa_simulate_passage");
    PepaSettings all;
    Sampling x = {.from = NULL};
    const double start = clock_seconds();
    PepaStatus status = passage_ends_check(ends, "pepa_simulate_passage", err);
    if (status == PEPA_OK)
        status = settings_complete(&all, set, err);
    if (status == PEPA_OK)
        status = check(model, ends, how, err);
    if (status == PEPA_OK)
        status = sample(&x, model, ends, how, &all, out, err);
    if (status == PEPA_OK) {
        report(&x.samples, how, how->confidence > 0 ? how->confidence : DEFAULT_CONFIDENCE, cdf,
               pdf, quantile, out);
        out->seconds = clock_seconds() - start;
    }
    samples_free(&x.samples);
    if (x.plan.s)
        passage_plan_free(&x.plan);
    mem_free_all(x.from, x.to);
    diag_free(&x.diags);
    simulation_free(&x.s);
    return status;
}
