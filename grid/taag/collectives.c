/* Broadcast, reduction, gathering and barrier: within the clusters, and between them. */
#include "base/mem.h"
#include "grid/taag/parts.h"

/* ---- arguments ------------------------------------------------------------------------------ */

static int begin(const char *call, MPI_Comm comm, int root, Plan **plan)
{
    int status = plan_of(call, comm, plan);
    if (!status && (root < 0 || root >= (*plan)->size))
        return taag_fail(call, TAAG_ERR_RANK, "root %d is not in 0 .. %d", root, (*plan)->size - 1);
    return status;
}

/* Blocks of all processes go into one message at most. */
static int check_blocks(const char *call, const Plan *plan, int count)
{
    if ((int64_t)count * plan->size > INT32_MAX)
        return taag_fail(call, TAAG_ERR_COUNT,
                         "%d elements of each of %d processes are more than "
                         "2^31 - 1",
                         count, plan->size);
    return TAAG_SUCCESS;
}

static int is_plain(void)
{
    return taag_context()->mode == TAAG_PLAIN;
}

int TAAG_Collectives(int mode)
{
    const Mapping *m;
    int status = taag_begin(__func__, "", &m);
    if (status)
        return status;
    if (mode != TAAG_CLUSTERS && mode != TAAG_PLAIN)
        return taag_fail(__func__, TAAG_ERR_ARG, "mode %d is neither TAAG_CLUSTERS nor TAAG_PLAIN",
                         mode);
    taag_context()->mode = mode;
    return TAAG_SUCCESS;
}

/* ---- broadcast, gathering ------------------------------------------------------------------- */

/* Long messages go as bytes, since types can differ between processes: the buffer's own where they
 * are in order and without gaps, else a copy. */
static int broadcast_long(const Plan *plan, int root, void *buffer, int count, MPI_Datatype type,
                          int64_t size)
{
    Parts parts = parts_of(plan, root, size, MPI_BYTE);
    int position = 0, code = MPI_SUCCESS;
    if (is_gapless(type))
        return parts_down(&parts, buffer);
    char *bytes = mem_alloc((size_t)size, 1);
    if (!bytes)
        return MPI_ERR_NO_MEM;
    if (plan->rank == root)
        code = MPI_Pack(buffer, count, type, bytes, (int)size, &position, plan->comm);
    if (code == MPI_SUCCESS)
        code = parts_down(&parts, bytes);
    if (code == MPI_SUCCESS && plan->rank != root)
        code = MPI_Unpack(bytes, (int)size, &position, buffer, count, type, plan->comm);
    mem_free(bytes);
    return code;
}

static int broadcast(const Plan *plan, int root, void *buffer, int count, MPI_Datatype type)
{
    int each, code = MPI_Type_size(type, &each);
    int64_t size = (int64_t)each * count;
    if (code != MPI_SUCCESS)
        return code;
    /* MPI packs 2^31 - 1 bytes at most */
    return parts_suit(plan, size) && (size <= INT32_MAX || is_gapless(type))
               ? broadcast_long(plan, root, buffer, count, type, size)
               : send_down(plan, root, buffer, count, type);
}

int TAAG_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    Plan *plan;
    int status = begin(__func__, comm, root, &plan);
    if (status || (status = collect_check_buffer(__func__, buffer, count, type)))
        return status;
    return collect_ended(__func__, is_plain() ? MPI_Bcast(buffer, count, type, root, plan->comm)
                                              : broadcast(plan, root, buffer, count, type));
}

int TAAG_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    Plan *plan;
    int status = begin(__func__, comm, root, &plan), here = 0;
    if (status)
        return status;
    here = sendbuf == MPI_IN_PLACE && plan->rank == root;
    if ((!here && (status = collect_check_buffer(__func__, sendbuf, sendcount, sendtype))) ||
        (plan->rank == root &&
         (status = collect_check_buffer(__func__, recvbuf, recvcount, recvtype))) ||
        (status = check_blocks(__func__, plan, plan->rank == root ? recvcount : sendcount)))
        return status;
    return collect_ended(__func__, is_plain() ? MPI_Gather(sendbuf, sendcount, sendtype, recvbuf,
                                                           recvcount, recvtype, root, plan->comm)
                                              : gather_up(plan, sendbuf, sendcount, sendtype,
                                                          recvbuf, recvcount, recvtype, root));
}

