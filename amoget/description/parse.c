/* Descriptions from text. */
#include "amoget/description/check.h"

PepaStatus amoget_parse(AmogetDescription **out, const char *name, const char *text, size_t length,
                        const AmogetReading *how, PepaError *err)
{
    const char *function = "amoget_parse";
    if (!out)
        return error_null(err, function);
    AmogetDescription *desc = description_new();
    if (!desc)
        return error_memory(err);
    PipelineCheck own = {.desc = desc};
    const Extension pipeline = {&own, pipeline_check, pipeline_define, pipeline_complete};
    PepaStatus status =
        machine_read(desc->machine, &pipeline, function, name, text, length, how, err);
    if (status == PEPA_OK)
        *out = desc;
    else
        amoget_free(desc);
    return status;
}
