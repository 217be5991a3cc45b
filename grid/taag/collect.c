/* What the collectives share. */
#include "grid/taag/collect.h"

#include <math.h>

#include "base/mem.h"
#include "grid/core/clock.h"

int await_all(int count, MPI_Request *requests)
{
    Backoff backoff;
    backoff_reset(&backoff);
    for (;;) {
        int done = 0, code = MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);
        if (code != MPI_SUCCESS || done)
            return code;
        backoff_wait(&backoff, HUGE_VAL);
    }
}

int collect_ended(const char *call, int code)
{
    if (code == MPI_ERR_NO_MEM)
        return taag_memory(call);
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

/* ---- down ----------------------------------------------------------------------------------- */

/* The bytes of a long message: the buffer's own where they are in order and without gaps, as of
 * MPI's own types; else a copy.  Types can differ between processes, bytes cannot. */
typedef struct {
    char *at;
    void *copy;
    int64_t size;
} Bytes;

static int is_plain(MPI_Datatype type)
{
    int integers, addresses, types, combiner = 0, size = 0;
    MPI_Aint low, extent;
    return MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
           MPI_Type_size(type, &size) == MPI_SUCCESS &&
           MPI_Type_get_extent(type, &low, &extent) == MPI_SUCCESS &&
           combiner == MPI_COMBINER_NAMED && extent == size;
}

static int bytes_begin(Bytes *bytes, const Plan *plan, void *buffer, int count, MPI_Datatype type,
                       int filled)
{
    int position = 0;
    if (is_plain(type)) {
        bytes->at = buffer;
        return MPI_SUCCESS;
    }
    bytes->at = bytes->copy = mem_alloc((size_t)bytes->size + 1, 1);
    if (!bytes->copy)
        return MPI_ERR_NO_MEM;
    return filled
               ? MPI_Pack(buffer, count, type, bytes->copy, (int)bytes->size, &position, plan->comm)
               : MPI_SUCCESS;
}

static int bytes_end(Bytes *bytes, const Plan *plan, void *buffer, int count, MPI_Datatype type,
                     int arrived)
{
    int position = 0, code = MPI_SUCCESS;
    if (bytes->copy && arrived)
        code =
            MPI_Unpack(bytes->copy, (int)bytes->size, &position, buffer, count, type, plan->comm);
    mem_free(bytes->copy);
    return code;
}

/* All receives are posted at once: segments follow each other without gaps, however far. */
static int pass_segments(const Plan *plan, const Tree *tree, const Bytes *bytes)
{
    int64_t each = bytes->size / MOST_SEGMENTS + 1;
    if (each < SEGMENT)
        each = SEGMENT;
    int segments = (int)((bytes->size + each - 1) / each), sent = 0, code = MPI_SUCCESS;
    MPI_Request *arrives, *sends = NULL;
    if (!mem_new(arrives, segments) || !mem_new(sends, (int64_t)segments * (tree->count + 1))) {
        mem_free_all(arrives, sends);
        return MPI_ERR_NO_MEM;
    }
    for (int i = 0; i < segments; i++)
        arrives[i] = MPI_REQUEST_NULL;
    for (int step = 0; step < 2; step++)
        for (int i = 0; i < segments && code == MPI_SUCCESS; i++) {
            int64_t from = i * each, left = bytes->size - from;
            int size = (int)(left < each ? left : each);
            char *at = bytes->at + from;
            if (step == 0 && tree->parent >= 0)
                code =
                    MPI_Irecv(at, size, MPI_BYTE, tree->parent, TAG_DOWN, plan->comm, &arrives[i]);
            if (step == 1)
                code = await_all(1, &arrives[i]);
            for (int k = 0; k < tree->count && step == 1 && code == MPI_SUCCESS; k++)
                code = MPI_Isend(at, size, MPI_BYTE, tree->child[k], TAG_DOWN, plan->comm,
                                 &sends[sent++]);
        }
    if (code == MPI_SUCCESS)
        code = await_all(sent, sends);
    mem_free_all(arrives, sends);
    return code;
}

static int pass_long(const Plan *plan, const Tree *tree, void *buffer, int count, MPI_Datatype type,
                     int64_t size)
{
    Bytes bytes = {.size = size};
    int code = bytes_begin(&bytes, plan, buffer, count, type, tree->parent < 0);
    if (code == MPI_SUCCESS)
        code = pass_segments(plan, tree, &bytes);
    int after =
        bytes_end(&bytes, plan, buffer, count, type, code == MPI_SUCCESS && tree->parent >= 0);
    return code == MPI_SUCCESS ? after : code;
}

static int pass_short(const Plan *plan, const Tree *tree, void *buffer, int count,
                      MPI_Datatype type)
{
    MPI_Request *sends, arrives = MPI_REQUEST_NULL;
    int code = MPI_SUCCESS;
    if (!mem_new(sends, tree->count + 1))
        return MPI_ERR_NO_MEM;
    if (tree->parent >= 0)
        code = MPI_Irecv(buffer, count, type, tree->parent, TAG_DOWN, plan->comm, &arrives);
    if (code == MPI_SUCCESS)
        code = await_all(1, &arrives);
    for (int k = 0; k < tree->count && code == MPI_SUCCESS; k++)
        code = MPI_Isend(buffer, count, type, tree->child[k], TAG_DOWN, plan->comm, &sends[k]);
    if (code == MPI_SUCCESS)
        code = await_all(tree->count, sends);
    mem_free(sends);
    return code;
}

int send_down(const Plan *plan, int root, void *buffer, int count, MPI_Datatype type)
{
    Tree tree;
    int each, code = MPI_Type_size(type, &each);
    int64_t size = (int64_t)each * count;
    if (code != MPI_SUCCESS)
        return code;
    if (tree_of(plan, root, size > LONG ? LONG_FAN : SHORT_FAN, plan->rank, &tree))
        return MPI_ERR_NO_MEM;
    if (size > LONG && (size <= INT32_MAX || is_plain(type)))
        code = pass_long(plan, &tree, buffer, count, type, size);
    else
        code = pass_short(plan, &tree, buffer, count, type);
    mem_free(tree.child);
    return code;
}
