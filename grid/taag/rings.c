/* Long messages in parts.  Scattering and rings send as many bytes through the busiest link as any
 * way can, but for a factor of two, without depending on how a network divides its bandwidth between
 * messages that are under way, as pipelines do.
 *
 * Source: Barnett, Littlefield, Payne, van de Geijn, Global combine on mesh architectures with wormhole
 * routing, 1993 (scatter and collect on rings); the clusters are added here. */
#include "grid/taag/rings.h"

#include "base/mem.h"

/* A part for each process of the largest cluster takes at least this many bytes, about what is in
 * flight on a near link; several parts each, so that clusters of other sizes are loaded evenly. */
enum { LEAST_PART = 2 << 10, PARTS_EACH = 4, MOST_PARTS = 1024 };

static int largest_cluster(const Plan *plan)
{
    int most = 0;
    for (int c = 0; c < plan->clusters; c++)
        if (plan_cluster_size(plan, c) > most)
            most = plan_cluster_size(plan, c);
    return most;
}

int parts_suit(const Plan *plan, int64_t bytes)
{
    return bytes > LONG && bytes >= (int64_t)LEAST_PART * largest_cluster(plan);
}

Parts parts_one(const Plan *plan, int64_t count, MPI_Datatype type)
{
    return (Parts){plan, -1, 1, count, count, type};
}

Parts parts_of(const Plan *plan, int root, int64_t count, MPI_Datatype type)
{
    int64_t parts = (int64_t)PARTS_EACH * largest_cluster(plan), least = count / INT32_MAX + 1;
    if (parts > MOST_PARTS)
        parts = MOST_PARTS;
    if (parts < least) /* the length of a part is an int */
        parts = least;
    int64_t each = (count + parts - 1) / parts;
    return (Parts){plan, root, (int)((count + each - 1) / each), count, each, type};
}

/* ---- ways ----------------------------------------------------------------------------------- */

typedef struct {
    int parent; /* -1: none */
    int count, *child;
} Way;

static int has_root(const Parts *p, int cluster)
{
    return p->root >= 0 && p->plan->cluster_of[p->root] == cluster;
}

static int ring_size(const Parts *p, int cluster)
{
    return plan_cluster_size(p->plan, cluster) - has_root(p, cluster);
}

/* Member `index` of a ring: the members of the cluster, ascending, without the root. */
static int ring_member(const Parts *p, int cluster, int index)
{
    int rank = p->plan->member[p->plan->start[cluster] + index];
    return has_root(p, cluster) && rank >= p->root
               ? p->plan->member[p->plan->start[cluster] + index + 1]
               : rank;
}

/* The root stands for the ring that has no others. */
static int entry_of(const Parts *p, int cluster, int part)
{
    int size = ring_size(p, cluster);
    return size == 0 ? p->root : ring_member(p, cluster, part % size);
}

static int ring_index(const Parts *p, int cluster)
{
    int index = 0;
    while (ring_member(p, cluster, index) != p->plan->rank)
        index++;
    return index;
}

/* `index`: of this process in its ring, which the root does not need. */
static void way_of(const Parts *p, int index, int part, Way *way)
{
    int own = p->plan->cluster_of[p->plan->rank], size = ring_size(p, own), at = 0;
    way->parent = -1;
    way->count = 0;
    if (p->plan->rank == p->root && size > 0) {
        way->child[way->count++] = entry_of(p, own, part);
        return;
    }
    if (p->plan->rank != p->root) {
        at = (index - part % size + size) % size;
        if (at > 0)
            way->parent = ring_member(p, own, (index + size - 1) % size);
        else if (p->root >= 0)
            way->parent =
                has_root(p, own) ? p->root : entry_of(p, p->plan->cluster_of[p->root], part);
        if (at + 1 < size)
            way->child[way->count++] = ring_member(p, own, (index + 1) % size);
    }
    for (int c = 0; c < p->plan->clusters && at == 0 && has_root(p, own); c++)
        if (c != own)
            way->child[way->count++] = entry_of(p, c, part);
}

static int length_of(const Parts *p, int part)
{
    int64_t left = p->count - part * p->each;
    return (int)(left < p->each ? left : p->each);
}

static void *part_at(const Parts *p, const void *buffer, int part)
{
    return (void *)(uintptr_t)element_at(buffer, part * p->each, p->type);
}

/* ---- requests ------------------------------------------------------------------------------- */

