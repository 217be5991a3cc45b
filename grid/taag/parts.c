/* Long messages in parts.  A broadcast scatters them and collects them everywhere; a reduction
 * scatters the sums and collects them at the root; an allreduce does so within each cluster, and
 * exchanges the sums between clusters by the links of all processes.  Entries exchange parts with
 * all others of their cluster directly: one near latency, where rings would take one for each
 * process and trees send the whole message several times.
 *
 * Source: Thakur, Rabenseifner, Gropp, Optimization of collective communication operations in
 * MPICH, 2005 (scatter and allgather; reduce-scatter); the clusters are added here. */
#include "grid/taag/parts.h"

#include "base/mem.h"
#include "grid/taag/transfers.h"

/* Messages take a time of their own, however short: from so many bytes on a part for each process
 * of the largest cluster is quicker than a tree.  Several parts each: those that have arrived go on
 * while others arrive. */
enum { LEAST_PART = 256, LEAST = 4 << 10, PARTS_EACH = 4, MOST_PARTS = 1024 };

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
    return bytes >= LEAST && bytes >= (int64_t)LEAST_PART * largest_cluster(plan);
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
    return (Parts){plan, root, each ? (int)((count + each - 1) / each) : 0, count, each, type};
}

/* ---- ways ----------------------------------------------------------------------------------- */

static int has_root(const Parts *p, int cluster)
{
    return p->root >= 0 && p->plan->cluster_of[p->root] == cluster;
}

/* Entries of a cluster: its members, ascending, without the root. */
static int entry_count(const Parts *p, int cluster)
{
    return plan_cluster_size(p->plan, cluster) - has_root(p, cluster);
}

static int entry_number(const Parts *p, int cluster, int index)
{
    const int *member = p->plan->member + p->plan->start[cluster];
    return has_root(p, cluster) && member[index] >= p->root ? member[index + 1] : member[index];
}

/* The root stands for the entry where there is no other process. */
static int entry_of(const Parts *p, int cluster, int part)
{
    int count = entry_count(p, cluster);
    return count == 0 ? p->root : entry_number(p, cluster, part % count);
}

/* The process that sends a part to this one in a broadcast; -1: none. */
static int parent_of(const Parts *p, int part)
{
    const Plan *plan = p->plan;
    int own = plan->cluster_of[plan->rank], entry = entry_of(p, own, part);
    if (plan->rank == p->root)
        return -1;
    if (plan->rank != entry)
        return entry;
    if (p->root < 0)
        return -1;
    return has_root(p, own) ? p->root : entry_of(p, plan->cluster_of[p->root], part);
}

