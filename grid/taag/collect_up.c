/* Messages up a tree: combined, or gathered. */

#include "base/mem.h"
#include "grid/taag/collect.h"

/* ---- combined ------------------------------------------------------------------------------- */

enum { WINDOW = 16 }; /* at most: 1 MB, some 36 ms at 30 MB/s */

typedef struct {
    const Plan *plan;
    Tree tree;
    MPI_Datatype type;
    MPI_Op op;
    int count, each, segments; /* elements in all, in a segment */
    int window;                /* segments of each child on their way */
    Elements arrived;          /* by child, `window` segments each */
    MPI_Request *arrives, *sends;
} Combining;

static int length_of(const Combining *c, int segment)
{
    int left = c->count - segment * c->each;
    return left < c->each ? left : c->each;
}

static void *slot_of(const Combining *c, int child, int segment)
{
    int64_t slot = (int64_t)child * c->window + segment % c->window;
    return (void *)(uintptr_t)element_at(c->arrived.at, slot * c->each, c->type);
}

static int expect_segment(Combining *c, int child, int segment)
{
    if (segment >= c->segments)
        return MPI_SUCCESS;
    return MPI_Irecv(slot_of(c, child, segment), length_of(c, segment), c->type,
                     c->tree.child[child], TAG_UP, c->plan->comm,
                     &c->arrives[child * c->window + segment % c->window]);
}

static int combine_segment(Combining *c, void *buffer, int segment)
{
    void *at = (void *)(uintptr_t)element_at(buffer, (int64_t)segment * c->each, c->type);
    int code = MPI_SUCCESS;
    for (int k = 0; k < c->tree.count && code == MPI_SUCCESS; k++) {
        code = await_all(1, &c->arrives[k * c->window + segment % c->window]);
        if (code == MPI_SUCCESS)
            code =
                MPI_Reduce_local(slot_of(c, k, segment), at, length_of(c, segment), c->type, c->op);
        if (code == MPI_SUCCESS)
            code = expect_segment(c, k, segment + c->window);
    }
    if (code == MPI_SUCCESS && c->tree.parent >= 0)
        code = MPI_Isend(at, length_of(c, segment), c->type, c->tree.parent, TAG_UP, c->plan->comm,
                         &c->sends[segment]);
    return code;
}

static int combine_all(Combining *c, void *buffer)
{
    int code = MPI_SUCCESS;
    for (int i = 0; i < c->segments; i++)
        c->sends[i] = MPI_REQUEST_NULL;
    for (int i = 0; i < c->window; i++)
        for (int k = 0; k < c->tree.count && code == MPI_SUCCESS; k++)
            code = expect_segment(c, k, i);
    for (int i = 0; i < c->segments && code == MPI_SUCCESS; i++)
        code = combine_segment(c, buffer, i);
    return code == MPI_SUCCESS ? await_all(c->segments, c->sends) : code;
}

/* All processes have the same count and type: segments are of whole elements. */
int combine_up(const Plan *plan, int root, void *buffer, int count, MPI_Datatype type, MPI_Op op)
{
    Combining c = {.plan = plan, .type = type, .op = op, .count = count, .each = count};
    int size, code = MPI_Type_size(type, &size);
    if (code != MPI_SUCCESS || count == 0)
        return code;
    int64_t bytes = (int64_t)size * count;
    if (bytes > LONG) {
        int64_t each = bytes / MOST_SEGMENTS + 1;
        each = (each < SEGMENT ? SEGMENT : each) / size;
        c.each = each < 1 ? 1 : each < count ? (int)each : count;
    }
    c.segments = (count + c.each - 1) / c.each;
    if (tree_of(plan, root, bytes > LONG ? LONG_FAN : SHORT_FAN, plan->rank, &c.tree))
        return MPI_ERR_NO_MEM;
    c.window = c.segments < WINDOW ? c.segments : WINDOW;
    if (elements_new(&c.arrived, (int64_t)c.tree.count * c.window * c.each, type) ||
        !mem_new(c.arrives, c.tree.count * c.window + 1) || !mem_new(c.sends, c.segments))
        code = MPI_ERR_NO_MEM;
    else
        code = combine_all(&c, buffer);
    elements_free(&c.arrived);
    mem_free_all(c.tree.child, c.arrives, c.sends);
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

/* Sizes of the subtrees of the children; their sum and one more.  -1: out of memory. */
static int list_subtrees(const Plan *plan, int root, int fan, const Tree *tree, int *list,
                         int *sizes)
{
    int count = 1;
    list[0] = plan->rank;
    for (int k = 0; k < tree->count; k++) {
        sizes[k] = tree_list(plan, root, fan, tree->child[k], list + count);
        if (sizes[k] < 0)
            return -1;
        count += sizes[k];
    }
    return count;
}

int gather_up(const Plan *plan, const void *sendbuf, int sendcount, MPI_Datatype sendtype,
              void *recvbuf, int recvcount, MPI_Datatype recvtype, int root)
{
    Tree tree;
    MPI_Request *requests = NULL;
    int *list = NULL, *sizes = NULL, code = MPI_ERR_NO_MEM, fan = SHORT_FAN, all = -1;
    if (tree_of(plan, root, fan, plan->rank, &tree))
        return MPI_ERR_NO_MEM;
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
