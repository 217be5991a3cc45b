/* All-to-all.  Near blocks, and long ones, go straight to their process.  Short far ones go to the
 * leader of the own cluster, in one message from there to the leader of each other cluster, and on
 * to their process.  All blocks have the same signature, so a leader may keep any of them by its
 * own datatype. */
#include "base/mem.h"
#include "grid/taag/collect.h"

typedef struct {
    MPI_Request *each;
    int count;
} Requests;

typedef struct {
    const Plan *plan;
    const void *sendbuf;
    int sendcount;
    MPI_Datatype sendtype;
    void *recvbuf;
    int recvcount;
    MPI_Datatype recvtype;
    int own, near, far;    /* cluster; processes that get their blocks straight; the others */
    const int *near_ranks; /* near_ranks[0] leads */
    int *far_ranks;        /* by cluster */
    Requests stage, rest;  /* leader: of this step; all others */
    Elements out, in;      /* leader: near x far blocks, far x near blocks */
} Exchange;

static void *block_at(const void *buffer, int64_t block, int count, MPI_Datatype type)
{
    return (void *)(uintptr_t)element_at(buffer, block * count, type);
}

static MPI_Request *another(Requests *requests)
{
    return &requests->each[requests->count++];
}

static int await_requests(Requests *requests)
{
    int count = requests->count;
    requests->count = 0;
    return await_all(count, requests->each);
}

/* Send or receive the blocks of all far processes, at their places in the user's buffer. */
static int transfer_far(Exchange *x, int sends)
{
    MPI_Datatype blocks;
    MPI_Datatype type = sends ? x->sendtype : x->recvtype;
    int count = sends ? x->sendcount : x->recvcount, leader = x->near_ranks[0], *places, code;
    if (!mem_new(places, x->far))
        return MPI_ERR_NO_MEM;
    for (int i = 0; i < x->far; i++)
        places[i] = x->far_ranks[i] * count;
    code = MPI_Type_create_indexed_block(x->far, count, places, type, &blocks);
    mem_free(places);
    if (code == MPI_SUCCESS)
        code = MPI_Type_commit(&blocks);
    if (code != MPI_SUCCESS)
        return code;
    MPI_Request *request = another(&x->rest);
    code = sends ? MPI_Isend(x->sendbuf, 1, blocks, leader, TAG_UP, x->plan->comm, request)
                 : MPI_Irecv(x->recvbuf, 1, blocks, leader, TAG_DOWN, x->plan->comm, request);
    (void)MPI_Type_free(&blocks);
    return code;
}

static int transfer_near(Exchange *x)
{
    int code = MPI_SUCCESS;
    for (int i = 0; i < x->near && code == MPI_SUCCESS; i++) {
        int other = x->near_ranks[i];
        const void *from = block_at(x->sendbuf, other, x->sendcount, x->sendtype);
        void *to = block_at(x->recvbuf, other, x->recvcount, x->recvtype);
        if (other == x->plan->rank) {
            code = elements_copy(x->plan, from, x->sendcount, x->sendtype, to, x->recvcount,
                                 x->recvtype);
            continue;
        }
        code = MPI_Irecv(to, x->recvcount, x->recvtype, other, TAG_NEAR, x->plan->comm,
                         another(&x->rest));
        if (code == MPI_SUCCESS)
            code = MPI_Isend(from, x->sendcount, x->sendtype, other, TAG_NEAR, x->plan->comm,
                             another(&x->rest));
    }
    return code;
}

/* ---- the leader ----------------------------------------------------------------------------- */

/* out: row i has the blocks of near process i for all far ones. */
static int collect_rows(Exchange *x)
{
    int code = MPI_SUCCESS;
    for (int i = 0; i < x->near && code == MPI_SUCCESS; i++)
        code = MPI_Irecv(block_at(x->out.at, (int64_t)i * x->far, x->sendcount, x->sendtype),
                         x->far * x->sendcount, x->sendtype, x->near_ranks[i], TAG_UP,
                         x->plan->comm, another(&x->stage));
    return code;
}

/* A far cluster gets some columns of all rows; it sends rows for all near processes. */
static int exchange_with(Exchange *x, int cluster, int first)
{
    const Plan *plan = x->plan;
    MPI_Datatype columns;
    int others = plan_cluster_size(plan, cluster), leader = plan->member[plan->start[cluster]];
    int code = MPI_Irecv(block_at(x->in.at, (int64_t)first * x->near, x->sendcount, x->sendtype),
                         others * x->near * x->sendcount, x->sendtype, leader, TAG_ACROSS,
                         plan->comm, another(&x->stage));
    if (code == MPI_SUCCESS)
        code = MPI_Type_vector(x->near, others * x->sendcount, x->far * x->sendcount, x->sendtype,
                               &columns);
    if (code == MPI_SUCCESS)
        code = MPI_Type_commit(&columns);
    if (code != MPI_SUCCESS)
        return code;
    code = MPI_Isend(block_at(x->out.at, first, x->sendcount, x->sendtype), 1, columns, leader,
                     TAG_ACROSS, plan->comm, another(&x->stage));
    (void)MPI_Type_free(&columns);
    return code;
}

