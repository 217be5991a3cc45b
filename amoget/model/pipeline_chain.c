/* Derives the chain of a shape, refills its rates, and solves it with its sensitivities. */
#include "amoget/model/pipeline_chain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "amoget/model/cut.h"
#include "amoget/model/generate.h"

/* Chains up to this size are eliminated, which is about as quick as iterating and needs no
 * tolerance.  Instructions of `build/bin/bench_mappings 4 8 1` and `5 6 1`, as ratios.  50: 0.85
 * 1.00; 300: 1.00 1.60. */
enum { SMALL = 100 };

struct PipelineChain {
    Shape shape;
    int32_t activities;
    PepaChain *chain;
    PepaSteady *steady;
    PepaChainInfo info;
    double *pi, *potential; /* states */
    double *derivative;     /* rates of the model */
    CutWorkspace cuts;
    char name[MOST_ACTIVITIES][12];
    PepaDefine rates[MOST_ACTIVITIES]; /* in the order of activities; values of the moment */
    int32_t number[MOST_ACTIVITIES];   /* of each rate in the model */
};

static void name_rates(PipelineChain *pipeline, const PepaModel *model)
{
    int32_t n = pipeline->shape.stages;
    for (int32_t k = 0; k < pipeline->activities; k++) {
        bool take = k > 2 * n;
        (void)snprintf(pipeline->name[k], sizeof pipeline->name[k],
                       take    ? "kappa%d"
                       : k % 2 ? "mu%d"
                               : "lambda%d",
                       take ? k - 2 * n + 1 : k / 2 + 1);
        pipeline->rates[k].rate = pipeline->name[k];
        while (strcmp(pepa_model_rate_name(model, pipeline->number[k]), pipeline->name[k]) != 0)
            pipeline->number[k]++;
    }
}

static int relay(void *user, const PepaProgress *now)
{
    const ChainStop *stop = user;
    (void)now;
    return stop->wanted(stop->user);
}

/* The library's callback takes a pointer that may be written through; relay does not. */
static void obey(PepaSettings *set, const ChainStop *stop)
{
    set->progress = stop ? relay : NULL;
    set->user = (void *)(uintptr_t)stop;
}

static PepaStatus derive(PipelineChain *pipeline, int64_t max_states, const ChainStop *stop,
                         PepaError *err)
{
    PepaSettings set = {0};
    PepaModel *model = NULL;
    Text text = {0};
    generate_chain_model(&text, &pipeline->shape);
    PepaStatus status = PEPA_OK;
    if (text.failed)
        status = error_memory(err);
    else
        status = pepa_model_parse(&model, "pipeline", text.text, text.length, NULL, err);
    set.derive.max_states = max_states;
    obey(&set, stop);
    if (status == PEPA_OK)
        name_rates(pipeline, model);
    if (status == PEPA_OK)
        status = pepa_chain_derive(&pipeline->chain, model, &set, err);
    pepa_model_free(model);
    text_free(&text);
    return status;
}

PepaStatus pipeline_chain_new(PipelineChain **out, const Shape *shape, int64_t max_states,
                              const ChainStop *stop, PepaError *err)
{
    if (shape_check_size(shape, max_states, err) != PEPA_OK)
        return PEPA_ELIMIT;
    PipelineChain *pipeline = mem_calloc(1, sizeof *pipeline);
    if (!pipeline)
        return error_memory(err);
    pipeline->shape = *shape;
    pipeline->activities = shape_activities(shape);
    PepaStatus status = derive(pipeline, max_states, stop, err);
    if (status == PEPA_OK && stop && stop->wanted(stop->user)) /* what follows does not ask */
        status = error_set(err, PEPA_ECANCEL, "cancelled");
    if (status == PEPA_OK)
        status = pepa_steady_new(&pipeline->steady, pipeline->chain, err);
    if (status == PEPA_OK) {
        pipeline->info = pepa_chain_info(pipeline->chain);
        pipeline->pi = mem_alloc((size_t)pipeline->info.states, sizeof *pipeline->pi);
        pipeline->potential = mem_alloc((size_t)pipeline->info.states, sizeof *pipeline->potential);
        pipeline->derivative = mem_alloc(MOST_ACTIVITIES, sizeof *pipeline->derivative);
        status = pipeline->pi && pipeline->potential && pipeline->derivative ? PEPA_OK
                                                                             : error_memory(err);
    }
    if (status == PEPA_OK && shape_is_free(shape))
        status = cut_workspace_new(&pipeline->cuts, pipeline->chain, shape, err);
    if (status == PEPA_OK)
        *out = pipeline;
    else
        pipeline_chain_free(pipeline);
    return status;
}

