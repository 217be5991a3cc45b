/* Messages between the processes of a run: a head and bytes, sent and received without ever
 * waiting.
 *
 * To oneself there is a queue, without MPI.  Messages of a sender whose bodies are small
 * (WIRE_SMALL) come in the order in which they were sent, and nothing overtakes them.  One of more
 * size may be overtaken; the protocols on top (flow.h, shift.h) say why that is no harm. */
#ifndef GRID_WIRE_H
#define GRID_WIRE_H

#include "grid/buffer.h"

/* Everything that can be said.  Of a unit: flow.h; of a change of mapping: shift.h. */
typedef enum {
    SAY_CREDIT,  /* unit + 1 can take an item */
    SAY_ITEM,    /* for unit; end: there are no more; time: when its move began */
    SAY_MOVED,   /* unit's item has moved on; time: when */
    SAY_DONE,    /* to process 0: the last item is through the sink; a GridReport */
    SAY_REPORT,  /* to process 0: watch.h */
    SAY_ALIVE,   /* from process 0 */
    SAY_PING,    /* from anybody: watch.h */
    SAY_PONG,    /* the answer; time: the question's; spent: when; item: nanoseconds, watch.h */
    SAY_FREEZE,  /* from process 0: a mapping, for `epoch` */
    SAY_QUIET,   /* to process 0 */
    SAY_SHIP,    /* from process 0 */
    SAY_UNIT,    /* a unit that changes its place */
    SAY_SETTLED, /* to process 0 */
    SAY_RESUME,  /* from process 0 */
    SAY_STARTED, /* to process 0: time: first work under the new mapping */
    SAY_FAILED,  /* to process 0: a GridError */
    SAY_STOP     /* from process 0: the last word: a Ending */
} Saying;

/* The same layout on all machines of a run. */
typedef struct {
    int32_t saying, unit, epoch, end;
    int64_t item;
    double time, spent;
} Head;

typedef struct Message Message;
struct Message {
    Message *next;
    Head head;
    GridBuffer body;
    int32_t from;
    MPI_Request request;
};

typedef struct {
    MPI_Comm comm; /* the wire's own */
    int32_t rank, size;
    Message *spare, *reserve, *sending;
    Message *receiving, **receiving_end, *local, **local_end;
    int64_t *sent; /* messages to each process, itself apart */
    int64_t received;
    int last_words; /* only what fits into the reserve is received whole: memory may be out */
    int code;       /* of the last failure: GRID_ENOMEM, GRID_EMPI, GRID_EARG */
    int mpi_code;   /* GRID_EMPI: what MPI said */
} Wire;

enum { WIRE_SMALL = 1024 }; /* bytes of a body that fit whatever happens */

/* Collective.  The wire can be closed whatever this returns.
 * Errors of these functions: -1, see Wire.code. */
int wire_open(Wire *wire, MPI_Comm comm);
/* Memory for the others; may fail on some processes only. */
int wire_prepare(Wire *wire);
/* body (NULL: none) is exchanged for an empty one. */
int wire_send(Wire *wire, int32_t to, const Head *head, GridBuffer *body);
/* The same with a copy of some bytes. */
int wire_send_bytes(Wire *wire, int32_t to, const Head *head, const void *bytes, size_t size);
/* The same bytes to every other process, and with `self` to this one. */
int wire_send_all(Wire *wire, const Head *head, const void *bytes, size_t size, int self);
/* The next message, to be released; NULL: there is none now. */
int wire_receive(Wire *wire, Message **out);
void wire_release(Wire *wire, Message *message);
/* Let go of what has been sent. */
int wire_progress(Wire *wire);
/* Has all that was to be sent gone and all that began to arrive come? */
int wire_idle(const Wire *wire);

/* Collective: receive and forget all that is still under way to anybody, until `until`; nobody
 * sends any more.  1: done; 0: not by then. */
int wire_drain(Wire *wire, double until);
/* Free everything; with lost processes, what MPI may still look at is left to it for ever. */
void wire_close(Wire *wire, int lost);

#endif