/* ---- reduction ------------------------------------------------------------------------------ */

/* Any operation, in the order of ranks: gathered first. */
static int reduce_in_order(const Plan *plan, const void *sendbuf, void *recvbuf, int count,
                           MPI_Datatype type, MPI_Op op, int root)
{
    Elements blocks = {NULL, NULL};
    const void *mine = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    if (plan->rank == root && elements_new(&blocks, (int64_t)plan->size * count, type))
        return MPI_ERR_NO_MEM;
    int code = gather_up(plan, mine, count, type, blocks.at, count, type, root);
    if (code == MPI_SUCCESS && plan->rank == root)
        code = elements_fold(plan, blocks.at, plan->size, recvbuf, count, type, op);
    elements_free(&blocks);
    return code;
}

static int reduce_trees(const Plan *plan, const void *sendbuf, void *recvbuf, int count,
                        MPI_Datatype type, MPI_Op op, int root)
{
    Elements mine = {NULL, NULL};
    void *at = recvbuf;
    int size, code = MPI_Type_size(type, &size);
    if (code != MPI_SUCCESS)
        return code;
    int is_long = parts_suit(plan, (int64_t)size * count);
    Parts parts = parts_of(plan, root, count, type);
    if (plan->rank != root) {
        if (elements_new(&mine, count, type))
            return MPI_ERR_NO_MEM;
        at = mine.at;
    }
    if (sendbuf != MPI_IN_PLACE)
        code = elements_copy(plan, sendbuf, count, type, at, count, type);
    if (code == MPI_SUCCESS)
        code = is_long ? parts_up(&parts, at, op) : combine_up(plan, root, at, count, type, op);
    elements_free(&mine);
    return code;
}

static int reduce(const Plan *plan, const void *sendbuf, void *recvbuf, int count,
                  MPI_Datatype type, MPI_Op op, int root)
{
    int commutes, code = MPI_Op_commutative(op, &commutes);
    if (code != MPI_SUCCESS || count == 0)
        return code;
    return commutes ? reduce_trees(plan, sendbuf, recvbuf, count, type, op, root)
                    : reduce_in_order(plan, sendbuf, recvbuf, count, type, op, root);
}

static int is_predefined(MPI_Op op)
{
    const MPI_Op each[] = {MPI_MAX, MPI_MIN, MPI_SUM,  MPI_PROD, MPI_LAND,   MPI_BAND,
                           MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
    size_t i = 0;
    while (i < sizeof each / sizeof *each && each[i] != op)
        i++;
    return i < sizeof each / sizeof *each;
}

/* MPI alone knows which types its operations take (MPI 3.1, 5.9.2); what it says of no elements at all is the
 * same on all processes, before any message. */
static int takes(MPI_Op op, MPI_Datatype type)
{
    MPI_Errhandler world, self;
    int nothing = 0;
    if (!is_predefined(op))
        return 1;
    (void)MPI_Comm_get_errhandler(MPI_COMM_WORLD, &world);
    (void)MPI_Comm_get_errhandler(MPI_COMM_SELF, &self);
    (void)MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    (void)MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    const int code = MPI_Reduce_local(&nothing, &nothing, 0, type, op);
    (void)MPI_Comm_set_errhandler(MPI_COMM_WORLD, world);
    (void)MPI_Comm_set_errhandler(MPI_COMM_SELF, self);
    (void)MPI_Errhandler_free(&world);
    (void)MPI_Errhandler_free(&self);
    return code == MPI_SUCCESS;
}

/* `receives`: this process gets the result. */
static int check_reduce(const char *call, const Plan *plan, const void *sendbuf,
                        const void *recvbuf, int receives, int count, MPI_Datatype type, MPI_Op op)
{
    int commutes = 1, status = collect_check(call, count, type);
    if (!status && sendbuf != MPI_IN_PLACE)
        status = collect_check_buffer(call, sendbuf, count, type);
    if (!status && receives)
        status = collect_check_buffer(call, recvbuf, count, type);
    if (status)
        return status;
    if (op == MPI_OP_NULL)
        return taag_fail(call, TAAG_ERR_ARG, "the operation is MPI_OP_NULL");
    if (op == MPI_REPLACE || op == MPI_NO_OP) /* MPI 3.1, 11.3.4 */
        return taag_fail(call, TAAG_ERR_ARG, "the operation is for windows only");
    if (!takes(op, type))
        return taag_fail(call, TAAG_ERR_ARG, "the operation is not defined for the datatype");
    (void)MPI_Op_commutative(op, &commutes);
    return commutes ? TAAG_SUCCESS : check_blocks(call, plan, count);
}

int TAAG_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
                int root, MPI_Comm comm)
{
    Plan *plan;
    int status = begin(__func__, comm, root, &plan);
    if (status || (status = check_reduce(__func__, plan, sendbuf, recvbuf, plan->rank == root,
                                         count, type, op)))
        return status;
    if (sendbuf == MPI_IN_PLACE && plan->rank != root)
        return taag_fail(__func__, TAAG_ERR_ARG, "MPI_IN_PLACE is allowed at the root only");
    return collect_ended(__func__,
                         is_plain()
                             ? MPI_Reduce(sendbuf, recvbuf, count, type, op, root, plan->comm)
                             : reduce(plan, sendbuf, recvbuf, count, type, op, root));
}