/* Those that this process sends it to: far ones first.  `child` has room for all.  How many. */
static int children_of(const Parts *p, int part, int *child)
{
    const Plan *plan = p->plan;
    int own = plan->cluster_of[plan->rank], size = entry_count(p, own), count = 0;
    if (plan->rank != entry_of(p, own, part)) {
        if (plan->rank == p->root)
            child[count++] = entry_of(p, own, part);
        return count;
    }
    for (int c = 0; c < plan->clusters && has_root(p, own); c++)
        if (c != own)
            child[count++] = entry_of(p, c, part);
    for (int i = 1; i < size; i++)
        child[count++] = entry_number(p, own, (part + i) % size);
    return count;
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

/* ---- what all three need -------------------------------------------------------------------- */

typedef struct {
    const Parts *parts;
    Transfers transfers;
    char *buffer;
    MPI_Op op;
    int *child;       /* of the part at hand */
    Elements arrived; /* up and across: blocks of parts */
    int *key;         /* up: of the part's first block; across: number of the part */
    int *missing;     /* up: children whose blocks have not arrived */
} Work;

static int begin(Work *w, const Parts *p, void *buffer, MPI_Op op)
{
    *w = (Work){.parts = p, .buffer = buffer, .op = op};
    transfers_begin(&w->transfers, p->plan, p->parts / PARTS_EACH);
    return mem_new(w->child, p->plan->clusters + p->plan->size) &&
                   mem_new(w->key, (int64_t)p->parts + 1) && mem_new(w->missing, p->parts)
               ? MPI_SUCCESS
               : MPI_ERR_NO_MEM;
}

static void end(Work *w)
{
    transfers_end(&w->transfers);
    elements_free(&w->arrived);
    mem_free_all(w->child, w->key, w->missing);
}

static int expect(Work *w, void *at, int part, int from, int key)
{
    return transfers_expect(&w->transfers, at, length_of(w->parts, part), w->parts->type, from,
                            TAG_PART + part, key);
}

static int send(Work *w, int part, int to)
{
    return transfers_send(&w->transfers, part_at(w->parts, w->buffer, part),
                          length_of(w->parts, part), w->parts->type, to, TAG_PART + part);
}

/* ---- down ----------------------------------------------------------------------------------- */

static int pass_on(void *context, int part)
{
    Work *w = context;
    int code = MPI_SUCCESS, count = children_of(w->parts, part, w->child);
    for (int k = 0; k < count && code == MPI_SUCCESS; k++)
        code = send(w, part, w->child[k]);
    return code;
}

int parts_down(const Parts *p, void *buffer)
{
    Work w;
    int code = begin(&w, p, buffer, MPI_OP_NULL);
    for (int part = 0; part < p->parts && code == MPI_SUCCESS; part++) {
        int parent = parent_of(p, part);
        code = parent < 0 ? pass_on(&w, part)
                          : expect(&w, part_at(p, buffer, part), part, parent, part);
    }
    if (code == MPI_SUCCESS)
        code = transfers_run(&w.transfers, &w, pass_on);
    end(&w);
    return code;
}

/* ---- up ------------------------------------------------------------------------------------- */

/* A part is combined when those of all children are there: rounding does not depend on who comes
 * first. */
static int combine(void *context, int part)
{
    Work *w = context;
    const Parts *p = w->parts;
    void *at = part_at(p, w->buffer, part);
    int code = MPI_SUCCESS, parent = parent_of(p, part), count = w->key[part + 1] - w->key[part];
    if (w->missing[part] > 0 && --w->missing[part] > 0)
        return MPI_SUCCESS;
    for (int k = 0; k < count && code == MPI_SUCCESS; k++)
        code = MPI_Reduce_local(part_at(p, w->arrived.at, w->key[part] + k), at, length_of(p, part),
                                p->type, w->op);
    return code == MPI_SUCCESS && parent >= 0 ? send(w, part, parent) : code;
}

static int expect_children(Work *w, int part)
{
    int code = MPI_SUCCESS, count = children_of(w->parts, part, w->child);
    w->missing[part] = count;
    for (int k = 0; k < count && code == MPI_SUCCESS; k++)
        code =
            expect(w, part_at(w->parts, w->arrived.at, w->key[part] + k), part, w->child[k], part);
    return code;
}

/* Each process begins with another entry, so that none of them has all messages at once. */
static int combine_all(Work *w)
{
    const Parts *p = w->parts;
    int code = MPI_SUCCESS, round = (p->parts + PARTS_EACH - 1) / PARTS_EACH;
    w->key[0] = 0;
    for (int part = 0; part < p->parts; part++)
        w->key[part + 1] = w->key[part] + children_of(p, part, w->child);
    if (elements_new(&w->arrived, w->key[p->parts] * p->each, p->type))
        return MPI_ERR_NO_MEM;
    for (int part = 0; part < p->parts && code == MPI_SUCCESS; part++)
        code = expect_children(w, part);
    for (int i = 0; i < round * PARTS_EACH && code == MPI_SUCCESS; i++) {
        int part = i / round * round + (i + p->plan->rank) % round;
        if (part < p->parts && w->missing[part] == 0)
            code = combine(w, part);
    }
    return code == MPI_SUCCESS ? transfers_run(&w->transfers, w, combine) : code;
}

int parts_up(const Parts *p, void *buffer, MPI_Op op)
{
    Work w;
    int code = begin(&w, p, buffer, op);
    if (code == MPI_SUCCESS)
        code = combine_all(&w);
    end(&w);
    return code;
}

/* ---- across --------------------------------------------------------------------------------- */

static int nothing(void *context, int key)
{
    (void)context, (void)key;
    return MPI_SUCCESS;
}

/* Block number c of part i of this process, which has length_of(part) elements. */
static void *block_at(const Work *w, int i, int cluster)
{
    const Parts *p = w->parts;
    int64_t at =
        (int64_t)i * p->plan->clusters * p->each + (int64_t)cluster * length_of(p, w->key[i]);
    return (void *)(uintptr_t)element_at(w->arrived.at, at, p->type);
}

static int trade_part(Work *w, int i)
{
    const Parts *p = w->parts;
    int own = p->plan->cluster_of[p->plan->rank], part = w->key[i], length = length_of(p, part);
    int code = elements_copy(p->plan, part_at(p, w->buffer, part), length, p->type,
                             block_at(w, i, own), length, p->type);
    for (int c = 0; c < p->plan->clusters && code == MPI_SUCCESS; c++)
        if (c != own)
            code = expect(w, block_at(w, i, c), part, entry_of(p, c, part), 0);
    for (int c = 0; c < p->plan->clusters && code == MPI_SUCCESS; c++)
        if (c != own)
            code = send(w, part, entry_of(p, c, part));
    return code;
}

static int trade(Work *w)
{
    const Parts *p = w->parts;
    int own = p->plan->cluster_of[p->plan->rank], code = MPI_SUCCESS, mine = 0;
    for (int part = 0; part < p->parts; part++)
        if (entry_of(p, own, part) == p->plan->rank)
            w->key[mine++] = part;
    if (elements_new(&w->arrived, (int64_t)mine * p->plan->clusters * p->each, p->type))
        return MPI_ERR_NO_MEM;
    for (int i = 0; i < mine && code == MPI_SUCCESS; i++)
        code = trade_part(w, i);
    if (code == MPI_SUCCESS)
        code = transfers_run(&w->transfers, w, nothing);
    for (int i = 0; i < mine && code == MPI_SUCCESS; i++)
        code = elements_fold(p->plan, block_at(w, i, 0), p->plan->clusters,
                             part_at(p, w->buffer, w->key[i]), length_of(p, w->key[i]), p->type,
                             w->op);
    return code;
}

int parts_across(const Parts *p, void *buffer, MPI_Op op)
{
    Work w;
    int code = begin(&w, p, buffer, op);
    if (code == MPI_SUCCESS)
        code = trade(&w);
    end(&w);
    return code;
}
