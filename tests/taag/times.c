/* How long collectives take in simulated time, against the far latency and MPI's own. */
#include <stdio.h>
#include <stdlib.h>

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
    begin = all + 1; /* all wait until then */
    while (MPI_Wtime() < begin) {
        struct timespec;
        extern int usleep(unsigned);
        (void)usleep(10);
    }
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

static void time_one(const char *name, Collective run, int rooted)
{
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
        printf("%s: %.3f times the farthest latency, at most %.3f; MPI's own takes %.2f times as "
               "long\n",
               name, ours / bound, worst, plain / ours);
}

void times(void)
{
    write_mapping();
    expect(TAAG_Init(mapping_file) == TAAG_SUCCESS, "%s", TAAG_Error_message());
    time_one("broadcast", broadcast, 1);
    time_one("reduce", reduce, 1);
    time_one("allreduce", allreduce, 0);
    time_one("barrier", barrier, 0);
    expect(TAAG_Free() == TAAG_SUCCESS, "%s", TAAG_Error_message());
}
