/* Descriptions without a text: checked steps, and the durations that follow from them. */
#include <string.h>

#include "amoget/description/description.h"
#include "amoget/syntax/quantity.h"

/* ---- building ----------------------------------------------------------------------------- */

PepaStatus amoget_new(AmogetDescription **out, PepaError *err)
{
    if (!out)
        return error_null(err, "amoget_new");
    AmogetDescription *desc = description_new();
    if (!desc)
        return error_memory(err);
    *out = desc;
    return PEPA_OK;
}

PepaStatus amoget_add_stage(AmogetDescription *desc, const char *name, PepaError *err)
{
    if (!desc || !name)
        return error_null(err, "amoget_add_stage");
    PepaStatus status = check_name(&desc->stage_names, "stage", name, err);
    if (status != PEPA_OK)
        return status;
    if (desc->mapping_count > 0)
        return error_set(err, PEPA_EARG, "stage `%s` comes behind a mapping: stages come first",
                         name);
    if (desc->stages == MOST_STAGES)
        return error_set(err, PEPA_ELIMIT, "more than %d stages", MOST_STAGES);
    return description_add_stage(desc, name) ? PEPA_OK : error_memory(err);
}

static PepaStatus check_mapping(const AmogetDescription *desc, const int32_t *mapping,
                                PepaError *err)
{
    if (desc->stages == 0)
        return error_set(err, PEPA_EARG, "a mapping, but there are no stages");
    PepaStatus status = PEPA_OK;
    for (int32_t i = 0; i < desc->stages && status == PEPA_OK; i++)
        status = check_index(mapping[i], desc->machine->processors, "processor", err);
    return status;
}

PepaStatus amoget_add_mapping(AmogetDescription *desc, const int32_t *mapping, PepaError *err)
{
    if (!desc || !mapping)
        return error_null(err, "amoget_add_mapping");
    PepaStatus status = check_mapping(desc, mapping, err);
    if (status != PEPA_OK)
        return status;
    size_t stages = (size_t)desc->stages, at = desc->mapping_count * stages;
    if (!mem_reserve(&desc->mappings, &desc->mapping_cap, at + stages, sizeof *desc->mappings))
        return error_memory(err);
    memcpy(&desc->mappings[at], mapping, stages * sizeof *mapping);
    desc->mapping_count++;
    return PEPA_OK;
}

/* ---- stages ------------------------------------------------------------------------------- */

PepaStatus amoget_set_work(AmogetDescription *desc, int32_t stage, double units, PepaError *err)
{
    if (!desc)
        return error_null(err, "amoget_set_work");
    PepaStatus status = check_index(stage, desc->stages, "stage", err);
    if (status == PEPA_OK)
        status = check_number(units, "a work", err);
    if (status == PEPA_OK)
        desc->work[stage] = units;
    return status;
}

PepaStatus amoget_set_output(AmogetDescription *desc, int32_t stage, double bytes, PepaError *err)
{
    if (!desc)
        return error_null(err, "amoget_set_output");
    PepaStatus status = PEPA_OK;
    if (stage != AMOGET_NOWHERE)
        status = check_index(stage, desc->stages, "stage", err);
    if (status == PEPA_OK && !(bytes >= 0 && bytes <= MOST_NUMBER))
        status =
            error_set(err, PEPA_EARG, "a size of %g: it must be from 0 to %g", bytes, MOST_NUMBER);
    if (status == PEPA_OK)
        desc->output[stage + 1] = bytes;
    return status;
}

PepaStatus amoget_set_phases(AmogetDescription *desc, int32_t stage, int32_t phases, PepaError *err)
{
    if (!desc)
        return error_null(err, "amoget_set_phases");
    PepaStatus status = check_index(stage, desc->stages, "stage", err);
    if (status == PEPA_OK && (phases < 1 || phases > MOST_PHASES))
        status = error_set(err, PEPA_EARG, "%d phases: 1 to %d are possible", phases, MOST_PHASES);
    if (status == PEPA_OK)
        desc->phases[stage] = phases;
    return status;
}

PepaStatus amoget_set_sharing(AmogetDescription *desc, AmogetSharing sharing, PepaError *err)
{
    if (!desc)
        return error_null(err, "amoget_set_sharing");
    if (sharing != AMOGET_STATIC && sharing != AMOGET_SERIAL)
        return error_set(err, PEPA_EARG, "no such sharing: %d", (int)sharing);
    desc->sharing = sharing;
    return PEPA_OK;
}

PepaStatus amoget_set_transfer(AmogetDescription *desc, AmogetTransfer transfer, PepaError *err)
{
    if (!desc)
        return error_null(err, "amoget_set_transfer");
    if (transfer != AMOGET_RENDEZVOUS && transfer != AMOGET_BUFFERED)
        return error_set(err, PEPA_EARG, "no such transfer: %d", (int)transfer);
    desc->transfer = transfer;
    return PEPA_OK;
}

/* ---- where the data starts and ends --------------------------------------------------------- */

PepaStatus amoget_set_ends(AmogetDescription *desc, int32_t input, int32_t output, PepaError *err)
{
    if (!desc)
        return error_null(err, "amoget_set_ends");
    PepaStatus status = PEPA_OK;
    if (input != AMOGET_NOWHERE)
        status = check_index(input, desc->machine->processors, "processor", err);
    if (status == PEPA_OK && output != AMOGET_NOWHERE)
        status = check_index(output, desc->machine->processors, "processor", err);
    if (status != PEPA_OK)
        return status;
    desc->input = input;
    desc->output_to = output;
    return PEPA_OK;
}

/* ---- durations ---------------------------------------------------------------------------- */

PepaStatus amoget_durations(const AmogetDescription *desc, const int32_t *mapping, double *seconds,
                            PepaError *err)
{
    if (!desc || !mapping || !seconds)
        return error_null(err, "amoget_durations");
    PepaStatus status = check_mapping(desc, mapping, err);
    if (status == PEPA_OK)
        status = description_complete(desc, mapping, err);
    if (status != PEPA_OK)
        return status;
    int32_t n = desc->stages;
    for (int32_t i = 0; i <= n; i++)
        seconds[2 * i] = move_seconds(desc, i, i > 0 ? mapping[i - 1] : desc->input,
                                      i < n ? mapping[i] : desc->output_to);
    for (int32_t i = 0; i < n; i++) {
        int32_t there = 0;
        for (int32_t k = 0; k < n; k++)
            there += mapping[k] == mapping[i];
        seconds[2 * i + 1] = process_seconds(desc, i, mapping[i], there);
    }
    for (int32_t k = 2 * n + 1; k < amoget_activity_count(desc); k++)
        seconds[k] = take_seconds(desc, mapping[k - 2 * n]);
    return PEPA_OK;
}
