/* The choice of a transport: the quicker one, as measured when the program begins. */
#include "grid/bsp/transport.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grid/bsp/tuning.h"
#include "grid/core/clock.h"

/* Which processes are on this machine, and how to wait: with many looks where each has a core of its
 * own, as the others are about to arrive; with few where others need this core to arrive.
 * 0; -1: out of memory, on some process. */
static int look_around(Transport *transport)
{
    MPI_Comm here;
    int there = 1;
    transport->host = transport->pid;
    if (MPI_Comm_split_type(transport->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here) ==
        MPI_SUCCESS) {
        (void)MPI_Comm_size(here, &there);
        (void)MPI_Bcast(&transport->host, 1, MPI_INT, 0, here);
        (void)MPI_Comm_free(&here);
    }
    int *hosts = transport->hosts = malloc((size_t)transport->nprocs * sizeof *hosts),
        failed = !hosts, any;
    (void)MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, transport->comm);
    if (any)
        return -1;
    (void)MPI_Allgather(&transport->host, 1, MPI_INT, hosts, 1, MPI_INT, transport->comm);
    transport->looks = there <= sysconf(_SC_NPROCESSORS_ONLN)
                           ? (Looks){.pauses = ALONE_PAUSES, .yields = ALONE_YIELDS}
                           : (Looks){.yields = CROWDED_YIELDS};
    return 0;
}

#ifdef SMPI_H
enum { CAN_SHARE = 0 }; /* simulated processes are on hosts of their own */
#else
enum { CAN_SHARE = 1 };
#endif

/* As TransportKind.open. */
static int open_kind(Transport *transport, const TransportKind *kind)
{
    int status = kind != &transport_shared || CAN_SHARE ? kind->open(transport) : 1;
    if (status == 0)
        transport->kind = kind;
    return status;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Seconds of an empty exchange, the median of some, on the process where that is slowest.  Neither
 * the quickest nor the mean would do: with more processes than cores some exchanges happen to be quick,
 * and some wait for other programs. */
static double measure(Transport *transport)
{
    enum { ROUNDS = 41 };
    int *members = malloc((size_t)transport->nprocs * sizeof *members);
    double took[ROUNDS], slowest = 1e9;
    for (int p = 0; p < transport->nprocs && members; p++)
        members[p] = p;
    const Group all = {.members = members, .count = transport->nprocs};
    int failed = !members;
    for (int round = 0; round < ROUNDS; round++) {
        double before = clock_now();
        for (int p = 0; p < all.count && !failed; p++)
            transport->out[p].head = (Header){.total = sizeof(Header)};
        failed = failed || transport->kind->exchange(transport, &all);
        took[round] = failed ? 1e9 : clock_now() - before;
    }
    free(members);
    qsort(took, ROUNDS, sizeof *took, ascending);
    (void)MPI_Allreduce(&took[ROUNDS / 2], &slowest, 1, MPI_DOUBLE, MPI_MAX, transport->comm);
    return slowest;
}

static void close_kind(Transport *transport)
{
    if (transport->kind)
        transport->kind->close(transport);
    transport->kind = NULL;
    transport->direct = 0;
}

static int open_measured(Transport *transport)
{
    int status = open_kind(transport, &transport_shared);
    if (status != 0 || transport->nprocs == 1)
        return status == 1 ? open_kind(transport, &transport_messages) : status;
    double shared = measure(transport);
    close_kind(transport);
    status = open_kind(transport, &transport_messages);
    if (status != 0 || measure(transport) < CLEARLY * shared)
        return status;
    close_kind(transport);
    return open_kind(transport, &transport_shared);
}

int transport_open(Transport *transport, MPI_Comm comm, const char *wanted)
{
    *transport = (Transport){.comm = comm};
    (void)MPI_Comm_size(comm, &transport->nprocs);
    (void)MPI_Comm_rank(comm, &transport->pid);
    if (look_around(transport))
        return -1;
    if (!wanted || !*wanted)
        return open_measured(transport);
    if (strcmp(wanted, transport_shared.name) == 0)
        return open_kind(transport, &transport_shared);
    if (strcmp(wanted, transport_messages.name) == 0)
        return open_kind(transport, &transport_messages);
    return 1;
}

void transport_close(Transport *transport)
{
    close_kind(transport);
    free(transport->hosts);
    transport->hosts = NULL;
}