void pipeline_chain_free(PipelineChain *pipeline)
{
    if (!pipeline)
        return;
    pepa_steady_free(pipeline->steady);
    pepa_chain_free(pipeline->chain);
    mem_free(pipeline->pi);
    mem_free(pipeline->potential);
    mem_free(pipeline->derivative);
    cut_workspace_free(&pipeline->cuts);
    mem_free(pipeline);
}

PepaChainInfo pipeline_chain_info(const PipelineChain *pipeline)
{
    return pipeline->info;
}

const Shape *pipeline_chain_shape(const PipelineChain *pipeline)
{
    return &pipeline->shape;
}

/* Sweeps settle most pipelines in no time; the library's own choice, which may eliminate, takes
 * over where they converge slowly or their residual says little. */
static PepaStatus steady(PipelineChain *pipeline, const ChainQuestion *question,
                         ChainAnswer *answer, PepaError *err)
{
    PepaSettings set = {0};
    /* sensitivities, and bounds made of them, need more than a loose tolerance gives */
    set.solve.tolerance = question->rough                     ? 1e-10
                          : question->shares || question->cut ? fmin(question->tolerance, 1e-12)
                                                              : question->tolerance;
    obey(&set, question->stop);
    set.solve.method = pipeline->info.states <= SMALL ? PEPA_GTH : PEPA_GAUSS_SEIDEL;
    set.solve.max_iter = 1000;
    set.solve.warm_start = question->warm;
    PepaStatus status = pepa_steady_solve(pipeline->steady, &set, pipeline->pi, &answer->info, err);
    if (status == PEPA_ENOCONV || (status == PEPA_OK && answer->info.caution[0])) {
        set.solve.method = PEPA_AUTO;
        set.solve.max_iter = 0;
        set.solve.warm_start = 0;
        status = pepa_steady_solve(pipeline->steady, &set, pipeline->pi, &answer->info, err);
    }
    return status;
}

static void certify(const PipelineChain *pipeline, const double *seconds, ChainAnswer *answer)
{
    cut_certify(&pipeline->cuts, seconds, pipeline->pi, pipeline->potential, answer->slope);
    answer->bound = 0;
    for (int32_t k = 0; k < pipeline->activities; k++)
        answer->bound += answer->slope[k] * seconds[k];
}

/* Cuts make up for errors of the potential, so that it need not be as good for them alone. */
static PepaStatus find_potential(PipelineChain *pipeline, const ChainQuestion *question,
                                 PepaError *err)
{
    PepaSettings set = {0};
    set.solve.tolerance = question->shares ? 1e-10 : 1e-9;
    obey(&set, question->stop);
    return pepa_steady_sensitivities(pipeline->steady, &set, pipeline->pi, "process1",
                                     pipeline->potential, pipeline->derivative, NULL, err);
}

static PepaStatus shares(const PipelineChain *pipeline, ChainAnswer *answer, PepaError *err)
{
    double sum = 0;
    bool free = shape_is_free(&pipeline->shape);
    for (int32_t i = 0; i < pipeline->activities; i++) {
        double slope =
            pipeline->derivative[pipeline->number[i]] * pipeline->rates[i].value * answer->time;
        answer->share[i] = slope > 0 || !free ? slope : 0; /* monotone: less than 0 is rounding */
        sum += slope;
    }
    if (!(fabs(sum - 1) <= 1e-9))
        return error_set(err, PEPA_ENOCONV, "the sensitivities sum to %.10g, not to 1", sum);
    return PEPA_OK;
}

PepaStatus pipeline_chain_solve(PipelineChain *pipeline, const double *seconds,
                                const ChainQuestion *question, ChainAnswer *answer, PepaError *err)
{
    double per_time;
    for (int32_t k = 0; k < pipeline->activities; k++) {
        bool process = k % 2 && k < 2 * pipeline->shape.stages;
        pipeline->rates[k].value = (process ? pipeline->shape.phases[k / 2] : 1) / seconds[k];
    }
    PepaStatus status =
        pepa_chain_set_rates(pipeline->chain, pipeline->rates, (size_t)pipeline->activities, err);
    if (status == PEPA_OK)
        status = steady(pipeline, question, answer, err);
    if (status == PEPA_OK)
        status = pepa_throughput(pipeline->chain, pipeline->pi, "process1", &per_time, err);
    if (status == PEPA_OK && !(isfinite(per_time) && per_time > 0))
        status = error_set(err, PEPA_ENOCONV, "the throughput came out as %g", per_time);
    if (status != PEPA_OK)
        return status;
    answer->time = 1 / per_time;
    if (question->shares || question->cut)
        status = find_potential(pipeline, question, err);
    if (status == PEPA_OK && question->cut)
        certify(pipeline, seconds, answer);
    return status == PEPA_OK && question->shares ? shares(pipeline, answer, err) : status;
}
