/* What a description lacks, and defines of its stages. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "amoget/description/check.h"

/* For each listed mapping the first latency that it lacks, if no other one lacks it as well. */
static void check_listed(Check *check, const AmogetDescription *desc)
{
    Intern told = {0};
    size_t mapping = 0;
    for (size_t i = 0; i < check->tree->say_count && !check->no_memory; i++) {
        int32_t a, b;
        char key[32];
        if (check->tree->says[i].kind != SAY_MAPPING)
            continue;
        const int32_t *to = &desc->mappings[mapping++ * (size_t)desc->stages];
        if (!mapping_lacks(desc, to, &a, &b))
            continue;
        (void)snprintf(key, sizeof key, "%d %d", a < b ? a : b, a < b ? b : a);
        size_t before = told.count;
        if (intern_put(&told, key, strlen(key)) < 0)
            check->no_memory = true;
        if (told.count > before)
            check_missing(check, check->tree->says[i].span, a, b);
    }
    intern_free(&told);
}

/* For each processor the first latency that some mapping lacks, to those before it or within. */
static void check_every(Check *check, const AmogetDescription *desc)
{
    for (int32_t j = 0; j < desc->machine->processors; j++) {
        int32_t a = 0, b = j;
        bool lacks = false;
        if (desc->stages == 1)
            lacks = mapping_lacks(desc, &j, &a, &b);
        while (desc->stages > 1 && !lacks && a <= j) {
            lacks = isnan(amoget_latency(desc->machine, a, j));
            a += !lacks;
        }
        if (lacks)
            check_missing(check, check->processor[j]->span, a, b);
    }
}

static bool any_bandwidth(const AmogetMachine *machine)
{
    size_t capacity = (size_t)machine->capacity, count = (size_t)machine->processors;
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b <= a; b++)
            if (machine->bandwidth.level[a * capacity + b] != LEVEL_NONE)
                return true;
    return false;
}

/* Where the text first says that something is sent, or NULL. */
static const Say *sends(const Check *check, const PipelineCheck *own)
{
    const AmogetDescription *desc = own->desc;
    if (desc->output[0] > 0)
        return check->first[SAY_INPUT];
    for (int32_t i = 0; i < desc->stages; i++)
        if (desc->output[i + 1] > 0)
            return own->stage[i];
    return NULL;
}

void pipeline_complete(Check *check, void *owner)
{
    PipelineCheck *own = owner;
    Span nowhere = {SPAN_NOWHERE, SPAN_NOWHERE};
    const AmogetMachine *machine = check->machine;
    const Say *bandwidth = check->first[SAY_BANDWIDTH], *data = sends(check, own);
    if (own->desc->mapping_count > 0)
        check_listed(check, own->desc);
    else
        check_every(check, own->desc);
    if (data && check_default_within(machine, &machine->bandwidth))
        diag_warning(check->diags, bandwidth ? bandwidth->span : nowhere,
                     "the default bandwidth serves within processors as well; `bandwidth local "
                     "...;` gives moves within a processor their own");
    if (data && !any_bandwidth(machine))
        diag_warning(check->diags, data->span,
                     "data is sent, but no bandwidth is given: sizes do not matter");
}

PepaStatus pipeline_define(Check *check, void *owner, const AmogetDefine *define, const char *name,
                           Attribute attribute, double value, PepaError *err)
{
    AmogetDescription *desc = ((PipelineCheck *)owner)->desc;
    int32_t i = amoget_find_stage(desc, name);
    if (i < 0)
        return check_unknown(check, define, "stage", name, &desc->stage_names, err);
    if (attribute == ATTRIBUTE_WORK)
        desc->work[i] = value;
    else if (attribute == ATTRIBUTE_OUTPUT)
        desc->output[i + 1] = value;
    else
        desc->phases[i] = (int32_t)value;
    return PEPA_OK;
}
