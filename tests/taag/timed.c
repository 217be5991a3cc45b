/* Collectives in simulated time: what is timed, and how.  All processes begin at the same time and
 * the last one counts, since the time of a single process says nothing of the collective. */
#include "timed.h"

#include <stdlib.h>
#include <time.h>

#include "cases.h"

static double *from, *to;

void timed_begin(int count)
{
    from = calloc((size_t)count * (size_t)size, sizeof *from);
    to = calloc((size_t)count * (size_t)size, sizeof *to);
    if (!from || !to)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

void timed_end(void)
{
    free(from);
    free(to);
}

static int broadcast(int count, int root)
{
    return TAAG_Bcast(from, count, MPI_DOUBLE, root, MPI_COMM_WORLD);
}

static int reduce(int count, int root)
{
    return TAAG_Reduce(from, to, count, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
}

static int allreduce(int count, int root)
{
    (void)root;
    return TAAG_Allreduce(from, to, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static int barrier(int count, int root)
{
    (void)count, (void)root;
    return TAAG_Barrier(MPI_COMM_WORLD);
}

static int gather(int count, int root)
{
    return TAAG_Gather(from, count, MPI_DOUBLE, to, count, MPI_DOUBLE, root, MPI_COMM_WORLD);
}

static int alltoall(int count, int root)
{
    (void)root;
    return TAAG_Alltoall(from, count, MPI_DOUBLE, to, count, MPI_DOUBLE, MPI_COMM_WORLD);
}

static int none(int processes)
{
    (void)processes;
    return 0;
}

static int one(int processes)
{
    (void)processes;
    return 1;
}

static int of_others(int processes)
{
    return processes - 1;
}

const Collective collectives[] = {{"broadcast", broadcast, 1, one, 1 << 20},
                                  {"reduce", reduce, 1, one, 1 << 20},
                                  {"allreduce", allreduce, 0, one, 1 << 20},
                                  {"gather", gather, 1, of_others, 12500},
                                  {"alltoall", alltoall, 0, of_others, 1250},
                                  {"barrier", barrier, 0, none, 1}};
const int collective_count = sizeof collectives / sizeof *collectives;

double seconds_of(const Collective *collective, int count, int root)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime(), all, end;
    MPI_Allreduce(&begin, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    struct timespec pause = {.tv_nsec = (long)(1e9 * (all + 0.5 - MPI_Wtime()))};
    begin = all + 0.5; /* when all begin */
    (void)nanosleep(&pause, NULL);
    expect(collective->run(count, root) == TAAG_SUCCESS, "%s: %s", collective->name,
           TAAG_Error_message());
    end = MPI_Wtime() - begin;
    MPI_Allreduce(&end, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

double far_latency(const Collective *collective, int root)
{
    double most = 0;
    for (int a = 0; a < size; a++)
        for (int b = 0; b < size; b++)
            if ((a == root || !collective->rooted) && latency_between(a, b) > most)
                most = latency_between(a, b);
    return most;
}

int is_mixed(void)
{
    int changes = 0;
    for (int i = 1; i < size; i++)
        changes += cluster_of(i) != cluster_of(i - 1);
    return changes > size / 3;
}
