/* What a run says of its parts and of what went wrong. */
#include <stdarg.h>
#include <stdio.h>

#include "grid/run.h"

Words run_unit_words(const Run *run, int32_t unit)
{
    Words words;
    int32_t stages = run->pipeline->stage_count;
    const char *name = unit > 0 && unit <= stages ? run->pipeline->stages[unit - 1].name : NULL;
    if (unit == 0 || unit > stages)
        (void)snprintf(words.text, sizeof words.text, unit == 0 ? "the source" : "the sink");
    else if (name)
        (void)snprintf(words.text, sizeof words.text, "stage %d `%.40s`", unit, name);
    else
        (void)snprintf(words.text, sizeof words.text, "stage %d", unit);
    return words;
}

Words run_process_words(const Run *run, int32_t process)
{
    Words words;
    size_t room = sizeof words.text, used = 0;
    int32_t units = 0, told = 0;
    used +=
        (size_t)snprintf(words.text, room, "rank %d on %.40s", process, run->peer[process].host);
    for (int32_t u = 0; u < run->units; u++)
        units += run->place[u] == process;
    for (int32_t u = 0; u < run->units && used < room; u++) {
        if (run->place[u] != process)
            continue;
        const char *between = told == 0 ? ", with " : told == units - 1 ? " and " : ", ";
        used += (size_t)snprintf(words.text + used, room - used, "%s%s", between,
                                 run_unit_words(run, u).text);
        told++;
    }
    return words;
}

/* ---- errors ------------------------------------------------------------------------------- */

int run_fail(Run *run, int code, const char *format, ...)
{
    GridError *error = &run->ending.error;
    va_list arguments;
    if (error->code != GRID_OK)
        return -1;
    error->code = code;
    va_start(arguments, format);
    (void)vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return -1;
}

int run_wire_failed(Run *run)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (run->wire.code == GRID_ENOMEM)
        return run_fail(run, GRID_ENOMEM, "out of memory on rank %d", run->wire.rank);
    if (run->wire.code == GRID_EARG)
        return run_fail(run, GRID_EARG, "an item or a stage of 2 GB or more cannot be sent");
    (void)MPI_Error_string(run->wire.mpi_code, text, &length);
    return run_fail(run, GRID_EMPI, "MPI failed on rank %d: %.180s", run->wire.rank, text);
}
