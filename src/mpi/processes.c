/* PepaProcesses on MPI: sums at process 0, so that all have the same bits; exchanges of pieces of
 * vectors in place, described by data types, so that nothing is packed twice. */
#include "pepa_mpi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "meet.h"

enum { MOST_COUNT = 1 << 30 }; /* numbers in one block of a data type */
enum { MOST_REDUCED = 1 << 16 };
enum { SWAP_TAG = 32767 }; /* exchanges have less */

typedef struct {
    MPI_Comm comm;
    int rank, count;
    MPI_Request *request; /* two per process */
    MPI_Win window; /* of the next number to be taken, which the first process has, if any were */
    int64_t *next;
} Own;

/* ---- sums ------------------------------------------------------------------------------------ */

/* Piece by piece, since MPI may allocate as much again. */
static void reduce(void *user, double *x, int32_t n, MPI_Op op)
{
    const Own *own = user;
    for (int64_t first = 0; first < n; first += MOST_REDUCED) {
        double *piece = x + first;
        const int count = (int)(n - first < MOST_REDUCED ? n - first : MOST_REDUCED);
        MPI_Reduce(own->rank == 0 ? MPI_IN_PLACE : piece, piece, count, MPI_DOUBLE, op, 0,
                   own->comm);
        MPI_Bcast(piece, count, MPI_DOUBLE, 0, own->comm);
    }
}

static void sum(void *user, double *x, int32_t n)
{
    reduce(user, x, n, MPI_SUM);
}

static void largest(void *user, double *x, int32_t n)
{
    reduce(user, x, n, MPI_MAX);
}

/* ---- exchanges ------------------------------------------------------------------------------- */

typedef struct {
    int process;
    MPI_Datatype send, receive; /* MPI_DATATYPE_NULL: nothing */
} Partner;

typedef struct {
    int32_t number, count;
    Partner *partner;
    MPI_Request *request; /* two per partner */
    int requests;         /* under way */
} Exchange;

/* False: memory is out. */
static int describe(const PepaPiece *piece, int32_t count, MPI_Datatype *type)
{
    int64_t blocks = 0;
    for (int32_t i = 0; i < count; i++)
        blocks += (piece[i].count + MOST_COUNT - 1) / MOST_COUNT;
    *type = MPI_DATATYPE_NULL;
    if (blocks == 0)
        return 1;
    int *length = malloc((size_t)blocks * sizeof *length), at = 0;
    MPI_Aint *place = malloc((size_t)blocks * sizeof *place);
    for (int32_t i = 0; i < count && length && place; i++)
        for (int64_t done = 0; done < piece[i].count; done += MOST_COUNT) {
            const int64_t rest = piece[i].count - done;
            length[at] = (int)(rest < MOST_COUNT ? rest : MOST_COUNT);
            place[at++] = (MPI_Aint)((size_t)(piece[i].first + done) * sizeof(double));
        }
    if (length && place) {
        MPI_Type_create_hindexed(at, length, place, MPI_DOUBLE, type);
        MPI_Type_commit(type);
    }
    const int ok = length && place;
    free(length);
    free(place);
    return ok;
}

static void close_exchange(void *user, void *opened)
{
    Exchange *e = opened;
    (void)user;
    for (int32_t i = 0; e->partner && i < e->count; i++) {
        if (e->partner[i].send != MPI_DATATYPE_NULL)
            MPI_Type_free(&e->partner[i].send);
        if (e->partner[i].receive != MPI_DATATYPE_NULL)
            MPI_Type_free(&e->partner[i].receive);
    }
    free(e->partner);
    free(e->request);
    free(e);
}

static void *open_exchange(void *user, const PepaExchange *exchange)
{
    const size_t count = (size_t)exchange->partner_count;
    Exchange *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->number = exchange->number;
    e->partner = calloc(count + 1, sizeof *e->partner);
    e->request = calloc(2 * count + 1, sizeof *e->request);
    int ok = e->partner && e->request;
    for (size_t i = 0; i < count && ok; i++) {
        const PepaPartner *p = &exchange->partner[i];
        Partner *to = &e->partner[e->count++];
        to->process = p->process;
        to->send = to->receive = MPI_DATATYPE_NULL;
        ok = describe(p->sent, p->sent_count, &to->send) &&
             describe(p->received, p->received_count, &to->receive);
    }
    if (ok)
        return e;
    close_exchange(user, e);
    return NULL;
}

static void start(void *user, void *opened, double *x)
{
    Exchange *e = opened;
    const Own *own = user;
    int requests = 0;
    for (int32_t i = 0; i < e->count; i++)
        if (e->partner[i].receive != MPI_DATATYPE_NULL)
            MPI_Irecv(x, 1, e->partner[i].receive, e->partner[i].process, e->number, own->comm,
                      &e->request[requests++]);
    for (int32_t i = 0; i < e->count; i++)
        if (e->partner[i].send != MPI_DATATYPE_NULL)
            MPI_Isend(x, 1, e->partner[i].send, e->partner[i].process, e->number, own->comm,
                      &e->request[requests++]);
    e->requests = requests;
}

