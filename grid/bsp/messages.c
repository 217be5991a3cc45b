/* Messages of MPI: for processes on several machines.
 *
 * When a superstep ends, each process sends one message to each other process: the start of its
 * buffer.  That is the barrier as well; it takes one latency.  If there is more in the buffer it
 * follows at once, and the start says how much.  Between machines it goes in messages of a size that
 * MPI sends without asking the receiver: so all of it takes one latency, and the time that the link
 * needs for the bytes.  Partners follow the order of the schedule (schedule.h), so
 * that a process is not sent to by all at once.  Waiting looks a few times and then sleeps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/bsp/schedule.h"
#include "grid/bsp/transport.h"
#include "grid/bsp/tuning.h"
#include "grid/core/clock.h"

/* A message of what follows has the tag TAG_REST or TAG_REPLY plus the number of its part. */
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

typedef struct {
    Inbox *inboxes, *replies, *replied; /* by process; replies: to it, replied: from it */
    int *order;                         /* of partners */
    unsigned char *waits;               /* by process: it takes part in this exchange */
    MPI_Request *firsts, *others;       /* receives of first messages by process; all else */
    int *done;
    size_t first_count, other_count, other_capacity;
} Messages;

/* ---- waiting -------------------------------------------------------------------------------- */

/* Some requests are done: their number, which are in `done`; MPI_UNDEFINED: none is active. */
static int await_some(MPI_Request *requests, int count, int *done, Looks looks)
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

static void await_others(Transport *t)
{
    Messages *m = t->state;
    int count = (int)m->other_count;
    while (count > 0 && await_some(m->others, count, m->done, t->looks) != MPI_UNDEFINED)
        continue;
    m->other_count = 0;
}

/* ---- memory --------------------------------------------------------------------------------- */

static int reserve(Inbox *inbox, size_t size)
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

/* A place for one more request; NULL: out of memory.  `done` is as long as both arrays. */
static MPI_Request *other_request(Transport *t)
{
    Messages *m = t->state;
    if (m->other_count == m->other_capacity) {
        size_t capacity = 2 * m->other_capacity + 2 * (size_t)t->nprocs;
        MPI_Request *others = realloc(m->others, capacity * sizeof *others);
        if (!others)
            return NULL;
        m->others = others;
        int *done = realloc(m->done, (capacity + (size_t)t->nprocs + PARTS) * sizeof *done);
        if (!done)
            return NULL;
        m->done = done;
        m->other_capacity = capacity;
    }
    return &m->others[m->other_count++];
}

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

