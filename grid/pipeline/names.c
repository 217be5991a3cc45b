/* What messages call units and processes. */
#include <stdio.h>

#include "grid/pipeline/run.h"

UnitName unit_name(const Run *run, int32_t unit)
{
    UnitName name;
    int32_t stages = run->pipeline->stage_count;
    const char *given = unit > 0 && unit <= stages ? run->pipeline->stages[unit - 1].name : NULL;
    if (unit == 0 || unit > stages)
        (void)snprintf(name.text, sizeof name.text, unit == 0 ? "the source" : "the sink");
    else if (given)
        (void)snprintf(name.text, sizeof name.text, "stage %d `%.40s`", unit, given);
    else
        (void)snprintf(name.text, sizeof name.text, "stage %d", unit);
    return name;
}

void units_of_process(const void *self, int32_t process, char *out, size_t size)
{
    const Run *run = self;
    size_t used = 0;
    int32_t units = 0, named = 0;
    out[0] = '\0';
    for (int32_t u = 0; u < run->units; u++)
        units += run->place[u] == process;
    for (int32_t u = 0; u < run->units && used < size; u++) {
        if (run->place[u] != process)
            continue;
        const char *between = named == 0 ? ", with " : named == units - 1 ? " and " : ", ";
        used += (size_t)snprintf(out + used, size - used, "%s%s", between, unit_name(run, u).text);
        named++;
    }
}
