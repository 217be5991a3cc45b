/* Long data in messages of MPI: how it is divided, received and waited for. */
#include "grid/bsp/parts.h"

#include <math.h>
#include <stdlib.h>

#include "grid/core/clock.h"

/* ---- waiting -------------------------------------------------------------------------------- */

int requests_some(MPI_Request *requests, int count, int *done, Looks looks)
{
    int some = 0;
#ifdef SMPI_H
    (void)looks; /* they take simulated time */
    (void)MPI_Waitsome(count, requests, &some, done, MPI_STATUSES_IGNORE);
#else
    Backoff backoff;
    backoff_reset(&backoff);
    for (int look = 0; some == 0; look++) {
        (void)MPI_Testsome(count, requests, &some, done, MPI_STATUSES_IGNORE);
        if (some == 0 && look >= looks.pauses + looks.yields)
            backoff_wait(&backoff, HUGE_VAL);
    }
#endif
    return some;
}

void requests_await(Requests *requests, Looks looks)
{
    int count = (int)requests->count;
    while (count > 0 &&
           requests_some(requests->each, count, requests->done, looks) != MPI_UNDEFINED)
        continue;
    requests->count = 0;
}

void requests_free(Requests *requests)
{
    free(requests->each);
    free(requests->done);
    *requests = (Requests){0};
}

/* A place for one more; NULL: out of memory. */
static MPI_Request *one_more(Requests *requests)
{
    if (requests->count == requests->capacity) {
        size_t capacity = 2 * requests->capacity + 16;
        MPI_Request *each = realloc(requests->each, capacity * sizeof *each);
        if (!each)
            return NULL;
        requests->each = each;
        int *done = realloc(requests->done, capacity * sizeof *done);
        if (!done)
            return NULL;
        requests->done = done;
        requests->capacity = capacity;
    }
    return &requests->each[requests->count++];
}

/* ---- memory --------------------------------------------------------------------------------- */

int inbox_reserve(Inbox *inbox, size_t size)
{
    if (size <= inbox->capacity)
        return 0;
    size_t capacity = inbox->capacity * 2 > size ? inbox->capacity * 2 : size;
    unsigned char *bytes = realloc(inbox->bytes, capacity);
    if (!bytes)
        return -1;
    inbox->bytes = bytes;
    inbox->capacity = capacity;
    return 0;
}

void inboxes_free(Inbox *inboxes, int count)
{
    for (int p = 0; p < count && inboxes; p++) {
        for (int i = 0; i < inboxes[p].kept; i++)
            if (inboxes[p].parts[i] != MPI_REQUEST_NULL) {
                (void)MPI_Cancel(&inboxes[p].parts[i]);
                (void)MPI_Wait(&inboxes[p].parts[i], MPI_STATUS_IGNORE);
            }
        free(inboxes[p].parts);
        free(inboxes[p].bytes);
    }
    free(inboxes);
}

/* ---- parts ---------------------------------------------------------------------------------- */

/* The most bytes of a message that starts with byte `at`. */
static size_t longest(const Transport *t, int with, size_t at)
{
    return t->hosts[with] != t->host && at < AT_ONCE_MOST ? AT_ONCE : LONGEST_MESSAGE;
}

static int tag_of(const Transport *t, int with, size_t at, int tag)
{
    if (t->hosts[with] == t->host)
        return tag;
    return tag + (int)((at < AT_ONCE_MOST ? at : AT_ONCE_MOST) / AT_ONCE);
}

int parts_transfer(const Transport *t, Requests *requests, int send, unsigned char *bytes,
                   size_t at, size_t end, int with, int tag)
{
    while (at < end) {
        size_t part = longest(t, with, at);
        part = part < end - at ? part : end - at;
        MPI_Request *request = one_more(requests);
        if (!request)
            return -1;
        if (send)
            (void)MPI_Isend(bytes + at, (int)part, MPI_BYTE, with, tag_of(t, with, at, tag),
                            t->comm, request);
        else
            (void)MPI_Irecv(bytes + at, (int)part, MPI_BYTE, with, tag_of(t, with, at, tag),
                            t->comm, request);
        at += part;
    }
    return 0;
}

void parts_post(const Transport *t, Inbox *inbox, int from)
{
    for (int i = 0; i < inbox->kept; i++)
        if (inbox->parts[i] == MPI_REQUEST_NULL)
            (void)MPI_Irecv(inbox->bytes + (size_t)(i + 1) * AT_ONCE, AT_ONCE, MPI_BYTE, from,
                            TAG_REST + i + 1, t->comm, &inbox->parts[i]);
}

/* Parts 1 to `count` of those that are kept will come: they are waited for with all else. */
static int await_parts(Requests *requests, Inbox *inbox, int count)
{
    for (int i = 0; i < count; i++) {
        MPI_Request *request = one_more(requests);
        if (!request)
            return -1;
        *request = inbox->parts[i];
        inbox->parts[i] = MPI_REQUEST_NULL;
    }
    return 0;
}

/* From now on `count` parts. */
static int keep_parts(Inbox *inbox, int count)
{
    MPI_Request *parts = realloc(inbox->parts, (size_t)count * sizeof(MPI_Request));
    if (!parts)
        return -1;
    inbox->parts = parts;
    while (inbox->kept < count)
        parts[inbox->kept++] = MPI_REQUEST_NULL;
    return 0;
}

int parts_take(const Transport *t, Requests *requests, Inbox *inbox, int from, size_t total)
{
    const size_t all = (total + AT_ONCE - 1) / AT_ONCE;
    const int coming = (int)(all < PARTS ? all : PARTS) - 1, kept = inbox->kept;
    const int ready = coming < kept ? coming : kept;
    if (total > inbox->capacity &&
        kept > 0) { /* it moves: what is received into it is there before */
        int done[PARTS];
        while (requests_some(inbox->parts, kept, done, t->looks) != MPI_UNDEFINED)
            continue;
    }
    if (await_parts(requests, inbox, ready) || inbox_reserve(inbox, all * AT_ONCE) ||
        parts_transfer(t, requests, 0, inbox->bytes, (size_t)(ready + 1) * AT_ONCE, total, from,
                       TAG_REST))
        return -1;
    return t->hosts[from] != t->host && coming > kept ? keep_parts(inbox, coming) : 0;
}
