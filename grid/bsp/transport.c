/* The choice of a transport: the quickest one, as measured when the program begins. */
#include "grid/bsp/transport.h"

#include <math.h>
#include <stdbool.h>
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
enum {
    SIMULATED = 1
}; /* processes are on hosts of their own, connections as fast as their links */
#else
enum { SIMULATED = 0 };
#endif

/* As TransportKind.open. */
static int open_kind(Transport *transport, const TransportKind *kind)
{
    int status = kind != &transport_shared || !SIMULATED ? kind->open(transport) : 1;
    if (status == 0)
        transport->kind = kind;
    return status;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All processes; members, which is the caller's, NULL: out of memory. */
static Group all_processes(const Transport *transport)
{
    int *members = malloc((size_t)transport->nprocs * sizeof *members);
    for (int p = 0; p < transport->nprocs && members; p++)
        members[p] = p;
    return (Group){.members = members, .count = transport->nprocs};
}

enum { MOST_ROUNDS = 41, FEW_ROUNDS = 3 };

/* Seconds of an empty exchange, the median of some, on the process where that is slowest.  Neither
 * the quickest nor the mean would do: with more processes than cores some exchanges happen to be quick,
 * and some wait for other programs. */
static double measure(Transport *transport, int rounds)
{
    double took[MOST_ROUNDS], slowest = 1e9;
    const Group all = all_processes(transport);
    int failed = !all.members;
    for (int round = 0; round < rounds; round++) {
        double before = clock_now();
        for (int p = 0; p < all.count && !failed; p++)
            transport->out[p].head = (Header){.total = sizeof(Header)};
        failed = failed || transport->kind->exchange(transport, &all);
        took[round] = failed ? 1e9 : clock_now() - before;
    }
    free(all.members);
    qsort(took, (size_t)rounds, sizeof *took, ascending);
    (void)MPI_Allreduce(&took[rounds / 2], &slowest, 1, MPI_DOUBLE, MPI_MAX, transport->comm);
    return slowest;
}

static void close_kind(Transport *transport)
{
    if (transport->kind)
        transport->kind->close(transport);
    transport->kind = NULL;
    transport->direct = 0;
}

/* Open a transport and measure it: as TransportKind.open; HUGE_VAL seconds if it cannot be used. */
static int try_kind(Transport *transport, const TransportKind *kind, int rounds, double *seconds)
{
    int status = open_kind(transport, kind);
    *seconds = status == 0 ? measure(transport, rounds) : HUGE_VAL;
    close_kind(transport);
    return status < 0 ? status : 0;
}

/* One exchange of bytes with all processes of other machines, through buffers that are freed again.
 * 0; -1: out of memory. */
static int warm_up(Transport *transport)
{
    int others = 0, status = open_kind(transport, &transport_messages);
    const Group all = all_processes(transport);
    for (int p = 0; p < transport->nprocs; p++)
        others += transport->hosts[p] != transport->host;
    if (status == 0 && !all.members)
        status = -1;
    for (int p = 0; p < transport->nprocs && status == 0; p++) {
        const size_t bytes = transport->hosts[p] != transport->host
                                 ? (size_t)fmin(WARM_UP_EACH, (double)WARM_UP_ALL / others)
                                 : 0;
        unsigned char *room = transport_room(transport, p, bytes);
        if (room)
            memset(room, 0, bytes);
        else
            status = -1;
        transport->out[p].head = (Header){.total = outbox_used(&transport->out[p])};
    }
    status = status ? status : transport->kind->exchange(transport, &all);
    free(all.members);
    close_kind(transport);
    return status;
}

/* Seconds of an exchange by messages.  Where links are long it makes connections ready: those of TCP
 * send 10 segments at first, and twice as much after each round trip (RFC 6928, RFC 5681); BBR sends at
 * three times the rate that it has met.  So the first data between each two processes, and with BBR all,
 * would take several latencies.  As of try_kind. */
static int try_messages(Transport *transport, double *seconds)
{
    int status = try_kind(transport, &transport_messages, FEW_ROUNDS, seconds);
    return status == 0 && *seconds >= LONG_EXCHANGE ? warm_up(transport) : status;
}

/* Shared memory unless something else is clearly quicker, as it also copies less; messages before
 * windows, as they wait for fewer latencies.  Where links are long, a few exchanges by messages say so,
 * and nothing else is measured. */
static int open_measured(Transport *transport)
{
    double shared, messages = 0, window;
    if (transport->nprocs == 1 || SIMULATED)
        return open_kind(transport, &transport_messages);
    int status = try_kind(transport, &transport_shared, MOST_ROUNDS, &shared);
    if (status == 0 && shared >= HUGE_VAL)
        status = try_messages(transport, &messages);
    if (status == 0 && messages >= LONG_EXCHANGE)
        return open_kind(transport, &transport_messages);
    status = status ? status : try_kind(transport, &transport_messages, MOST_ROUNDS, &messages);
    status = status ? status : try_kind(transport, &transport_window, MOST_ROUNDS, &window);
    if (status)
        return status;
    const TransportKind *mpi =
        window < CLEARLY * messages ? &transport_window : &transport_messages;
    return open_kind(transport,
                     fmin(messages, window) < CLEARLY * shared ? mpi : &transport_shared);
}

/* As TransportKind.open. */
static int open_wanted(Transport *transport, const TransportKind *kind)
{
    double seconds;
    bool far = false;
    for (int p = 0; p < transport->nprocs; p++)
        far = far || transport->hosts[p] != transport->hosts[0];
    int status = far ? try_messages(transport, &seconds) : 0;
    return status ? status : open_kind(transport, kind);
}

int transport_open(Transport *transport, MPI_Comm comm, const char *wanted)
{
    static const TransportKind *const kinds[] = {&transport_shared, &transport_messages,
                                                 &transport_window};
    *transport = (Transport){.comm = comm};
    (void)MPI_Comm_size(comm, &transport->nprocs);
    (void)MPI_Comm_rank(comm, &transport->pid);
    if (look_around(transport))
        return -1;
    if (!wanted || !*wanted)
        return open_measured(transport);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(wanted, kinds[i]->name) == 0)
            return open_wanted(transport, kinds[i]);
    return 1;
}

void transport_close(Transport *transport)
{
    close_kind(transport);
    free(transport->hosts);
    transport->hosts = NULL;
}
