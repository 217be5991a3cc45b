/* Long data in messages of MPI: how it is divided, received and waited for.
 *
 * Between machines it goes in parts of a size that MPI sends without asking the receiver (tuning.h),
 * within a machine in one.  A part has a tag of its own. */
#ifndef GRID_BSP_PARTS_H
#define GRID_BSP_PARTS_H

#include "grid/bsp/transport.h"
#include "grid/bsp/tuning.h"

/* A part of what follows a first message has the tag TAG_REST plus its number, from 1, one of a reply
 * TAG_REPLY plus its number, from 0. */
enum {
    PARTS = AT_ONCE_MOST / AT_ONCE,
    TAG_FIRST = 1,
    TAG_REST = 2,
    TAG_REPLY = TAG_REST + PARTS + 1
};

/* What comes from a process.  Receives of as many parts as came at most are kept ready, so that not
 * even an MPI that asks the receiver for each message makes data wait; those for which nothing comes
 * stay for the next superstep. */
typedef struct {
    unsigned char *bytes;
    size_t capacity;
    MPI_Request *parts; /* [kept]: of the parts 1 .. */
    int kept;
} Inbox;

/* Messages that are under way. */
typedef struct {
    MPI_Request *each;
    int *done; /* scratch, as long */
    size_t count, capacity;
} Requests;

/* Some requests are done: their number, which are in `done`; MPI_UNDEFINED: none is active. */
int requests_some(MPI_Request *requests, int count, int *done, Looks looks);
/* Until all are done. */
void requests_await(Requests *requests, Looks looks);
void requests_free(Requests *requests);

/* What is in it stays.  No part is under way.  0; -1: out of memory. */
int inbox_reserve(Inbox *inbox, size_t size);
void inboxes_free(Inbox *inboxes, int count);

/* Send (or receive) the bytes from `at` to `end`.  0; -1: out of memory. */
int parts_transfer(const Transport *t, Requests *requests, int send, unsigned char *bytes,
                   size_t at, size_t end, int with, int tag);
/* Be ready for the parts that may follow a first message. */
void parts_post(const Transport *t, Inbox *inbox, int from);
/* Receive what follows a first message, of `total` bytes with it.  0; -1: out of memory. */
int parts_take(const Transport *t, Requests *requests, Inbox *inbox, int from, size_t total);

#endif
