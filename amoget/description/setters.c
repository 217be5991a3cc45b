/* Descriptions without a text: checked steps, and the durations that follow from them. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "amoget/description/description.h"

/* ---- checks ------------------------------------------------------------------------------- */

static PepaStatus no_argument(PepaError *err, const char *function)
{
    return error_set(err, PEPA_EARG, "%s: an argument is NULL", function);
}

/* An identifier or an integer, as in descriptions. */
static bool is_name(const char *text)
{
    bool integer = isdigit((unsigned char)*text) != 0;
    if (!*text)
        return false;
    for (; *text; text++)
        if (!isdigit((unsigned char)*text) &&
            (integer || (!isalpha((unsigned char)*text) && *text != '_')))
            return false;
    return true;
}

static PepaStatus check_name(const Intern *names, const char *what, const char *name,
                             PepaError *err)
{
    if (!is_name(name))
        return error_set(err, PEPA_EARG, "`%s` cannot name a %s: names are identifiers or integers",
                         name, what);
    if (intern_find(names, name, strlen(name)) >= 0)
        return error_set(err, PEPA_EARG, "there is a %s `%s` already", what, name);
    return PEPA_OK;
}

static PepaStatus check_index(int32_t index, int32_t count, const char *what, PepaError *err)
{
    if (index >= 0 && index < count)
        return PEPA_OK;
    return error_set(err, PEPA_EARG, "no %s number %d: there are %d", what, index, count);
}

static PepaStatus check_number(double value, const char *what, PepaError *err)
{
    if (value >= LEAST_NUMBER && value <= MOST_NUMBER)
        return PEPA_OK;
    return error_set(err, PEPA_EARG, "%s of %g: it must be positive, from %g to %g", what, value,
                     LEAST_NUMBER, MOST_NUMBER);
}

/* ---- building ----------------------------------------------------------------------------- */

PepaStatus amoget_new(AmogetDescription **out, PepaError *err)
{
    if (!out)
        return no_argument(err, "amoget_new");
    AmogetDescription *desc = description_new();
    if (!desc)
        return error_memory(err);
    *out = desc;
    return PEPA_OK;
}

