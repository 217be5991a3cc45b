/* How bytes get from process to process when a superstep ends.
 *
 * Three transports with one interface: shared memory (shared.c; all processes on one machine),
 * messages of MPI (messages.c) and its one-sided communication (window.c).  transport_open measures
 * which is the quickest.  Each process has a
 * buffer for each process, itself included, which it fills during the superstep: transport_room.
 * transport_exchange ends the superstep for a group: of each of its processes, `in` has what that
 * process put into its buffer for this one, and the buffers are empty again.  `in` stays as it is
 * until the next exchange with that process.
 *
 * Processes that disagree on the group that they are in would wait for each other without end: one
 * for all, the other for its group.  Groups lie within each other, so that of processes which wait
 * like this there are always two that wait for each other with groups of different depths: one of
 * them finds it, as each tells each other process of its group which call at which depth it makes. */
#ifndef GRID_BSP_TRANSPORT_H
#define GRID_BSP_TRANSPORT_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "grid/bsp/group.h"
#include "grid/bsp/wire.h"
#include "grid/core/buffer.h"

/* Puts of numbers to one process.  Two tell where a third would be at the same distance: if it is there, a run
 * begins (wire.h), which ends with the first put that is not.  128 bytes with the outbox. */
typedef struct {
    const void *area;      /* what the program calls the area of the run */
    uint32_t next;         /* offset of the number that continues it */
    uint32_t distance;     /* of offsets, modulo 2^32 */
    unsigned char *full;   /* the run has no room for a number here; NULL: there is no run */
    unsigned char *begins; /* its entry */
} Run;

/* What a process sends another in this superstep.  The newest part is in `bytes`. */
typedef struct {
    Run run;
    unsigned char *at; /* what comes next goes here */
    unsigned char *bytes;
    size_t capacity; /* of `bytes` */
    size_t before;   /* how much comes before `bytes` */
    size_t unused;   /* an outbox is found by a shift */
    Header head;     /* for the start; written by the exchange */
} Outbox;

/* How a process waits before it sleeps: looks with a pause of the core between them, then looks
 * between which other processes may run. */
typedef struct {
    int pauses, yields;
} Looks;

/* A process of the group that ends a superstep of another group instead. */
typedef struct {
    int pid, call, depth; /* call: a Call */
} Stray;

typedef struct Transport Transport;

typedef struct {
    const char *name;
    /* Collective.  0; 1: this transport cannot be used here, on all processes; -1: out of memory. */
    int (*open)(Transport *transport);
    void (*close)(Transport *transport);
    /* Room for `size` more bytes to process `to`, where `bytes` has none; NULL: out of memory. */
    unsigned char *(*room)(Transport *transport, int to, size_t size);
    /* 0; 1: transport->stray says who is in another group; -1: out of memory. */
    int (*exchange)(Transport *transport, const Group *group);
    /* A buffer for what `to` has requested; NULL: out of memory. */
    unsigned char *(*reply)(Transport *transport, int to, size_t size);
    /* Exchange the replies: give[p] bytes to, take[p] from each process of the group, into
     * replied[p].  0; -1: out of memory. */
    int (*replies)(Transport *transport, const Group *group, const uint64_t *give,
                   const uint64_t *take);
    /* If transport->direct: copy `size` bytes between the memory of this process and that of another,
     * after the exchange.  0; -1: errno says why not. */
    int (*copy)(Transport *transport, int with, void *here, uint64_t there, size_t size, int write);
    /* Such copies with this process have been made; wait until it has made its own. */
    void (*copied)(Transport *transport, int with);
    void (*await_copies)(Transport *transport, int with);
} TransportKind;

struct Transport {
    const TransportKind *kind;
    void *state; /* the kind's own */
    MPI_Comm comm;
    int nprocs, pid;
    int host;   /* the same for processes of one machine: the lowest pid there */
    int *hosts; /* by process */
    Looks looks;
    int direct;                    /* processes can copy from and to each other's memory */
    Outbox *out;                   /* by process */
    const unsigned char **in;      /* by process */
    const unsigned char **replied; /* by process */
    Stray stray;
};

extern const TransportKind transport_shared, transport_messages, transport_window;

/* Choose and open a transport; collective.  Connections between machines that are far apart are warmed up.
 * `wanted`: "shared", "messages", "window" or NULL: the quickest.
 * 0; 1: no such transport, or it cannot be used here; -1: out of memory. */
int transport_open(Transport *transport, MPI_Comm comm, const char *wanted);
void transport_close(Transport *transport);

static inline size_t outbox_used(const Outbox *out)
{
    return (size_t)(out->at - out->bytes);
}

static inline void outbox_end_run(Outbox *out)
{
    const Run *run = &out->run;
    if (!run->full)
        return;
    const uint64_t word =
        run_word((size_t)(out->at - run->begins - RUN_HEAD) / NUMBER, run->distance);
    memcpy(run->begins + sizeof word, &word, sizeof word);
    out->run.full = NULL;
}

/* Room for `size` more bytes to process `to`; NULL: out of memory. */
static inline unsigned char *transport_room(Transport *transport, int to, size_t size)
{
    Outbox *out = &transport->out[to];
    outbox_end_run(out);
    if (size > out->capacity - outbox_used(out))
        return transport->kind->room(transport, to, size);
    unsigned char *room = out->at;
    out->at += size;
    return room;
}

/* How much is to be sent so far, with the header. */
static inline size_t transport_size(const Transport *transport, int to)
{
    return transport->out[to].before + outbox_used(&transport->out[to]);
}

static inline const Header *transport_got(const Transport *transport, int from)
{
    return (const Header *)(const void *)transport->in[from];
}

#endif