/* in: row k has the blocks of far process k for all near ones. */
static int deliver_column(Exchange *x, int i)
{
    MPI_Datatype column;
    int code = MPI_Type_vector(x->far, x->sendcount, x->near * x->sendcount, x->sendtype, &column);
    if (code == MPI_SUCCESS)
        code = MPI_Type_commit(&column);
    if (code != MPI_SUCCESS)
        return code;
    code = MPI_Isend(block_at(x->in.at, i, x->sendcount, x->sendtype), 1, column, x->near_ranks[i],
                     TAG_DOWN, x->plan->comm, another(&x->rest));
    (void)MPI_Type_free(&column);
    return code;
}

static int lead(Exchange *x)
{
    const Plan *plan = x->plan;
    int code = await_requests(&x->stage), first = 0;
    for (int c = 0; c < plan->clusters && code == MPI_SUCCESS; c++)
        if (c != x->own) {
            code = exchange_with(x, c, first);
            first += plan_cluster_size(plan, c);
        }
    if (code == MPI_SUCCESS)
        code = await_requests(&x->stage);
    for (int i = 0; i < x->near && code == MPI_SUCCESS; i++)
        code = deliver_column(x, i);
    return code;
}

/* ---- all ------------------------------------------------------------------------------------ */

/* Blocks go straight to their process where those that one leader sends are long: each process has
 * a link of its own, and all messages are under way at the same time. */
static int is_direct(const Plan *plan, int64_t size)
{
    for (int c = 0; c < plan->clusters; c++)
        if (size * plan_cluster_size(plan, c) * (plan->size - plan_cluster_size(plan, c)) > LONG)
            return 1;
    return 0;
}

/* All receives are posted before anything is awaited. */
static int run(Exchange *x)
{
    int code = MPI_SUCCESS, leads = x->plan->rank == x->near_ranks[0] && x->far > 0;
    if (leads)
        code = collect_rows(x);
    for (int sends = 0; sends < 2 && code == MPI_SUCCESS && x->far > 0; sends++)
        code = transfer_far(x, sends);
    if (code == MPI_SUCCESS)
        code = transfer_near(x);
    if (code == MPI_SUCCESS && leads)
        code = lead(x);
    return code == MPI_SUCCESS ? await_requests(&x->rest) : code;
}

static int prepare(Exchange *x)
{
    const Plan *plan = x->plan;
    int size, code = MPI_Type_size(x->sendtype, &size);
    if (code != MPI_SUCCESS)
        return code;
    int direct = is_direct(plan, (int64_t)size * x->sendcount);
    x->own = plan->cluster_of[plan->rank];
    x->near = direct ? plan->size : plan_cluster_size(plan, x->own);
    x->far = plan->size - x->near;
    x->near_ranks = direct ? plan->member : plan->member + plan->start[x->own];
    if (!mem_new(x->far_ranks, x->far) ||
        !mem_new(x->stage.each, plan->size + 2 * plan->clusters) ||
        !mem_new(x->rest.each, 3 * (int64_t)plan->size + 2))
        return MPI_ERR_NO_MEM;
    for (int i = 0, k = 0; i < plan->size && !direct; i++)
        if (plan->cluster_of[plan->member[i]] != x->own)
            x->far_ranks[k++] = plan->member[i];
    int64_t blocks = (int64_t)x->near * x->far * x->sendcount;
    if (plan->rank == x->near_ranks[0] &&
        (elements_new(&x->out, blocks, x->sendtype) || elements_new(&x->in, blocks, x->sendtype)))
        return MPI_ERR_NO_MEM;
    return MPI_SUCCESS;
}

static int alltoall(Exchange *x)
{
    Elements copy = {NULL, NULL};
    int code = MPI_SUCCESS;
    if (x->sendbuf == MPI_IN_PLACE) {
        int all = x->plan->size * x->recvcount;
        x->sendcount = x->recvcount;
        x->sendtype = x->recvtype;
        if (elements_new(&copy, all, x->recvtype))
            return MPI_ERR_NO_MEM;
        code = elements_copy(x->plan, x->recvbuf, all, x->recvtype, copy.at, all, x->recvtype);
        x->sendbuf = copy.at;
    }
    if (code == MPI_SUCCESS)
        code = prepare(x);
    if (code == MPI_SUCCESS)
        code = run(x);
    elements_free(&copy);
    elements_free(&x->out);
    elements_free(&x->in);
    mem_free_all(x->far_ranks, x->stage.each, x->rest.each);
    return code;
}

/* Counts of what a leader sends at once are ints. */
static int check(const char *call, const Plan *plan, const void *buffer, int count,
                 MPI_Datatype type)
{
    int status = collect_check_buffer(call, buffer, count, type);
    if (status)
        return status;
    if ((int64_t)plan->size * plan->size * count > INT32_MAX)
        return taag_fail(call, TAAG_ERR_COUNT,
                         "%d elements for each pair of %d processes are more than 2^31 - 1", count,
                         plan->size);
    return TAAG_SUCCESS;
}

int TAAG_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    Plan *plan;
    int status = plan_of(__func__, comm, &plan);
    if (status || (status = check(__func__, plan, recvbuf, recvcount, recvtype)) ||
        (sendbuf != MPI_IN_PLACE && (status = check(__func__, plan, sendbuf, sendcount, sendtype))))
        return status;
    Exchange x = {.plan = plan,
                  .sendbuf = sendbuf,
                  .sendcount = sendcount,
                  .sendtype = sendtype,
                  .recvbuf = recvbuf,
                  .recvcount = recvcount,
                  .recvtype = recvtype};
    if (taag_context()->mode == TAAG_PLAIN)
        return collect_ended(__func__, MPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf,
                                                    recvcount, recvtype, plan->comm));
    return collect_ended(__func__, alltoall(&x));
}
