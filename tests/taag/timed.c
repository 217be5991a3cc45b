/* Collectives in simulated time: what is timed, and how.  All processes begin at the same time and
 * the last one counts, since the time of a single process says nothing of the collective. */
#include "timed.h"

#include <math.h>
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

const Collective collectives[] = {{"broadcast", broadcast, TO_ALL, ONE, 1 << 20},
                                  {"reduce", reduce, TO_ROOT, ONE, 1 << 20},
                                  {"allreduce", allreduce, ALL_TO_ALL, ONE, 1 << 20},
                                  {"gather", gather, TO_ROOT, EACH, 12500},
                                  {"barrier", barrier, ALL_TO_ALL, NOTHING, 1},
                                  {"alltoall", alltoall, ALL_TO_ALL, EACH, 12500}};
const int collective_count = sizeof collectives / sizeof *collectives;

double seconds_of(const Collective *collective, int count, int root)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime(), all, end;
    MPI_Allreduce(&begin, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    begin = all + 1; /* when all begin */
    double left = begin - MPI_Wtime();
    struct timespec pause = {.tv_sec = (time_t)left, .tv_nsec = (long)(1e9 * fmod(left, 1))};
    (void)nanosleep(&pause, NULL);
    expect(collective->run(count, root) == TAAG_SUCCESS, "%s: %s", collective->name,
           TAAG_Error_message());
    end = MPI_Wtime() - begin;
    MPI_Allreduce(&end, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

/* When the last byte can be at a process: what comes from those beyond a latency passes its link
 * after that latency. */
static double arrival(const Collective *collective, double block, int root, int at)
{
    double latest = 0;
    for (int a = 0; a < size; a++) {
        double latency = latency_between(a, at), beyond = collective->data == ONE;
        if (a == at || (collective->pattern == TO_ALL && a != root))
            continue;
        for (int b = 0; b < size && collective->data == EACH; b++)
            beyond += b != at && latency_between(b, at) >= latency;
        latest = fmax(latest, latency + block * beyond);
    }
    return latest;
}

double lower_bound(const Collective *collective, double bytes, int root)
{
    double latest = 0, block = bytes / BANDWIDTH;
    for (int at = 0; at < size; at++)
        if (collective->pattern != TO_ROOT || at == root)
            latest = fmax(latest, arrival(collective, block, root, at));
    if (collective->pattern == ALL_TO_ALL && collective->data == ONE)
        latest = fmax(latest, 2 * block * (size - 1) / size);
    return latest;
}

int is_mixed(void)
{
    int changes = 0;
    for (int i = 1; i < size; i++)
        changes += cluster_of(i) != cluster_of(i - 1);
    return changes > size / 3;
}
