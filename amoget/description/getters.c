/* What a description tells about itself. */
#include <math.h>
#include <string.h>

#include "amoget/description/description.h"

AmogetMachine *amoget_machine(const AmogetDescription *desc)
{
    return desc->machine;
}

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

int64_t amoget_mapping_count(const AmogetDescription *desc)
{
    return (int64_t)desc->mapping_count;
}

const char *amoget_stage_name(const AmogetDescription *desc, int32_t stage)
{
    return desc->stage_names.names[stage];
}

const int32_t *amoget_mapping(const AmogetDescription *desc, int64_t mapping)
{
    return &desc->mappings[(size_t)mapping * (size_t)desc->stages];
}

int32_t amoget_find_stage(const AmogetDescription *desc, const char *name)
{
    return intern_find(&desc->stage_names, name, strlen(name));
}
