/* How long collectives take in simulated time, against the far latency and MPI's own. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cases.h"

typedef int (*Collective)(int root);

static double value[2];

static int broadcast(int root)
{
    return TAAG_Bcast(value, 1, MPI_DOUBLE, root, MPI_COMM_WORLD);
}

static int reduce(int root)
{
    return TAAG_Reduce(&value[0], &value[1], 1, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
}

static int allreduce(int root)
{
    (void)root;
    return TAAG_Allreduce(&value[0], &value[1], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static int barrier(int root)
{
    (void)root;
    return TAAG_Barrier(MPI_COMM_WORLD);
}

/* Seconds until the last process is done, when all begin at the same time. */
static double seconds_of(Collective run, int root)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime(), all, end;
    MPI_Allreduce(&begin, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    struct timespec pause = {.tv_nsec = (long)(1e9 * (all + 0.5 - MPI_Wtime()))};
    begin = all + 0.5; /* when all begin */
    (void)nanosleep(&pause, NULL);
    expect(run(root) == TAAG_SUCCESS, "%s", TAAG_Error_message());
    end = MPI_Wtime() - begin;
    MPI_Allreduce(&end, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

static double farthest(int root)
{
    double most = 0;
    for (int i = 0; i < size; i++)
        if (latency_between(root, i) > most)
            most = latency_between(root, i);
    return most;
}

/* Ours must be so many times quicker than MPI's own where ranks are mixed.  Ranks in the order of
 * hosts suit MPI's trees: there ours must not be slower. */
static void time_one(const char *name, Collective run, int rooted, double quicker)
{
    int changes = 0;
    for (int i = 1; i < size; i++)
        changes += cluster_of(i) != cluster_of(i - 1);
    int mixed = changes > size / 3;
    double plain = 0, ours = 0, bound = 0, worst = 0;
    for (int root = 0; root < (rooted ? size : 1); root += 5) {
        TAAG_Collectives(TAAG_PLAIN);
        plain += seconds_of(run, root);
        TAAG_Collectives(TAAG_CLUSTERS);
        double each = seconds_of(run, root), least = rooted ? farthest(root) : 0.0358;
        ours += each;
        bound += least;
        if (each / least > worst)
            worst = each / least;
    }
    if (rank == 0)
        (void)printf(
            "  %s: %.3f times the farthest latency, at most %.3f; MPI's own takes %.2f times as "
            "long\n",
            name, ours / bound, worst, plain / ours);
    expect(worst <= 1.1 && ours <= plain / (mixed ? quicker : 0.98), "%s is too slow", name);
}

void times(void)
{
    write_mapping();
    expect(TAAG_Init(mapping_file) == TAAG_SUCCESS, "%s", TAAG_Error_message());
    time_one("broadcast", broadcast, 1, 2);
    time_one("reduce", reduce, 1, 0.95);
    time_one("allreduce", allreduce, 0, 2);
    time_one("barrier", barrier, 0, 1.5);
    expect(TAAG_Free() == TAAG_SUCCESS, "%s", TAAG_Error_message());
}
