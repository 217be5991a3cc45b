/* What a description tells about itself. */
#include <math.h>
#include <string.h>

#include "amoget/description/description.h"

/* ---- numbers ------------------------------------------------------------------------------ */

AmogetSharing amoget_sharing(const AmogetDescription *desc)
{
    return desc->sharing;
}

AmogetTransfer amoget_transfer(const AmogetDescription *desc)
{
    return desc->transfer;
}

double amoget_work(const AmogetDescription *desc, int32_t stage)
{
    return desc->work[stage];
}

double amoget_output(const AmogetDescription *desc, int32_t stage)
{
    return desc->output[stage + 1];
}

int32_t amoget_phases(const AmogetDescription *desc, int32_t stage)
{
    return desc->phases[stage];
}

double amoget_time(const AmogetDescription *desc, int32_t processor)
{
    return desc->time[processor];
}

double amoget_availability(const AmogetDescription *desc, int32_t processor)
{
    return desc->availability[processor];
}

int32_t amoget_cores(const AmogetDescription *desc, int32_t processor)
{
    return desc->cores[processor];
}

static double pair_value(const AmogetDescription *desc, const PairTable *table, int32_t a,
                         int32_t b)
{
    if (a >= 0)
        return table->value[(size_t)a * (size_t)desc->capacity + (size_t)b];
    return a == AMOGET_LOCAL && !isnan(table->local) ? table->local : table->every;
}

double amoget_latency(const AmogetDescription *desc, int32_t a, int32_t b)
{
    return pair_value(desc, &desc->latency, a, b);
}

double amoget_bandwidth(const AmogetDescription *desc, int32_t a, int32_t b)
{
    double value = pair_value(desc, &desc->bandwidth, a, b);
    return isnan(value) ? HUGE_VAL : value;
}

void amoget_ends(const AmogetDescription *desc, int32_t *input, int32_t *output)
{
    *input = desc->input;
    *output = desc->output_to;
}

/* ---- names and counts --------------------------------------------------------------------- */

int32_t amoget_activity_count(const AmogetDescription *desc)
{
    bool takes = desc->transfer == AMOGET_BUFFERED && desc->stages > 0;
    return 2 * desc->stages + 1 + (takes ? desc->stages - 1 : 0);
}

int32_t amoget_stage_count(const AmogetDescription *desc)
{
    return desc->stages;
}

int32_t amoget_processor_count(const AmogetDescription *desc)
{
    return desc->processors;
}

int64_t amoget_mapping_count(const AmogetDescription *desc)
{
    return (int64_t)desc->mapping_count;
}

const char *amoget_stage_name(const AmogetDescription *desc, int32_t stage)
{
    return desc->stage_names.names[stage];
}

const char *amoget_processor_name(const AmogetDescription *desc, int32_t processor)
{
    return desc->processor_names.names[processor];
}

const int32_t *amoget_mapping(const AmogetDescription *desc, int64_t mapping)
{
    return &desc->mappings[(size_t)mapping * (size_t)desc->stages];
}

int32_t amoget_find_stage(const AmogetDescription *desc, const char *name)
{
    return intern_find(&desc->stage_names, name, strlen(name));
}

int32_t amoget_find_processor(const AmogetDescription *desc, const char *name)
{
    return intern_find(&desc->processor_names, name, strlen(name));
}
