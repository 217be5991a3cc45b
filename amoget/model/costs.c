/* Computes what each choice of a mapping costs, from the numbers of a description. */
#include "amoget/model/costs.h"

#include <math.h>
#include <string.h>

static void fill(Costs *p, const AmogetDescription *desc)
{
    size_t at = 0;
    for (int32_t i = 0; i < p->stages; i++)
        for (int32_t j = 0; j < p->processors; j++)
            p->unit[at++] = process_seconds(desc, i, j, 1);
    at = 0;
    for (int32_t i = 0; i <= p->stages; i++) {
        p->least[i] = INFINITY;
        for (int32_t a = 0; a < p->processors; a++)
            for (int32_t b = 0; b < p->processors; b++, at++) {
                p->move[at] = move_seconds(desc, i, i > 0 ? a : desc->input,
                                           i < p->stages ? b : desc->output_to);
                p->least[i] = fmin(p->least[i], p->move[at]);
            }
    }
    for (int32_t j = 0; j < p->processors; j++)
        p->pace[j] = desc->machine->time[j] / desc->machine->availability[j];
    memcpy(p->work, desc->work, (size_t)p->stages * sizeof *p->work);
    for (int32_t j = 0; j < p->processors && p->take; j++)
        p->take[j] = take_seconds(desc, j);
    p->serial = desc->sharing == AMOGET_SERIAL;
    memcpy(p->cores, desc->machine->cores, (size_t)p->processors * sizeof *p->cores);
}

PepaStatus costs_new(Costs *costs, const AmogetDescription *desc, PepaError *err)
{
    size_t n = (size_t)desc->stages, p = (size_t)desc->machine->processors;
    Costs made = {.desc = desc, .stages = desc->stages, .processors = desc->machine->processors};
    made.unit = mem_alloc(n * p, sizeof *made.unit);
    made.move = mem_alloc((n + 1) * p * p, sizeof *made.move);
    made.pace = mem_alloc(p, sizeof *made.pace);
    made.work = mem_alloc(n, sizeof *made.work);
    made.least = mem_alloc(n + 1, sizeof *made.least);
    made.cores = mem_alloc(p, sizeof *made.cores);
    bool places = desc->transfer == AMOGET_BUFFERED;
    made.take = places ? mem_alloc(p, sizeof *made.take) : NULL;
    if (!made.unit || !made.move || !made.pace || !made.work || !made.least || !made.cores ||
        (places && !made.take)) {
        costs_free(&made);
        return error_memory(err);
    }
    fill(&made, desc);
    *costs = made;
    return PEPA_OK;
}

void costs_free(Costs *costs)
{
    mem_free(costs->unit);
    mem_free(costs->move);
    mem_free(costs->take);
    mem_free(costs->pace);
    mem_free(costs->work);
    mem_free(costs->least);
    mem_free(costs->cores);
    *costs = (Costs){0};
}

void costs_durations(const Costs *p, const int32_t *mapping, double *seconds)
{
    int32_t n = p->stages;
    seconds[0] = costs_move(p, 0, 0, mapping[0]);
    for (int32_t i = 0; i < n; i++) {
        int32_t j = mapping[i];
        seconds[2 * i + 1] =
            costs_unit(p, i, j) * costs_stretch(p, j, mapping_count(mapping, n, j));
        seconds[2 * i + 2] = costs_move(p, i + 1, j, i + 1 < n ? mapping[i + 1] : 0);
    }
    for (int32_t i = 1; i < n && p->take; i++)
        seconds[2 * n + i] = p->take[mapping[i]];
}
