/* What the library knows, and its errors. */
#include "grid/taag/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

static Taag *context;

Taag *taag_context(void)
{
    if (!context)
        (void)mem_new_zeroed(context, 1);
    return context;
}

static const char *const text_of[] = {
    [TAAG_SUCCESS] = "no error",
    [TAAG_ERR_INIT] = "TAAG is not initialised: call TAAG_Init first",
    [TAAG_ERR_TWICE] = "TAAG_Init has been called already",
    [TAAG_ERR_NO_MPI] = "MPI is not initialised, or has been finalised",
    [TAAG_ERR_FILE] = "the mapping file cannot be read",
    [TAAG_ERR_MAPPING] = "the mapping file is wrong",
    [TAAG_ERR_DIFFER] = "mapping file or TAAG_COLLECTIVES differ between processes",
    [TAAG_ERR_SIZE] = "the mapping is for another number of processes",
    [TAAG_ERR_ARG] = "invalid argument",
    [TAAG_ERR_RANK] = "there is no process with this rank",
    [TAAG_ERR_GROUP] = "there is no group with this number",
    [TAAG_ERR_COUNT] = "a number is out of range",
    [TAAG_ERR_KIND] = "the schema is of another kind",
    [TAAG_ERR_WAY] = "no way leads from the one group to the other",
    [TAAG_ERR_COMM] = "TAAG does not know the processes of this communicator",
    [TAAG_ERR_MEMORY] = "out of memory",
    [TAAG_ERR_MPI] = "MPI failed",
};

const char *TAAG_Error_string(int code)
{
    int known = code >= 0 && code < (int)(sizeof text_of / sizeof *text_of);
    return known ? text_of[code] : "unknown error code";
}

const char *TAAG_Error_message(void)
{
    return context ? context->message : "";
}

int taag_fail(const char *call, int code, const char *format, ...)
{
    Taag *taag = taag_context();
    va_list arguments;
    if (!taag)
        return code;
    int length = snprintf(taag->message, sizeof taag->message, "%s: ", call);
    va_start(arguments, format);
    (void)vsnprintf(taag->message + length, sizeof taag->message - (size_t)length, format,
                    arguments);
    va_end(arguments);
    return code;
}

int taag_memory(const char *call)
{
    return taag_fail(call, TAAG_ERR_MEMORY, "out of memory");
}

int taag_mpi_failed(const char *call, int mpi_code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (mpi_code == MPI_ERR_NO_MEM)
        return taag_memory(call);
    int kind = mpi_code;
    (void)MPI_Error_class(mpi_code, &kind);
    if (kind == MPI_ERR_IN_STATUS || kind == MPI_ERR_TRUNCATE)
        return taag_fail(call, TAAG_ERR_MPI,
                         "a message is longer than this process expects: the counts and types that "
                         "processes give must agree");
    (void)MPI_Error_string(mpi_code, text, &length);
    return taag_fail(call, TAAG_ERR_MPI, "MPI failed: %.300s", text);
}

int taag_begin(const char *call, const void *result, const Mapping **mapping)
{
    if (!context || !context->mapping)
        return taag_fail(call, TAAG_ERR_INIT, "call TAAG_Init first");
    if (!result)
        return taag_fail(call, TAAG_ERR_ARG, "the pointer to the result is NULL");
    *mapping = context->mapping;
    return TAAG_SUCCESS;
}

int taag_check_rank(const char *call, int rank)
{
    int32_t count = context->mapping->process_count;
    if (rank >= 0 && rank < count)
        return TAAG_SUCCESS;
    return taag_fail(call, TAAG_ERR_RANK, "rank %d is not in 0 .. %d", rank, (int)count - 1);
}

int taag_check_group(const char *call, int group)
{
    int32_t count = context->mapping->group_count;
    if (group >= 0 && group < count)
        return TAAG_SUCCESS;
    return taag_fail(call, TAAG_ERR_GROUP, "group %d is not in 0 .. %d", group, (int)count - 1);
}

int taag_check_count(const char *call, int nr, int most, const void *array)
{
    if (nr < 0 || nr > most)
        return taag_fail(call, TAAG_ERR_COUNT, "%d entries are requested; there are %d", nr, most);
    if (nr > 0 && !array)
        return taag_fail(call, TAAG_ERR_ARG, "the array for %d entries is NULL", nr);
    return TAAG_SUCCESS;
}
