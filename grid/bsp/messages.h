/* What the two transports over MPI have in common: buffers, and answers to gets. */
#ifndef GRID_BSP_MESSAGES_H
#define GRID_BSP_MESSAGES_H

#include "grid/bsp/parts.h"

typedef struct Window Window;

typedef struct {
    Inbox *inboxes, *replies, *replied; /* by process; replies: to it, replied: from it */
    int *order;                         /* of partners */
    unsigned char *waits;               /* by process: it takes part in this exchange */
    MPI_Request *firsts;                /* by process: receives of first messages */
    int *done;                          /* scratch, as long */
    Requests others;
    Window *window; /* of the one-sided transport */
} Messages;

/* As in TransportKind. */
int messages_open(Transport *t);
void messages_close(Transport *t);
unsigned char *messages_room(Transport *t, int to, size_t size);
unsigned char *messages_reply(Transport *t, int to, size_t size);
int messages_replies(Transport *t, const Group *group, const uint64_t *give, const uint64_t *take);

/* Parts of an exchange.  Who takes part; the header is in the outbox; the rest of it is sent. */
void messages_begin(Transport *t, const Group *group);
/* The bytes of the first message to a process, with the header in place. */
size_t messages_first(Transport *t, int to);
/* 0; -1: out of memory. */
int messages_send_rest(Transport *t, int to);
/* A first message of `from` is at `first`, and may be in its inbox.  As TransportKind.exchange. */
int messages_take(Transport *t, const Group *group, int from, const unsigned char *first);
/* All has come. */
void messages_finish(Transport *t, const Group *group);

#endif
