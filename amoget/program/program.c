/* Programs, as copies of what callers fill in. */
#include "amoget/program/kind.h"
#include "amoget/program/program.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"

const char *amoget_program_kind(AmogetProgramKind kind)
{
    return kind_name(kind);
}

/* What only a caller can get wrong, not who writes a description. */
static PepaStatus check_form(const AmogetProgram *from, PepaError *err)
{
    if (!*kind_name(from->kind))
        return error_set(err, PEPA_EARG, "there is no kind %d of programs", (int)from->kind);
    if (from->group_count < 0 || from->edge_count < 0)
        return error_set(err, PEPA_EARG, "a number of groups or edges is negative");
    if ((from->group_count > 0 && !from->sizes) || (from->edge_count > 0 && !from->edges))
        return error_set(err, PEPA_EARG, "sizes or edges are NULL, but there are some");
    return PEPA_OK;
}

PepaStatus amoget_program_new(AmogetProgram **out, const AmogetProgram *from, PepaError *err)
{
    char why[PROGRAM_WHY];
    int32_t index;
    if (!out || !from)
        return error_null(err, "amoget_program_new");
    const PepaStatus form = check_form(from, err);
    if (form != PEPA_OK)
        return form;
    ProgramFault fault = program_fault(from, &index, why);
    if (fault == PROGRAM_MEMORY)
        return error_memory(err);
    if (fault != PROGRAM_NONE)
        return error_set(err, PEPA_EARG, "%s", why);
    AmogetProgram *copy;
    if (!mem_new_zeroed(copy, 1))
        return error_memory(err);
    *copy = *from;
    copy->sizes = NULL;
    copy->edges = NULL;
    if (!mem_new(copy->sizes, from->group_count) || !mem_new(copy->edges, from->edge_count)) {
        amoget_program_free(copy);
        return error_memory(err);
    }
    if (from->group_count > 0)
        memcpy(copy->sizes, from->sizes, (size_t)from->group_count * sizeof *copy->sizes);
    if (from->edge_count > 0)
        memcpy(copy->edges, from->edges, (size_t)from->edge_count * sizeof *copy->edges);
    *out = copy;
    return PEPA_OK;
}

void amoget_program_free(AmogetProgram *program)
{
    if (!program)
        return;
    mem_free_all(program->sizes, program->edges);
    mem_free(program);
}
