/* The arrays behind a description, and what moves and processing take by them. */
#include "amoget/description/description.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"

/* ---- the whole ---------------------------------------------------------------------------- */

AmogetDescription *description_new(void)
{
    AmogetDescription *desc = mem_alloc(1, sizeof *desc);
    if (!desc)
        return NULL;
    *desc = (AmogetDescription){.machine = machine_new(),
                                .input = AMOGET_NOWHERE,
                                .output_to = AMOGET_NOWHERE};
    if (desc->machine)
        return desc;
    mem_free(desc);
    return NULL;
}

void amoget_free(AmogetDescription *desc)
{
    if (!desc)
        return;
    amoget_machine_free(desc->machine);
    intern_free(&desc->stage_names);
    mem_free(desc->mappings);
    mem_free(desc);
}

bool description_add_stage(AmogetDescription *desc, const char *name)
{
    assert(desc->stages < MOST_STAGES && desc->mapping_count == 0);
    if (intern_put(&desc->stage_names, name, strlen(name)) < 0)
        return false;
    desc->phases[desc->stages] = 1;
    desc->work[desc->stages++] = 1;
    desc->output[desc->stages] = 0;
    return true;
}

/* ---- durations ---------------------------------------------------------------------------- */

double move_seconds(const AmogetDescription *desc, int32_t move, int32_t a, int32_t b)
{
    assert(a >= 0 || b >= 0);
    size_t at = machine_pair(desc->machine, a >= 0 ? a : b, b >= 0 ? b : a);
    return desc->machine->latency.value[at] +
           desc->output[move] / desc->machine->bandwidth.value[at];
}

double take_seconds(const AmogetDescription *desc, int32_t j)
{
    return desc->machine->latency.value[machine_pair(desc->machine, j, j)];
}

double process_seconds(const AmogetDescription *desc, int32_t stage, int32_t j, int32_t there)
{
    bool stretched = desc->sharing == AMOGET_STATIC && there > desc->machine->cores[j];
    double share = stretched ? (double)there / desc->machine->cores[j] : 1;
    return desc->machine->time[j] * desc->work[stage] / desc->machine->availability[j] * share;
}

static PepaStatus missing(const AmogetDescription *desc, int32_t a, int32_t b, PepaError *err)
{
    const char *const *names = desc->machine->names.names;
    if (a == b)
        return error_set(err, PEPA_EMODEL, "no latency within processor `%s`", names[a]);
    return error_set(err, PEPA_EMODEL, "no latency between processors `%s` and `%s`", names[a],
                     names[b]);
}

bool mapping_lacks(const AmogetDescription *desc, const int32_t *mapping, int32_t *a, int32_t *b)
{
    int32_t n = desc->stages;
    for (int32_t move = 0; move <= n; move++) {
        int32_t from = move > 0 ? mapping[move - 1] : desc->input;
        int32_t to = move < n ? mapping[move] : desc->output_to;
        *a = from >= 0 ? from : to;
        *b = to >= 0 ? to : from;
        if (isnan(desc->machine->latency.value[machine_pair(desc->machine, *a, *b)]))
            return true;
    }
    for (int32_t i = 1; i < n && desc->transfer == AMOGET_BUFFERED; i++) {
        *a = *b = mapping[i];
        if (isnan(take_seconds(desc, mapping[i])))
            return true;
    }
    return false;
}

bool description_lacks(const AmogetDescription *desc, int32_t *a, int32_t *b)
{
    if (desc->stages == 1) {
        for (int32_t j = 0; j < desc->machine->processors; j++)
            if (mapping_lacks(desc, &j, a, b))
                return true;
        return false;
    }
    /* With two stages, every two processors can be neighbours in some mapping. */
    for (*a = 0; *a < desc->machine->processors; ++*a)
        for (*b = *a; *b < desc->machine->processors; ++*b)
            if (isnan(desc->machine->latency.value[machine_pair(desc->machine, *a, *b)]))
                return true;
    return false;
}

PepaStatus description_complete(const AmogetDescription *desc, const int32_t *mapping,
                                PepaError *err)
{
    int32_t a, b;
    if (desc->stages == 0 || desc->machine->processors == 0)
        return error_set(err, PEPA_EMODEL, "the description has no %s",
                         desc->stages == 0 ? "stages" : "processors");
    if (mapping ? mapping_lacks(desc, mapping, &a, &b) : description_lacks(desc, &a, &b))
        return missing(desc, a, b, err);
    return PEPA_OK;
}
