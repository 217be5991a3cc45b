/* Messages between the processes of a run: non-blocking, with opaque tags.
 *
 * Gives a run-time: a message is a tag, a small fixed-size record of the sender's (`fields`) and a
 * body of any size.  Sending and receiving never wait.  A message to oneself goes through a queue,
 * without MPI.
 *
 * Tags >= 0 belong to the run-time; negative ones to core (session.h) and machine (sampler.h).
 *
 * Order: messages of one sender with bodies of at most TRANSPORT_SMALL bytes arrive in the order in
 * which they were sent, and nothing overtakes them.  Larger ones may be overtaken. */
#ifndef GRID_CORE_TRANSPORT_H
#define GRID_CORE_TRANSPORT_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "grid/core/buffer.h"

enum {
    TRANSPORT_FIELDS = 32, /* bytes */
    /* Bytes of a body that goes in one piece with its head, and can be received when memory is out. */
    TRANSPORT_SMALL = 1024
};

/* The same layout on all machines of a run. */
typedef struct {
    int32_t tag, unused;
    unsigned char fields[TRANSPORT_FIELDS];
} Head;

typedef struct Message Message;
struct Message {
    Head head;
    unsigned char small[TRANSPORT_SMALL]; /* behind the head: such a body on its way */
    Message *next;
    GridBuffer body;
    int32_t from;
    MPI_Request request;
};
_Static_assert(offsetof(Message, head) == 0 && offsetof(Message, small) == sizeof(Head),
               "head and small body are one piece");

typedef struct {
    MPI_Comm comm; /* the transport's own */
    int32_t rank, size;
    Message *spare, *reserve, *sending;
    Message *receiving, **receiving_end, *local, **local_end;
    int64_t *sent; /* messages to each process, itself apart */
    int64_t received;
    /* The run ends: sends use the reserve, and of a large message only the head is received, as
     * memory may be out. */
    int closing;
    int code;     /* of the last failure: GRID_ENOMEM, GRID_EMPI, GRID_EARG (2 GB or more) */
    int mpi_code; /* GRID_EMPI: MPI's error code */
    int32_t large_to; /* GRID_EARG: for which process the message was */
} Transport;

/* A head with `size` <= TRANSPORT_FIELDS bytes of fields; and these read back. */
Head head_new(int32_t tag, const void *fields, size_t size);
void head_read(const Head *head, void *fields, size_t size);

/* Collective; starts as {.comm = MPI_COMM_NULL}.  It can be closed whatever this returns.
 * Errors of these functions: -1, see Transport.code. */
int transport_open(Transport *transport, MPI_Comm comm);
/* Memory for the functions below; can fail on some processes only.  Nothing has been sent. */
int transport_prepare(Transport *transport);
/* Send; exchanges the body (NULL: none) for an empty one. */
int transport_send(Transport *transport, int32_t to, const Head *head, GridBuffer *body);
/* The same with a copy of some bytes. */
int transport_send_bytes(Transport *transport, int32_t to, const Head *head, const void *bytes,
                         size_t size);
/* The same bytes to every other process, and with `self` to this one. */
int transport_send_all(Transport *transport, const Head *head, const void *bytes, size_t size,
                       int self);
/* The next message, which the caller releases; NULL: none now. */
int transport_receive(Transport *transport, Message **out);
/* Is there something to receive?  Receives nothing, and costs two looks at MPI.  A failure
 * counts as there, for transport_receive to meet. */
int transport_waiting(const Transport *transport);
void transport_release(Transport *transport, Message *message);
/* Release what has been sent. */
int transport_progress(Transport *transport);

/* Collective, when nobody sends any more: receive and drop all messages that are on their way.
 * 1: done; 0: not done at time `until`. */
int transport_drain(Transport *transport, double until);
/* Free all messages: transport_prepare may follow.  `lost`: a process does not answer; the memory of messages in
 * flight is leaked, as MPI may still access it. */
void transport_release_all(Transport *transport, int lost);
/* Collective, unless a process is lost; after transport_release_all. */
void transport_close(Transport *transport, int lost);

#endif
