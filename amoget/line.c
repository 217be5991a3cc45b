#include "amoget/line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "amoget/generate.h"

/* Chains up to this size are eliminated, which is as quick as iterating and needs no tolerance. */
enum { SMALL = 100 };

struct Line {
    int32_t stages;
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
    for (int32_t i = 0; i <= 2 * line->stages; i++) {
        (void)snprintf(line->name[i], sizeof line->name[i], i % 2 ? "mu%d" : "lambda%d", i / 2 + 1);
        line->rates[i].rate = line->name[i];
        while (strcmp(pepa_model_rate_name(model, line->number[i]), line->name[i]) != 0)
            line->number[i]++;
    }
}

static PepaStatus derive(Line *line, int64_t max_states, PepaError *err)
{
    PepaSettings set = pepa_settings_default();
    PepaModel *model = NULL;
    Text text = {0};
    generate_line(&text, line->stages);
    PepaStatus status = PEPA_OK;
    if (text.failed)
        status = error_memory(err);
    else
        status = pepa_model_parse(&model, "pipeline", text.text, text.length, NULL, err);
    set.max_states = max_states;
    if (status == PEPA_OK)
        name_rates(line, model);
    if (status == PEPA_OK)
        status = pepa_chain_derive(&line->chain, model, &set, err);
    pepa_model_free(model);
    text_free(&text);
    return status;
}

PepaStatus line_new(Line **out, int32_t stages, int64_t max_states, PepaError *err)
{
    Line *line = mem_calloc(1, sizeof *line);
    if (!line)
        return error_memory(err);
    line->stages = stages;
    PepaStatus status = derive(line, max_states, err);
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

static int relay(void *user, const PepaProgress *now)
{
    const LineQuestion *question = user;
    (void)now;
    return question->cancelled(question->user);
}

/* Sweeps settle most pipelines in no time; the library's own choice, which may eliminate, takes
 * over where they converge slowly or their residual says little. */
static PepaStatus steady(Line *line, const LineQuestion *question, LineAnswer *answer,
                         PepaError *err)
{
    PepaSettings set = pepa_settings_default();
    set.tolerance = question->tolerance;
    set.progress = question->cancelled ? relay : NULL;
    set.user = (void *)(uintptr_t)question;
    set.method = line->info.states <= SMALL ? PEPA_GTH : PEPA_GAUSS_SEIDEL;
    set.max_iter = 1000;
    PepaStatus status = pepa_steady_solve(line->steady, &set, line->pi, &answer->info, err);
    if (status == PEPA_ENOCONV || (status == PEPA_OK && answer->info.caution[0])) {
        set.method = PEPA_AUTO;
        set.max_iter = 0;
        status = pepa_steady_solve(line->steady, &set, line->pi, &answer->info, err);
    }
    return status;
}

static PepaStatus shares(Line *line, const LineQuestion *question, LineAnswer *answer,
                         PepaError *err)
{
    PepaSettings set = pepa_settings_default();
    set.progress = question->cancelled ? relay : NULL;
    set.user = (void *)(uintptr_t)question;
    PepaStatus status = pepa_steady_sensitivities(line->steady, &set, line->pi, "process1", NULL,
                                                  line->derivative, NULL, err);
    double sum = 0;
    for (int32_t i = 0; i <= 2 * line->stages && status == PEPA_OK; i++) {
        double slope = line->derivative[line->number[i]] * line->rates[i].value * answer->time;
        answer->share[i] = slope > 0 ? slope : 0; /* C is monotone: less than 0 is rounding */
        sum += slope;
    }
    if (status == PEPA_OK && !(fabs(sum - 1) <= 1e-7))
        status = error_set(err, PEPA_ENOCONV, "the sensitivities sum to %.10g, not to 1", sum);
    return status;
}

PepaStatus line_solve(Line *line, const double *seconds, const LineQuestion *question,
                      LineAnswer *answer, PepaError *err)
{
    size_t count = (size_t)(2 * line->stages + 1);
    double per_time;
    for (size_t i = 0; i < count; i++)
        line->rates[i].value = 1 / seconds[i];
    PepaStatus status = pepa_chain_set_rates(line->chain, line->rates, count, err);
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