static void finish(void *user, void *opened)
{
    Exchange *e = opened;
    (void)user;
    MPI_Waitall(e->requests, e->request, MPI_STATUSES_IGNORE);
    e->requests = 0;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static void swap(void *user, const void *sent, const int64_t *count, void *received, int64_t *come,
                 int64_t most)
{
    const Own *own = user;
    int requests = 0;
    MPI_Alltoall(count, 1, MPI_INT64_T, come, 1, MPI_INT64_T, own->comm);
    for (int p = 0; p < own->count; p++) {
        const size_t at = (size_t)p * (size_t)most;
        if (p == own->rank)
            memcpy((char *)received + at, (const char *)sent + at, (size_t)count[p]);
        if (p != own->rank && come[p] > 0)
            MPI_Irecv((char *)received + at, (int)come[p], MPI_BYTE, p, SWAP_TAG, own->comm,
                      &own->request[requests++]);
    }
    for (int p = 0; p < own->count; p++)
        if (p != own->rank && count[p] > 0)
            MPI_Isend((const char *)sent + (size_t)p * (size_t)most, (int)count[p], MPI_BYTE, p,
                      SWAP_TAG, own->comm, &own->request[requests++]);
    MPI_Waitall(requests, own->request, MPI_STATUSES_IGNORE);
}

/* ---- numbers to take ------------------------------------------------------------------------- */

static void deal(void *user)
{
    Own *own = user;
    if (own->window == MPI_WIN_NULL) /* not every network has windows */
        MPI_Win_allocate(own->rank == 0 ? (MPI_Aint)sizeof *own->next : 0, sizeof *own->next,
                         MPI_INFO_NULL, own->comm, &own->next, &own->window);
    MPI_Barrier(own->comm); /* nobody takes from before */
    if (own->rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, own->window);
        *own->next = 0;
        MPI_Win_unlock(0, own->window);
    }
    MPI_Barrier(own->comm);
}

static int64_t take(void *user)
{
    const Own *own = user;
    const int64_t one = 1;
    int64_t number;
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, own->window);
    MPI_Fetch_and_op(&one, &number, MPI_INT64_T, 0, 0, MPI_SUM, own->window);
    MPI_Win_unlock(0, own->window);
    return number;
}

/* Where windows are made of messages, the first process answers them in calls of MPI only. */
static void poll(void *user)
{
    const Own *own = user;
    int there;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, own->comm, &there, MPI_STATUS_IGNORE);
}

static void wait_for_all(void *user)
{
    const Own *own = user;
    meet(own->comm);
}

/* ---- processes ------------------------------------------------------------------------------- */

/* Seconds of a message between processes on hosts far from each other, the same in all; 0: they are near.  Only its size
 * is known, or what hangs on it would differ from run to run: a power of two. */
static double far_latency(Own *own)
{
    const double far = 1e-3;
    const int times = 4;
    MPI_Comm host;
    int beside;
    double least = HUGE_VAL;
    MPI_Comm_split_type(own->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &beside);
    MPI_Comm_free(&host);
    double apart = beside < own->count;
    largest(own, &apart, 1);
    for (int i = 0; i < times && apart != 0; i++) {
        const double start = MPI_Wtime();
        largest(own, &apart, 1); /* there and back */
        least = fmin(least, (MPI_Wtime() - start) / 2);
    }
    if (apart != 0)
        largest(own, &least, 1);
    return apart != 0 && least >= far ? exp2(round(log2(least))) : 0;
}

PepaProcesses *pepa_mpi_processes(MPI_Comm communicator)
{
    PepaProcesses *p = calloc(1, sizeof *p);
    Own *own = calloc(1, sizeof *own);
    int count, rank;
    if (!p || !own) {
        free(p);
        free(own);
        return NULL;
    }
    MPI_Comm_size(communicator, &count);
    MPI_Comm_rank(communicator, &rank);
    own->rank = rank;
    own->count = count;
    own->request = calloc(2 * (size_t)count, sizeof *own->request);
    if (!own->request) {
        free(p);
        free(own);
        return NULL;
    }
    MPI_Comm_dup(communicator, &own->comm);
    own->window = MPI_WIN_NULL;
    *p = (PepaProcesses){.count = count,
                         .rank = rank,
                         .user = own,
                         .sum = sum,
                         .largest = largest,
                         .open = open_exchange,
                         .start = start,
                         .finish = finish,
                         .close = close_exchange,
                         .deal = deal,
                         .take = take,
                         .poll = poll,
                         .swap = swap,
                         .latency = far_latency(own),
                         .wait = wait_for_all};
    return p;
}

void pepa_mpi_free(PepaProcesses *processes)
{
    if (!processes)
        return;
    Own *own = processes->user;
    if (own->window != MPI_WIN_NULL)
        MPI_Win_free(&own->window);
    MPI_Comm_free(&own->comm);
    free(own->request);
    free(own);
    free(processes);
}