/* Transfers of parts.  Those that arrive are first, and end one by one. */
typedef struct {
    const Parts *parts;
    int index; /* in the ring */
    Way way;   /* of the part at hand */
    int *children, *left;
    int *first; /* first arrival of each part */
    int *part;  /* of an arrival */
    int arriving, sending;
    MPI_Request *arrive, *send;
    int *done;
} Transfer;

static void transfer_end(Transfer *t)
{
    mem_free_all(t->way.child, t->children, t->left, t->first, t->part, t->arrive, t->send,
                 t->done);
}

static int transfer_begin(Transfer *t, const Parts *p)
{
    int64_t most = (int64_t)p->parts * (p->plan->clusters + 1);
    *t = (Transfer){.parts = p};
    if (p->plan->rank != p->root)
        t->index = ring_index(p, p->plan->cluster_of[p->plan->rank]);
    if (mem_new(t->way.child, p->plan->clusters + 1) && mem_new_zeroed(t->children, p->parts) &&
        mem_new(t->left, p->parts) && mem_new(t->first, p->parts) && mem_new(t->part, most) &&
        mem_new(t->arrive, most) && mem_new(t->send, most) && mem_new(t->done, most))
        return MPI_SUCCESS;
    return MPI_ERR_NO_MEM;
}

static int arrives(Transfer *t, void *at, int part, int from)
{
    t->part[t->arriving] = part;
    return MPI_Irecv(at, length_of(t->parts, part), t->parts->type, from, TAG_PART + part,
                     t->parts->plan->comm, &t->arrive[t->arriving++]);
}

static int leaves(Transfer *t, const void *at, int part, int to)
{
    return MPI_Isend(at, length_of(t->parts, part), t->parts->type, to, TAG_PART + part,
                     t->parts->plan->comm, &t->send[t->sending++]);
}

/* `next` is called for each arrival's part, in any order, until all have arrived and all sends have
 * ended. */
static int run(Transfer *t, void *buffer, MPI_Op op,
               int (*next)(Transfer *, void *, int part, MPI_Op))
{
    int code = MPI_SUCCESS, arrived = 0;
    for (int rest = t->arriving; rest > 0 && code == MPI_SUCCESS; rest -= arrived) {
        code = await_some(t->arriving, t->arrive, &arrived, t->done);
        for (int i = 0; i < arrived && code == MPI_SUCCESS; i++)
            code = next(t, buffer, t->part[t->done[i]], op);
    }
    return code == MPI_SUCCESS ? await_all(t->sending, t->send) : code;
}

/* ---- down ----------------------------------------------------------------------------------- */

static int pass_on(Transfer *t, void *buffer, int part, MPI_Op op)
{
    int code = MPI_SUCCESS;
    (void)op;
    way_of(t->parts, t->index, part, &t->way);
    for (int k = 0; k < t->way.count && code == MPI_SUCCESS; k++)
        code = leaves(t, part_at(t->parts, buffer, part), part, t->way.child[k]);
    return code;
}

int parts_down(const Parts *p, void *buffer)
{
    Transfer t;
    int code = transfer_begin(&t, p);
    for (int part = 0; part < p->parts && code == MPI_SUCCESS; part++) {
        way_of(p, t.index, part, &t.way);
        code = t.way.parent < 0 ? pass_on(&t, buffer, part, MPI_OP_NULL)
                                : arrives(&t, part_at(p, buffer, part), part, t.way.parent);
    }
    if (code == MPI_SUCCESS)
        code = run(&t, buffer, MPI_OP_NULL, pass_on);
    transfer_end(&t);
    return code;
}

/* ---- up ------------------------------------------------------------------------------------- */

/* A part is combined when those of all children are there: rounding does not depend on who comes
 * first. */
typedef struct {
    Transfer transfer; /* first: `next` gets its address */
    Elements arrived;  /* `each` for each arrival */
} Combining;

static int combine(Transfer *t, void *buffer, int part, MPI_Op op)
{
    const Combining *c = (const Combining *)t;
    const Parts *p = t->parts;
    void *at = part_at(p, buffer, part);
    int code = MPI_SUCCESS;
    if (t->left[part] > 0 && --t->left[part] > 0)
        return MPI_SUCCESS;
    for (int k = 0; k < t->children[part] && code == MPI_SUCCESS; k++)
        code = MPI_Reduce_local(part_at(p, c->arrived.at, t->first[part] + k), at,
                                length_of(p, part), p->type, op);
    way_of(p, t->index, part, &t->way);
    if (code == MPI_SUCCESS && t->way.parent >= 0)
        code = leaves(t, at, part, t->way.parent);
    return code;
}

