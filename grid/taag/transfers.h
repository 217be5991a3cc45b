/* The messages of one collective in parts: all that arrive are known at the beginning, what leaves
 * follows from what has arrived.  Messages to near processes leave a few at a time, since a network
 * divides its bandwidth between those that are under way: all would end at the end, and nobody
 * could work on the first ones before.  Far ones leave at once: they take their latency anyway. */
#ifndef GRID_TAAG_TRANSFERS_H
#define GRID_TAAG_TRANSFERS_H

#include <stddef.h>

#include "grid/taag/plan.h"

typedef struct {
    const void *at;
    int count, to, tag;
    MPI_Datatype type;
} Departure;

typedef struct {
    const Plan *plan;
    int limit, leaving; /* near messages at a time; now */
    int pending;        /* requests that have not ended */
    MPI_Request *requests;
    int *kind; /* of each request: >= 0: the key of an arrival; else see transfers.c */
    int *ended;
    Departure *queue; /* near messages; first .. queued - 1 have not left */
    size_t count, first, queued;
    size_t request_cap, kind_cap, ended_cap, queue_cap;
} Transfers;

void transfers_begin(Transfers *t, const Plan *plan, int limit);
/* Cancels arrivals that are still expected after an error, whose buffers can then be freed. */
void transfers_end(Transfers *t);

/* Expect a message / put one in the queue.  Buffers stay until transfers_run returns.
 * `key` >= 0. */
int transfers_expect(Transfers *t, void *at, int count, MPI_Datatype type, int from, int tag,
                     int key);
int transfers_send(Transfers *t, const void *at, int count, MPI_Datatype type, int to, int tag);

/* Until all have ended, sleeping between looks: next(context, key) for each arrival, in any order.
 * It may send.  MPI's code, or that of `next`. */
int transfers_run(Transfers *t, void *context, int (*next)(void *context, int key));

#endif
