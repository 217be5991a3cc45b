/* What the collectives share. */
#include "grid/taag/collect.h"

#include <math.h>

#include "base/mem.h"
#include "grid/core/clock.h"

int await_all(int count, MPI_Request *requests)
{
    Backoff backoff;
    backoff_reset_in_turn(&backoff);
    for (;;) {
        int done = 0, code = MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);
        if (code != MPI_SUCCESS || done)
            return code;
        backoff_wait(&backoff, HUGE_VAL);
    }
}

int await_some(int count, MPI_Request *requests, int *ended, int *which)
{
    Backoff backoff;
    backoff_reset_in_turn(&backoff);
    for (;;) {
        int code = MPI_Testsome(count, requests, ended, which, MPI_STATUSES_IGNORE);
        if (code != MPI_SUCCESS || *ended != 0)
            return code;
        backoff_wait(&backoff, HUGE_VAL);
    }
}

int collect_check(const char *call, int count, MPI_Datatype type)
{
    if (count < 0)
        return taag_fail(call, TAAG_ERR_COUNT, "the count %d is negative", count);
    if (type == MPI_DATATYPE_NULL)
        return taag_fail(call, TAAG_ERR_ARG, "the datatype is MPI_DATATYPE_NULL");
    return TAAG_SUCCESS;
}

/* MPI_BOTTOM can be NULL: then the type has addresses, which are not 0. */
static int is_missing(const void *buffer, MPI_Datatype type)
{
    MPI_Aint low, extent;
    return !buffer && MPI_Type_get_true_extent(type, &low, &extent) == MPI_SUCCESS && low == 0 &&
           extent > 0;
}

int collect_check_buffer(const char *call, const void *buffer, int count, MPI_Datatype type)
{
    int status = collect_check(call, count, type);
    if (status || count == 0)
        return status;
    if (buffer == MPI_IN_PLACE)
        return taag_fail(call, TAAG_ERR_ARG, "MPI_IN_PLACE is not allowed for this buffer");
    if (is_missing(buffer, type))
        return taag_fail(call, TAAG_ERR_ARG, "a buffer is NULL");
    return TAAG_SUCCESS;
}

int collect_ended(const char *call, int code)
{
    return code == MPI_SUCCESS ? TAAG_SUCCESS : taag_mpi_failed(call, code);
}

/* ---- elements ------------------------------------------------------------------------------- */

/* An element may begin before its address and end behind its extent. */
int elements_new(Elements *out, int64_t count, MPI_Datatype type)
{
    MPI_Aint low, extent, true_low, true_extent;
    *out = (Elements){NULL, NULL};
    if (MPI_Type_get_extent(type, &low, &extent) != MPI_SUCCESS ||
        MPI_Type_get_true_extent(type, &true_low, &true_extent) != MPI_SUCCESS)
        return -1;
    MPI_Aint stride = extent < 0 ? -extent : extent, reach = stride * (count > 0 ? count - 1 : 0);
    if (stride > 0 && count > PTRDIFF_MAX / stride)
        return -1;
    out->block = mem_calloc((size_t)(reach + true_extent) + 1, 1);
    if (!out->block)
        return -1;
    out->at = (char *)out->block - true_low + (extent < 0 ? reach : 0);
    return 0;
}

void elements_free(Elements *elements)
{
    mem_free(elements->block);
}

const void *element_at(const void *buffer, int64_t index, MPI_Datatype type)
{
    MPI_Aint low, extent = 0;
    (void)MPI_Type_get_extent(type, &low, &extent);
    return (const char *)buffer + index * extent;
}

int is_gapless(MPI_Datatype type)
{
    int integers, addresses, types, combiner = 0, size = 0;
    MPI_Aint low, extent;
    return MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
           MPI_Type_size(type, &size) == MPI_SUCCESS &&
           MPI_Type_get_extent(type, &low, &extent) == MPI_SUCCESS &&
           combiner == MPI_COMBINER_NAMED && extent == size;
}

int elements_copy(const Plan *plan, const void *from, int from_count, MPI_Datatype from_type,
                  void *to, int to_count, MPI_Datatype to_type)
{
    int size = 0, end = 0, at = 0;
    int code = MPI_Pack_size(from_count, from_type, plan->comm, &size);
    if (code != MPI_SUCCESS)
        return code;
    char *packed = mem_alloc((size_t)size + 1, 1);
    if (!packed)
        return MPI_ERR_NO_MEM;
    code = MPI_Pack(from, from_count, from_type, packed, size, &end, plan->comm);
    if (code == MPI_SUCCESS)
        code = MPI_Unpack(packed, end, &at, to, to_count, to_type, plan->comm);
    mem_free(packed);
    return code;
}

/* ---- reduction of what is here -------------------------------------------------------------- */

int elements_fold(const Plan *plan, const void *blocks, int number, void *out, int count,
                  MPI_Datatype type, MPI_Op op)
{
    const void *last = element_at(blocks, (int64_t)(number - 1) * count, type);
    int code = elements_copy(plan, last, count, type, out, count, type);
    for (int i = number - 2; i >= 0 && code == MPI_SUCCESS; i--)
        code = MPI_Reduce_local(element_at(blocks, (int64_t)i * count, type), out, count, type, op);
    return code;
}

/* ---- down ----------------------------------------------------------------------------------- */

int send_down(const Plan *plan, int root, void *buffer, int count, MPI_Datatype type)
{
    Tree tree;
    MPI_Request *sends = NULL, arrives = MPI_REQUEST_NULL;
    int code = MPI_SUCCESS;
    if (tree_of(plan, root, FAN, plan->rank, &tree) || !mem_new(sends, tree.count + 1)) {
        mem_free(tree.child);
        return MPI_ERR_NO_MEM;
    }
    if (tree.parent >= 0)
        code = MPI_Irecv(buffer, count, type, tree.parent, TAG_DOWN, plan->comm, &arrives);
    if (code == MPI_SUCCESS)
        code = await_all(1, &arrives);
    for (int k = 0; k < tree.count && code == MPI_SUCCESS; k++)
        code = MPI_Isend(buffer, count, type, tree.child[k], TAG_DOWN, plan->comm, &sends[k]);
    if (code == MPI_SUCCESS)
        code = await_all(tree.count, sends);
    mem_free_all(sends, tree.child);
    return code;
}