/* Up within each cluster, across, and down again. */
static int allreduce_clusters(const Plan *plan, void *buffer, int count, MPI_Datatype type,
                              MPI_Op op)
{
    int size, code = MPI_Type_size(type, &size);
    if (code != MPI_SUCCESS)
        return code;
    int is_long = parts_suit(plan, (int64_t)size * count);
    Parts parts = is_long ? parts_of(plan, -1, count, type) : parts_one(plan, count, type);
    code = is_long ? parts_up(&parts, buffer, op) : combine_up(plan, -1, buffer, count, type, op);
    if (code == MPI_SUCCESS && plan->clusters > 1)
        code = parts_across(&parts, buffer, op);
    if (code != MPI_SUCCESS)
        return code;
    return is_long ? parts_down(&parts, buffer) : send_down(plan, -1, buffer, count, type);
}

static int allreduce(const Plan *plan, const void *sendbuf, void *recvbuf, int count,
                     MPI_Datatype type, MPI_Op op)
{
    int commutes, code = MPI_Op_commutative(op, &commutes);
    if (code != MPI_SUCCESS || count == 0)
        return code;
    if (!commutes) {
        code = reduce_in_order(plan, sendbuf, recvbuf, count, type, op, 0);
        return code == MPI_SUCCESS ? broadcast(plan, 0, recvbuf, count, type) : code;
    }
    if (sendbuf != MPI_IN_PLACE)
        code = elements_copy(plan, sendbuf, count, type, recvbuf, count, type);
    return code == MPI_SUCCESS ? allreduce_clusters(plan, recvbuf, count, type, op) : code;
}

int TAAG_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm)
{
    Plan *plan;
    int status = begin(__func__, comm, 0, &plan);
    if (status || (status = check_reduce(__func__, plan, sendbuf, recvbuf, 1, count, type, op)))
        return status;
    return collect_ended(__func__,
                         is_plain() ? MPI_Allreduce(sendbuf, recvbuf, count, type, op, plan->comm)
                                    : allreduce(plan, sendbuf, recvbuf, count, type, op));
}

/* A barrier tells nothing but that all are here: a reduction of one byte. */
int TAAG_Barrier(MPI_Comm comm)
{
    Plan *plan;
    char here = 0, all = 0;
    int status = begin(__func__, comm, 0, &plan);
    if (status)
        return status;
    return collect_ended(__func__, is_plain()
                                       ? MPI_Barrier(plan->comm)
                                       : allreduce(plan, &here, &all, 1, MPI_SIGNED_CHAR, MPI_BOR));
}
