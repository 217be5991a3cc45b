#include "amoget/line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "amoget/generate.h"

/* Chains up to this size are eliminated, which is as quick as iterating and needs no tolerance. */
enum { SMALL = 100 };

struct Line {
    Shape shape;
    int32_t activities;
    PepaChain *chain;
    PepaSteady *steady;
    PepaChainInfo info;
    double *pi;         /* states */
    double *derivative; /* rates of the model */
    char name[MOST_ACTIVITIES][12];
    PepaDefine rates[MOST_ACTIVITIES]; /* in the order of activities; values of the moment */
    int32_t number[MOST_ACTIVITIES];   /* of each rate in the model */
};

static void name_rates(Line *line, const PepaModel *model)
{
    int32_t n = line->shape.stages;
    for (int32_t k = 0; k < line->activities; k++) {
        bool take = k > 2 * n;
        (void)snprintf(line->name[k], sizeof line->name[k],
                       take    ? "kappa%d"
                       : k % 2 ? "mu%d"
                               : "lambda%d",
                       take ? k - 2 * n + 1 : k / 2 + 1);
        line->rates[k].rate = line->name[k];
        while (strcmp(pepa_model_rate_name(model, line->number[k]), line->name[k]) != 0)
            line->number[k]++;
    }
}

static int relay(void *user, const PepaProgress *now)
{
    const LineStop *stop = user;
    (void)now;
    return stop->wanted(stop->user);
}

/* The library's callback takes a pointer that may be written through; relay does not. */
static void obey(PepaSettings *set, const LineStop *stop)
{
    set->progress = stop ? relay : NULL;
    set->user = (void *)(uintptr_t)stop;
}

static PepaStatus derive(Line *line, int64_t max_states, const LineStop *stop, PepaError *err)
{
    PepaSettings set = {0};
    PepaModel *model = NULL;
    Text text = {0};
    generate_line(&text, &line->shape);
    PepaStatus status = PEPA_OK;
    if (text.failed)
        status = error_memory(err);
    else
        status = pepa_model_parse(&model, "pipeline", text.text, text.length, NULL, err);
    set.derive.max_states = max_states;
    obey(&set, stop);
    if (status == PEPA_OK)
        name_rates(line, model);
    if (status == PEPA_OK)
        status = pepa_chain_derive(&line->chain, model, &set, err);
    pepa_model_free(model);
    text_free(&text);
    return status;
}

/* States of an event graph without turns: of a shape that has groups as well, no more. */
static PepaStatus check_size(const Shape *shape, int64_t max_states, PepaError *err)
{
    double states = 1;
    for (int32_t i = 0; i < shape->stages; i++)
        states *= 2 + shape->phases[i];
    if (!shape_is_free(shape) || shape->turns || states <= (double)max_states)
        return PEPA_OK;
    return error_set(err, PEPA_ELIMIT,
                     "a pipeline of %d stages has %s%.10g states, more than the limit of %lld",
                     shape->stages, shape->transfer == AMOGET_BUFFERED ? "more than " : "", states,
                     (long long)max_states);
}

PepaStatus line_new(Line **out, const Shape *shape, int64_t max_states, const LineStop *stop,
                    PepaError *err)
{
    if (check_size(shape, max_states, err) != PEPA_OK)
        return PEPA_ELIMIT;
    Line *line = mem_calloc(1, sizeof *line);
    if (!line)
        return error_memory(err);
    line->shape = *shape;
    line->activities = shape_activities(shape);
    PepaStatus status = derive(line, max_states, stop, err);
    if (status == PEPA_OK)
        status = pepa_steady_new(&line->steady, line->chain, err);
    if (status == PEPA_OK) {
        line->info = pepa_chain_info(line->chain);
        line->pi = mem_alloc((size_t)line->info.states, sizeof *line->pi);
        line->derivative = mem_alloc(MOST_ACTIVITIES, sizeof *line->derivative);
        status = line->pi && line->derivative ? PEPA_OK : error_memory(err);
    }
    if (status == PEPA_OK)
        *out = line;
    else
        line_free(line);
    return status;
}

void line_free(Line *line)
{
    if (!line)
        return;
    pepa_steady_free(line->steady);
    pepa_chain_free(line->chain);
    mem_free(line->pi);
    mem_free(line->derivative);
    mem_free(line);
}

PepaChainInfo line_info(const Line *line)
{
    return line->info;
}

const Shape *line_shape(const Line *line)
{
    return &line->shape;
}

/* Sweeps settle most pipelines in no time; the library's own choice, which may eliminate, takes
 * over where they converge slowly or their residual says little. */
static PepaStatus steady(Line *line, const LineQuestion *question, LineAnswer *answer,
                         PepaError *err)
{
    PepaSettings set = {0};
    /* sensitivities, and bounds made of them, need more than a loose tolerance gives */
    set.solve.tolerance = question->shares ? fmin(question->tolerance, 1e-12) : question->tolerance;
    obey(&set, question->stop);
    set.solve.method = line->info.states <= SMALL ? PEPA_GTH : PEPA_GAUSS_SEIDEL;
    set.solve.max_iter = 1000;
    set.solve.warm_start = question->warm;
    PepaStatus status = pepa_steady_solve(line->steady, &set, line->pi, &answer->info, err);
    if (status == PEPA_ENOCONV || (status == PEPA_OK && answer->info.caution[0])) {
        set.solve.method = PEPA_AUTO;
        set.solve.max_iter = 0;
        set.solve.warm_start = 0;
        status = pepa_steady_solve(line->steady, &set, line->pi, &answer->info, err);
    }
    return status;
}

static PepaStatus shares(Line *line, const LineQuestion *question, LineAnswer *answer,
                         PepaError *err)
{
    PepaSettings set = {0};
    obey(&set, question->stop);
    PepaStatus status = pepa_steady_sensitivities(line->steady, &set, line->pi, "process1", NULL,
                                                  line->derivative, NULL, err);
    double sum = 0;
    bool free = shape_is_free(&line->shape);
    for (int32_t i = 0; i < line->activities && status == PEPA_OK; i++) {
        double slope = line->derivative[line->number[i]] * line->rates[i].value * answer->time;
        answer->share[i] = slope > 0 || !free ? slope : 0; /* monotone: less than 0 is rounding */
        sum += slope;
    }
    if (status == PEPA_OK && !(fabs(sum - 1) <= 1e-9))
        status = error_set(err, PEPA_ENOCONV, "the sensitivities sum to %.10g, not to 1", sum);
    return status;
}

PepaStatus line_solve(Line *line, const double *seconds, const LineQuestion *question,
                      LineAnswer *answer, PepaError *err)
{
    double per_time;
    for (int32_t k = 0; k < line->activities; k++) {
        bool process = k % 2 && k < 2 * line->shape.stages;
        line->rates[k].value = (process ? line->shape.phases[k / 2] : 1) / seconds[k];
    }
    PepaStatus status =
        pepa_chain_set_rates(line->chain, line->rates, (size_t)line->activities, err);
    if (status == PEPA_OK)
        status = steady(line, question, answer, err);
    if (status == PEPA_OK)
        status = pepa_throughput(line->chain, line->pi, "process1", &per_time, err);
    if (status == PEPA_OK && !(isfinite(per_time) && per_time > 0))
        status = error_set(err, PEPA_ENOCONV, "the throughput came out as %g", per_time);
    if (status != PEPA_OK)
        return status;
    answer->time = 1 / per_time;
    return question->shares ? shares(line, question, answer, err) : PEPA_OK;
}