static int combine_all(Combining *c, void *buffer, MPI_Op op)
{
    Transfer *t = &c->transfer;
    const Parts *p = t->parts;
    int code = MPI_SUCCESS, all = 0;
    for (int part = 0; part < p->parts; part++) {
        way_of(p, t->index, part, &t->way);
        t->children[part] = t->left[part] = t->way.count;
        t->first[part] = all;
        all += t->way.count;
    }
    if (elements_new(&c->arrived, all * p->each, p->type))
        return MPI_ERR_NO_MEM;
    for (int part = 0; part < p->parts && code == MPI_SUCCESS; part++) {
        way_of(p, t->index, part, &t->way);
        for (int k = 0; k < t->way.count && code == MPI_SUCCESS; k++)
            code = arrives(t, part_at(p, c->arrived.at, t->arriving), part, t->way.child[k]);
    }
    for (int part = 0; part < p->parts && code == MPI_SUCCESS; part++)
        if (t->children[part] == 0)
            code = combine(t, buffer, part, op);
    return code == MPI_SUCCESS ? run(t, buffer, op, combine) : code;
}

int parts_up(const Parts *p, void *buffer, MPI_Op op)
{
    Combining c = {.arrived = {NULL, NULL}};
    int code = transfer_begin(&c.transfer, p);
    if (code == MPI_SUCCESS)
        code = combine_all(&c, buffer, op);
    elements_free(&c.arrived);
    transfer_end(&c.transfer);
    return code;
}

/* ---- across --------------------------------------------------------------------------------- */

/* The blocks of a part, one of each cluster, follow each other without gaps. */
static int trade_part(Transfer *t, const void *buffer, void *blocks, int part)
{
    const Parts *p = t->parts;
    int own = p->plan->cluster_of[p->plan->rank], length = length_of(p, part);
    const void *mine = part_at(p, buffer, part);
    int code = elements_copy(p->plan, mine, length, p->type,
                             (void *)(uintptr_t)element_at(blocks, (int64_t)own * length, p->type),
                             length, p->type);
    for (int c = 0; c < p->plan->clusters && code == MPI_SUCCESS; c++)
        if (c != own)
            code = arrives(t, (void *)(uintptr_t)element_at(blocks, (int64_t)c * length, p->type),
                           part, entry_of(p, c, part));
    for (int c = 0; c < p->plan->clusters && code == MPI_SUCCESS; c++)
        if (c != own)
            code = leaves(t, mine, part, entry_of(p, c, part));
    return code;
}

static int trade(Transfer *t, void *buffer, const Elements *blocks, MPI_Op op)
{
    const Parts *p = t->parts;
    int code = MPI_SUCCESS, own = p->plan->cluster_of[p->plan->rank];
    for (int step = 0; step < 2 && code == MPI_SUCCESS; step++) {
        int64_t at = 0;
        for (int part = 0; part < p->parts && code == MPI_SUCCESS; part++) {
            int length = length_of(p, part);
            void *these = (void *)(uintptr_t)element_at(blocks->at, at, p->type);
            if (entry_of(p, own, part) != p->plan->rank)
                continue;
            code = step == 0 ? trade_part(t, buffer, these, part)
                             : fold(p->plan, these, p->plan->clusters, part_at(p, buffer, part),
                                    length, p->type, op);
            at += (int64_t)length * p->plan->clusters;
        }
        if (step == 0 && code == MPI_SUCCESS)
            code = await_all(t->arriving, t->arrive);
        if (step == 0 && code == MPI_SUCCESS)
            code = await_all(t->sending, t->send);
    }
    return code;
}

int parts_across(const Parts *p, void *buffer, MPI_Op op)
{
    Transfer t;
    Elements blocks = {NULL, NULL};
    int64_t mine = 0;
    int code = transfer_begin(&t, p);
    for (int part = 0; part < p->parts && code == MPI_SUCCESS; part++)
        if (entry_of(p, p->plan->cluster_of[p->plan->rank], part) == p->plan->rank)
            mine += length_of(p, part);
    if (code == MPI_SUCCESS && mine > 0)
        code = elements_new(&blocks, mine * p->plan->clusters, p->type)
                   ? MPI_ERR_NO_MEM
                   : trade(&t, buffer, &blocks, op);
    elements_free(&blocks);
    transfer_end(&t);
    return code;
}
