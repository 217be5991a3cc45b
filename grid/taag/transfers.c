/* Messages of a collective in parts. */
#include "grid/taag/transfers.h"

#include "base/mem.h"
#include "grid/taag/collect.h"

enum { NEAR = -1, FAR = -2 }; /* kinds of what leaves */

void transfers_begin(Transfers *t, const Plan *plan, int limit)
{
    *t = (Transfers){.plan = plan, .limit = limit > 0 ? limit : 1};
}

void transfers_end(Transfers *t)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->requests[i] != MPI_REQUEST_NULL && t->kind[i] >= 0) {
            (void)MPI_Cancel(&t->requests[i]);
            (void)MPI_Wait(&t->requests[i], MPI_STATUS_IGNORE);
        }
    mem_free_all(t->requests, t->kind, t->ended, t->queue);
}

/* Room for one more request; its address, or NULL. */
static MPI_Request *another(Transfers *t, int kind)
{
    if (!mem_grow(t->requests, t->request_cap, t->count + 1) ||
        !mem_grow(t->kind, t->kind_cap, t->count + 1) ||
        !mem_grow(t->ended, t->ended_cap, t->count + 1))
        return NULL;
    t->kind[t->count] = kind;
    t->requests[t->count] = MPI_REQUEST_NULL;
    t->pending++;
    return &t->requests[t->count++];
}

int transfers_expect(Transfers *t, void *at, int count, MPI_Datatype type, int from, int tag,
                     int key)
{
    MPI_Request *request = another(t, key);
    return request ? MPI_Irecv(at, count, type, from, tag, t->plan->comm, request) : MPI_ERR_NO_MEM;
}

/* A synchronous send ends when it is known that the message is being received, so that the limit holds for short
 * messages too, which MPI copies.  Far ones have no limit, and are not waited for: that would take another far latency. */
static int leave(Transfers *t, const Departure *d, int kind)
{
    MPI_Request *request = another(t, kind);
    if (!request)
        return MPI_ERR_NO_MEM;
    return kind == FAR
               ? MPI_Isend(d->at, d->count, d->type, d->to, d->tag, t->plan->comm, request)
               : MPI_Issend(d->at, d->count, d->type, d->to, d->tag, t->plan->comm, request);
}

int transfers_send(Transfers *t, const void *at, int count, MPI_Datatype type, int to, int tag)
{
    Departure departure = {at, count, to, tag, type};
    if (t->plan->cluster_of[to] != t->plan->cluster_of[t->plan->rank])
        return leave(t, &departure, FAR);
    if (!mem_grow(t->queue, t->queue_cap, t->queued + 1))
        return MPI_ERR_NO_MEM;
    t->queue[t->queued++] = departure;
    return MPI_SUCCESS;
}

static int leave_queued(Transfers *t)
{
    int code = MPI_SUCCESS;
    while (t->first < t->queued && t->leaving < t->limit && code == MPI_SUCCESS) {
        code = leave(t, &t->queue[t->first++], NEAR);
        t->leaving++;
    }
    return code;
}

int transfers_run(Transfers *t, void *context, int (*next)(void *context, int key))
{
    int code = leave_queued(t);
    while (t->pending > 0 && code == MPI_SUCCESS) {
        int ended = 0;
        code = await_some((int)t->count, t->requests, &ended, t->ended);
        t->pending -= ended;
        for (int i = 0; i < ended && code == MPI_SUCCESS; i++) {
            int kind = t->kind[t->ended[i]];
            t->leaving -= kind == NEAR;
            code = kind >= 0 ? next(context, kind) : MPI_SUCCESS;
        }
        if (code == MPI_SUCCESS)
            code = leave_queued(t);
    }
    return code;
}