/* Send or receive the bytes from `at` to `end`.  0; -1: out of memory. */
static int transfer(Transport *t, int send, unsigned char *bytes, size_t at, size_t end, int with,
                    int tag)
{
    while (at < end) {
        size_t part = longest(t, with, at);
        part = part < end - at ? part : end - at;
        MPI_Request *request = other_request(t);
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

/* ---- the interface -------------------------------------------------------------------------- */

static void free_inboxes(Inbox *inboxes, int count)
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

static void messages_close(Transport *t)
{
    Messages *m = t->state;
    for (int p = 0; p < t->nprocs && t->out; p++)
        free(t->out[p].bytes);
    if (m) {
        free_inboxes(m->inboxes, t->nprocs);
        free_inboxes(m->replies, t->nprocs);
        free_inboxes(m->replied, t->nprocs);
        free(m->order);
        free(m->waits);
        free(m->firsts);
        free(m->others);
        free(m->done);
    }
    free(m);
    free(t->out);
    free(t->in);
    free(t->replied);
    t->state = t->out = NULL;
    t->in = t->replied = NULL;
}

static int grow(Transport *t, int to, size_t need)
{
    Outbox *out = &t->out[to];
    size_t capacity = 2 * out->capacity > need ? 2 * out->capacity : need;
    unsigned char *bytes = realloc(out->bytes, capacity);
    if (!bytes)
        return -1;
    out->bytes = bytes;
    out->capacity = capacity;
    return 0;
}

static unsigned char *messages_room(Transport *t, int to, size_t size)
{
    Outbox *out = &t->out[to];
    if (grow(t, to, out->used + size))
        return NULL;
    out->used += size;
    return out->bytes + out->used - size;
}

static int allocate(Transport *t)
{
    size_t n = (size_t)t->nprocs;
    Messages *m = t->state = calloc(1, sizeof *m);
    t->out = calloc(n, sizeof *t->out);
    t->in = calloc(n, sizeof *t->in);
    t->replied = calloc(n, sizeof *t->replied);
    if (!m || !t->out || !t->in || !t->replied)
        return -1;
    m->inboxes = calloc(n, sizeof *m->inboxes);
    m->replies = calloc(n, sizeof *m->replies);
    m->replied = calloc(n, sizeof *m->replied);
    m->order = calloc(n, sizeof *m->order);
    m->waits = calloc(n, sizeof *m->waits);
    m->firsts = malloc(n * sizeof *m->firsts);
    m->done = malloc((n + PARTS) * sizeof *m->done);
    if (!m->inboxes || !m->replies || !m->replied || !m->order || !m->waits || !m->firsts ||
        !m->done)
        return -1;
    for (int p = 0; p < t->nprocs; p++) {
        if (reserve(&m->inboxes[p], FIRST_MESSAGE) || grow(t, p, sizeof(Header)))
            return -1;
        m->firsts[p] = MPI_REQUEST_NULL;
    }
    schedule_partners(t->nprocs, t->pid, m->order);
    return 0;
}

static int messages_open(Transport *t)
{
    int failed = allocate(t), worst = 0;
    (void)MPI_Allreduce(&failed, &worst, 1, MPI_INT, MPI_MIN, t->comm);
    if (worst) {
        messages_close(t);
        return -1;
    }
    for (int p = 0; p < t->nprocs; p++)
        t->out[p].used = sizeof(Header);
    return 0;
}

/* To itself: the outbox becomes the inbox. */
static void keep_own(Transport *t)
{
    Inbox *inbox = &((Messages *)t->state)->inboxes[t->pid];
    Outbox *out = &t->out[t->pid];
    Inbox before = *inbox;
    memcpy(out->bytes, &out->head, sizeof(Header));
    *inbox = (Inbox){.bytes = out->bytes, .capacity = out->capacity};
    *out = (Outbox){.bytes = before.bytes, .capacity = before.capacity};
}

/* Be ready for the parts that may come from `from`. */
static void post_parts(Transport *t, int from)
{
    Inbox *inbox = &((Messages *)t->state)->inboxes[from];
    for (int i = 0; i < inbox->kept; i++)
        if (inbox->parts[i] == MPI_REQUEST_NULL)
            (void)MPI_Irecv(inbox->bytes + (size_t)(i + 1) * AT_ONCE, AT_ONCE, MPI_BYTE, from,
                            TAG_REST + i + 1, t->comm, &inbox->parts[i]);
}

static int start(Transport *t)
{
    Messages *m = t->state;
    for (int i = 0; i < t->nprocs - 1; i++) {
        int p = m->order[i];
        if (!m->waits[p])
            continue;
        (void)MPI_Irecv(m->inboxes[p].bytes, FIRST_MESSAGE, MPI_BYTE, p, TAG_FIRST, t->comm,
                        &m->firsts[p]);
        post_parts(t, p);
    }
    for (int i = 0; i < t->nprocs - 1; i++) {
        int p = m->order[i];
        if (!m->waits[p])
            continue;
        memcpy(t->out[p].bytes, &t->out[p].head, sizeof(Header));
        size_t total = t->out[p].used, first = total < FIRST_MESSAGE ? total : FIRST_MESSAGE;
        if (transfer(t, 1, t->out[p].bytes, 0, first, p, TAG_FIRST) ||
            transfer(t, 1, t->out[p].bytes, first, total, p, TAG_REST))
            return -1;
    }
    return 0;
}

/* Parts 1 to `count` of those that are kept will come: they are waited for with all else. */
static int await_parts(Transport *t, Inbox *inbox, int count)
{
    for (int i = 0; i < count; i++) {
        MPI_Request *request = other_request(t);
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

/* What follows the first message. */
static int take_rest(Transport *t, int from, size_t total)
{
    Messages *m = t->state;
    Inbox *inbox = &m->inboxes[from];
    const size_t all = (total + AT_ONCE - 1) / AT_ONCE;
    const int coming = (int)(all < PARTS ? all : PARTS) - 1, kept = inbox->kept;
    const int ready = coming < kept ? coming : kept;
    if (total > inbox->capacity) /* it moves: what is received into it must be there before */
        while (await_some(inbox->parts, kept, m->done, t->looks) != MPI_UNDEFINED)
            continue;
    if (await_parts(t, inbox, ready) || reserve(inbox, all * AT_ONCE) ||
        transfer(t, 0, inbox->bytes, (size_t)(ready + 1) * AT_ONCE, total, from, TAG_REST))
        return -1;
    return t->hosts[from] != t->host && coming > kept ? keep_parts(inbox, coming) : 0;
}

/* As TransportKind.exchange. */
static int check_depth(Transport *t, int from, const Header *head, const Group *group)
{
    if (head->depth == group->depth)
        return 0;
    t->stray = (Stray){.pid = from, .call = head->call, .depth = head->depth};
    return 1;
}

/* First messages, and receives of what follows them.  As TransportKind.exchange. */
static int take_firsts(Transport *t, const Group *group)
{
    Messages *m = t->state;
    for (;;) {
        int some = await_some(m->firsts, t->nprocs, m->done, t->looks);
        if (some == MPI_UNDEFINED)
            return 0;
        for (int i = 0; i < some; i++) {
            Inbox *inbox = &m->inboxes[m->done[i]];
            const Header *head = (const Header *)(const void *)inbox->bytes;
            size_t total = (size_t)head->total;
            int from = m->done[i];
            if (check_depth(t, from, head, group))
                return 1;
            if (total > FIRST_MESSAGE && take_rest(t, from, total))
                return -1;
        }
    }
}

static int messages_exchange(Transport *t, const Group *group)
{
    Messages *m = t->state;
    memset(m->waits, 0, (size_t)t->nprocs);
    for (int i = 0; i < group->count; i++)
        m->waits[group->members[i]] = group->members[i] != t->pid;
    int status = start(t);
    status = status ? status : take_firsts(t, group);
    if (status)
        return status;
    await_others(t);
    keep_own(t);
    for (int i = 0; i < group->count; i++) {
        int p = group->members[i];
        t->in[p] = m->inboxes[p].bytes;
        t->out[p].used = sizeof(Header);
    }
    return 0;
}

static unsigned char *messages_reply(Transport *t, int to, size_t size)
{
    Inbox *reply = &((Messages *)t->state)->replies[to];
    return reserve(reply, size > 0 ? size : 1) ? NULL : reply->bytes;
}

static int messages_replies(Transport *t, const Group *group, const uint64_t *give,
                            const uint64_t *take)
{
    Messages *m = t->state;
    for (int i = 0; i < group->count; i++) {
        int p = group->members[i];
        Inbox *from = p == t->pid ? &m->replies[p] : &m->replied[p];
        if (reserve(from, (size_t)take[p]))
            return -1;
        t->replied[p] = from->bytes;
        if (p != t->pid && transfer(t, 0, from->bytes, 0, (size_t)take[p], p, TAG_REPLY))
            return -1;
    }
    for (int i = 0; i < group->count; i++) {
        int p = group->members[i];
        if (p != t->pid && transfer(t, 1, m->replies[p].bytes, 0, (size_t)give[p], p, TAG_REPLY))
            return -1;
    }
    await_others(t);
    return 0;
}

const TransportKind transport_messages = {.name = "messages",
                                          .open = messages_open,
                                          .close = messages_close,
                                          .room = messages_room,
                                          .exchange = messages_exchange,
                                          .reply = messages_reply,
                                          .replies = messages_replies};
