/* What the machines and the links between them can do, tried out. */
#include "grid/probe.h"

#include <math.h>
#include <string.h>

#include "grid/clock.h"
#include "grid/watch.h"

enum { TAG = 2, LARGE = 1 << 16, TIMES = 3 };

double probe_work(void)
{
    enum { STEPS = 400000 };
    volatile double result; /* so that the work is done */
    double begin = clock_now(), x = 1;
    /* each step waits for the one before: bound by the processor's latency, not by its memory */
    for (int i = 0; i < STEPS; i++)
        x = 0.5 * x + 1.25;
    result = x;
    (void)result;
    return clock_now() - begin;
}

static int failed(Run *run, int status)
{
    run->wire.code = GRID_EMPI;
    run->wire.mpi_code = status;
    return run_wire_failed(run);
}

/* Sends and receives `size` bytes, whichever comes first. */
static int exchange(Run *run, int32_t other, char *bytes, int size, int begins)
{
    MPI_Comm comm = run->wire.comm;
    MPI_Request request;
    int status = MPI_SUCCESS;
    for (int i = 0; i < 2 && status == MPI_SUCCESS; i++) {
        status = begins == (i == 0) ? MPI_Isend(bytes, size, MPI_BYTE, other, TAG, comm, &request)
                                    : MPI_Irecv(bytes, size, MPI_BYTE, other, TAG, comm, &request);
        if (status == MPI_SUCCESS)
            status = clock_await(&request);
    }
    return status;
}

/* The first exchange waits for the other process; of the others the fastest counts. */
static int try_pair(Run *run, int32_t other, char *bytes)
{
    static const int sizes[2] = {1, LARGE};
    int begins = run->wire.rank < other;
    for (int k = 0; k < 2; k++) {
        double best = HUGE_VAL;
        for (int i = 0; i <= TIMES; i++) {
            double begin = clock_now();
            int status = exchange(run, other, bytes, sizes[k], begins);
            if (status != MPI_SUCCESS)
                return failed(run, status);
            if (i > 0)
                best = fmin(best, (clock_now() - begin) / 2);
        }
        if (k == 0)
            run->watch.back[other] = best;
        if (begins) {
            watch_ping(run, run->wire.rank, other, sizes[k], best);
            watch_ping(run, other, run->wire.rank, sizes[k], best);
        }
    }
    return 0;
}

/* As in a tournament: in each of n - 1 rounds everybody has one partner (n even: one that is not
 * there if need be), and the pairs of a round go on at the same time. */
int probe_links(Run *run)
{
    char bytes[LARGE];
    int32_t n = run->wire.size + run->wire.size % 2, rank = run->wire.rank;
    memset(bytes, 0, sizeof bytes);
    for (int32_t round = 0; round < n - 1; round++) {
        int32_t other = rank == n - 1 ? -1 : ((round - rank) % (n - 1) + n - 1) % (n - 1);
        if (other == rank)
            other = n - 1;
        else if (other < 0) /* the one whose partner would be itself */
            other = round % 2 ? (round + n - 1) / 2 : round / 2;
        if (other < run->wire.size && try_pair(run, other, bytes))
            return -1;
    }
    return 0;
}
