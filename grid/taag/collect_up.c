/* Messages up a tree: combined, or gathered. */

#include "base/mem.h"
#include "grid/taag/collect.h"

/* ---- combined ------------------------------------------------------------------------------- */

static void *block_of(const Elements *blocks, int64_t index, int count, MPI_Datatype type)
{
    return (void *)(uintptr_t)element_at(blocks->at, index * count, type);
}

/* In the order of children, so that rounding does not depend on who comes first. */
int combine_up(const Plan *plan, int root, void *buffer, int count, MPI_Datatype type, MPI_Op op)
{
    Tree tree;
    Elements arrived = {NULL, NULL};
    MPI_Request *requests = NULL;
    int code = MPI_SUCCESS;
    if (tree_of(plan, root, FAN, plan->rank, &tree) || !mem_new(requests, tree.count + 1) ||
        elements_new(&arrived, (int64_t)tree.count * count, type))
        code = MPI_ERR_NO_MEM;
    for (int k = 0; k < tree.count && code == MPI_SUCCESS; k++)
        code = MPI_Irecv(block_of(&arrived, k, count, type), count, type, tree.child[k], TAG_UP,
                         plan->comm, &requests[k]);
    if (code == MPI_SUCCESS)
        code = await_all(tree.count, requests);
    for (int k = 0; k < tree.count && code == MPI_SUCCESS; k++)
        code = MPI_Reduce_local(block_of(&arrived, k, count, type), buffer, count, type, op);
    if (code == MPI_SUCCESS && tree.parent >= 0)
        code = MPI_Isend(buffer, count, type, tree.parent, TAG_UP, plan->comm, requests);
    if (code == MPI_SUCCESS && tree.parent >= 0)
        code = await_all(1, requests);
    elements_free(&arrived);
    mem_free_all(tree.child, requests);
    return code;
}

/* ---- gathered ------------------------------------------------------------------------------- */

/* Blocks of `count` elements at these places, as one datatype. */
static int blocks_at(int blocks, const int *places, int count, MPI_Datatype type, MPI_Datatype *out)
{
    int *at, code;
    if (!mem_new(at, blocks))
        return MPI_ERR_NO_MEM;
    for (int i = 0; i < blocks; i++)
        at[i] = places[i] * count;
    code = MPI_Type_create_indexed_block(blocks, count, at, type, out);
    if (code == MPI_SUCCESS)
        code = MPI_Type_commit(out);
    mem_free(at);
    return code;
}

/* The root's receives go where the blocks belong: `list` has the ranks of each child's subtree. */
static int gather_root(const Plan *plan, const Tree *tree, const int *list, const int *sizes,
                       void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Request *requests)
{
    int code = MPI_SUCCESS;
    for (int k = 0, at = 1; k < tree->count && code == MPI_SUCCESS; at += sizes[k], k++) {
        MPI_Datatype blocks;
        code = blocks_at(sizes[k], list + at, recvcount, recvtype, &blocks);
        if (code != MPI_SUCCESS)
            break;
        code = MPI_Irecv(recvbuf, 1, blocks, tree->child[k], TAG_UP, plan->comm, &requests[k]);
        (void)MPI_Type_free(&blocks);
    }
    return code == MPI_SUCCESS ? await_all(tree->count, requests) : code;
}

/* Others put the blocks of their subtree into one buffer, in the order of tree_list. */
static int gather_inner(const Plan *plan, const Tree *tree, const int *sizes, int all,
                        const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                        MPI_Request *requests)
{
    Elements whole;
    if (elements_new(&whole, (int64_t)all * sendcount, sendtype))
        return MPI_ERR_NO_MEM;
    int code = elements_copy(plan, sendbuf, sendcount, sendtype, whole.at, sendcount, sendtype);
    for (int k = 0, at = 1; k < tree->count && code == MPI_SUCCESS; at += sizes[k], k++)
        code = MPI_Irecv((void *)(uintptr_t)element_at(whole.at, (int64_t)at * sendcount, sendtype),
                         sizes[k] * sendcount, sendtype, tree->child[k], TAG_UP, plan->comm,
                         &requests[k]);
    if (code == MPI_SUCCESS)
        code = await_all(tree->count, requests);
    if (code == MPI_SUCCESS)
        code = MPI_Isend(whole.at, all * sendcount, sendtype, tree->parent, TAG_UP, plan->comm,
                         requests);
    if (code == MPI_SUCCESS)
        code = await_all(1, requests);
    elements_free(&whole);
    return code;
}

/* Sizes of the subtrees of the children (one process each without `fan`); their sum and one more.
 * -1: out of memory. */
static int list_subtrees(const Plan *plan, int root, int fan, const Tree *tree, int *list,
                         int *sizes)
{
    int count = 1;
    list[0] = plan->rank;
    for (int k = 0; k < tree->count; k++) {
        if (fan)
            sizes[k] = tree_list(plan, root, fan, tree->child[k], list + count);
        else {
            sizes[k] = 1;
            list[count] = tree->child[k];
        }
        if (sizes[k] < 0)
            return -1;
        count += sizes[k];
    }
    return count;
}

/* Long blocks go straight to the root, whose link is the limit. */
static int tree_of_one_level(const Plan *plan, int root, Tree *out)
{
    *out = (Tree){.parent = plan->rank == root ? -1 : root};
    if (!mem_new(out->child, plan->size))
        return -1;
    for (int i = 0; i < plan->size && plan->rank == root; i++)
        if (i != root)
            out->child[out->count++] = i;
    return 0;
}

int gather_up(const Plan *plan, const void *sendbuf, int sendcount, MPI_Datatype sendtype,
              void *recvbuf, int recvcount, MPI_Datatype recvtype, int root)
{
    Tree tree;
    MPI_Request *requests = NULL;
    int *list = NULL, *sizes = NULL, all = -1, size;
    int at_root = plan->rank == root;
    int code = MPI_Type_size(at_root ? recvtype : sendtype, &size);
    if (code != MPI_SUCCESS)
        return code;
    int64_t block = (int64_t)size * (at_root ? recvcount : sendcount);
    int fan = block * plan->size > LONG ? 0 : FAN;
    if (fan ? tree_of(plan, root, fan, plan->rank, &tree) : tree_of_one_level(plan, root, &tree))
        return MPI_ERR_NO_MEM;
    code = MPI_ERR_NO_MEM;
    if (mem_new(list, plan->size) && mem_new(sizes, plan->size) &&
        mem_new(requests, tree.count + 1))
        all = list_subtrees(plan, root, fan, &tree, list, sizes);
    for (int k = 0; all >= 0 && k <= tree.count; k++)
        requests[k] = MPI_REQUEST_NULL;
    if (all >= 0 && plan->rank != root)
        code = gather_inner(plan, &tree, sizes, all, sendbuf, sendcount, sendtype, requests);
    else if (all >= 0) {
        code = MPI_SUCCESS;
        if (sendbuf != MPI_IN_PLACE)
            code = elements_copy(plan, sendbuf, sendcount, sendtype,
                                 (void *)(uintptr_t)element_at(recvbuf, (int64_t)root * recvcount,
                                                               recvtype),
                                 recvcount, recvtype);
        if (code == MPI_SUCCESS)
            code = gather_root(plan, &tree, list, sizes, recvbuf, recvcount, recvtype, requests);
    }
    mem_free_all(list, sizes, requests, tree.child);
    return code;
}