PepaStatus amoget_add_stage(AmogetDescription *desc, const char *name, PepaError *err)
{
    if (!desc || !name)
        return no_argument(err, "amoget_add_stage");
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

PepaStatus amoget_add_processor(AmogetDescription *desc, const char *name, double time,
                                PepaError *err)
{
    if (!desc || !name)
        return no_argument(err, "amoget_add_processor");
    PepaStatus status = check_name(&desc->processor_names, "processor", name, err);
    if (status == PEPA_OK)
        status = check_number(time, "a time", err);
    if (status != PEPA_OK)
        return status;
    if (desc->processors == MOST_PROCESSORS)
        return error_set(err, PEPA_ELIMIT, "more than %d processors", MOST_PROCESSORS);
    return description_add_processor(desc, name, time) ? PEPA_OK : error_memory(err);
}

static PepaStatus check_mapping(const AmogetDescription *desc, const int32_t *mapping,
                                PepaError *err)
{
    if (desc->stages == 0)
        return error_set(err, PEPA_EARG, "a mapping, but there are no stages");
    PepaStatus status = PEPA_OK;
    for (int32_t i = 0; i < desc->stages && status == PEPA_OK; i++)
        status = check_index(mapping[i], desc->processors, "processor", err);
    return status;
}

PepaStatus amoget_add_mapping(AmogetDescription *desc, const int32_t *mapping, PepaError *err)
{
    if (!desc || !mapping)
        return no_argument(err, "amoget_add_mapping");
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
        return no_argument(err, "amoget_set_work");
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
        return no_argument(err, "amoget_set_output");
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

/* ---- processors --------------------------------------------------------------------------- */

PepaStatus amoget_set_phases(AmogetDescription *desc, int32_t stage, int32_t phases, PepaError *err)
{
    if (!desc)
        return no_argument(err, "amoget_set_phases");
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
        return no_argument(err, "amoget_set_sharing");
    if (sharing != AMOGET_STATIC && sharing != AMOGET_SERIAL)
        return error_set(err, PEPA_EARG, "no such sharing: %d", (int)sharing);
    desc->sharing = sharing;
    return PEPA_OK;
}

PepaStatus amoget_set_transfer(AmogetDescription *desc, AmogetTransfer transfer, PepaError *err)
{
    if (!desc)
        return no_argument(err, "amoget_set_transfer");
    if (transfer != AMOGET_RENDEZVOUS && transfer != AMOGET_BUFFERED)
        return error_set(err, PEPA_EARG, "no such transfer: %d", (int)transfer);
    desc->transfer = transfer;
    return PEPA_OK;
}

PepaStatus amoget_set_time(AmogetDescription *desc, int32_t processor, double seconds,
                           PepaError *err)
{
    if (!desc)
        return no_argument(err, "amoget_set_time");
    PepaStatus status = check_index(processor, desc->processors, "processor", err);
    if (status == PEPA_OK)
        status = check_number(seconds, "a time", err);
    if (status == PEPA_OK)
        desc->time[processor] = seconds;
    return status;
}

PepaStatus amoget_set_availability(AmogetDescription *desc, int32_t processor, double share,
                                   PepaError *err)
{
    if (!desc)
        return no_argument(err, "amoget_set_availability");
    PepaStatus status = check_index(processor, desc->processors, "processor", err);
    if (status == PEPA_OK)
        status = check_number(share, "an availability", err);
    if (status == PEPA_OK && share > 1)
        status =
            error_set(err, PEPA_EARG, "an availability of %g: it is a share, at most 1", share);
    if (status == PEPA_OK)
        desc->availability[processor] = share;
    return status;
}

PepaStatus amoget_set_cores(AmogetDescription *desc, int32_t processor, int32_t cores,
                            PepaError *err)
{
    if (!desc)
        return no_argument(err, "amoget_set_cores");
    PepaStatus status = check_index(processor, desc->processors, "processor", err);
    if (status == PEPA_OK && cores < 1)
        status = error_set(err, PEPA_EARG, "%d cores: a processor has at least 1", cores);
    if (status == PEPA_OK)
        desc->cores[processor] = cores;
    return status;
}

/* ---- pairs -------------------------------------------------------------------------------- */

static PepaStatus set_pair(AmogetDescription *desc, PairTable *table, int32_t a, int32_t b,
                           double value, const char *what, PepaError *err)
{
    PepaStatus status = check_number(value, what, err);
    if (status != PEPA_OK && table == &desc->latency && value == 0)
        status = error_set(err, PEPA_EARG,
                           "a latency of 0: it must be positive; give a small one such as 1e-9, "
                           "since t seconds add at most t to the time per item");
    bool whole = a == b && (a == AMOGET_DEFAULT || a == AMOGET_LOCAL);
    if (status == PEPA_OK && !whole)
        status = check_index(a, desc->processors, "processor", err);
    if (status == PEPA_OK && !whole)
        status = check_index(b, desc->processors, "processor", err);
    if (status != PEPA_OK)
        return status;
    if (!whole)
        pair_set(table, desc->capacity, a, b, LEVEL_PAIR, value);
    else if (a == AMOGET_LOCAL)
        pair_set_local(table, desc->capacity, desc->processors, value);
    else
        pair_set_every(table, desc->capacity, desc->processors, value);
    return PEPA_OK;
}

PepaStatus amoget_set_latency(AmogetDescription *desc, int32_t a, int32_t b, double seconds,
                              PepaError *err)
{
    if (!desc)
        return no_argument(err, "amoget_set_latency");
    return set_pair(desc, &desc->latency, a, b, seconds, "a latency", err);
}

PepaStatus amoget_set_bandwidth(AmogetDescription *desc, int32_t a, int32_t b,
                                double bytes_per_second, PepaError *err)
{
    if (!desc)
        return no_argument(err, "amoget_set_bandwidth");
    return set_pair(desc, &desc->bandwidth, a, b, bytes_per_second, "a bandwidth", err);
}

PepaStatus amoget_set_ends(AmogetDescription *desc, int32_t input, int32_t output, PepaError *err)
{
    if (!desc)
        return no_argument(err, "amoget_set_ends");
    PepaStatus status = PEPA_OK;
    if (input != AMOGET_NOWHERE)
        status = check_index(input, desc->processors, "processor", err);
    if (status == PEPA_OK && output != AMOGET_NOWHERE)
        status = check_index(output, desc->processors, "processor", err);
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
        return no_argument(err, "amoget_durations");
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
