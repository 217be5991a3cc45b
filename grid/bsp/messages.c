/* Messages of MPI: for processes on several machines.
 *
 * When a superstep ends, each process sends one message to each other process: the start of its
 * buffer.  That is the barrier as well; it takes one latency.  If there is more in the buffer it
 * follows at once (parts.h), and the start says how much: so all of it takes one latency, and the time
 * that the link needs for the bytes.  Partners follow the order of the schedule (schedule.h), so that
 * a process is not sent to by all at once.  Waiting looks a few times and then sleeps. */
#include "grid/bsp/messages.h"

#include <stdlib.h>
#include <string.h>

#include "grid/bsp/schedule.h"

/* ---- memory --------------------------------------------------------------------------------- */

void messages_close(Transport *t)
{
    Messages *m = t->state;
    for (int p = 0; p < t->nprocs && t->out; p++)
        free(t->out[p].bytes);
    if (m) {
        inboxes_free(m->inboxes, t->nprocs);
        inboxes_free(m->replies, t->nprocs);
        inboxes_free(m->replied, t->nprocs);
        requests_free(&m->others);
        free(m->order);
        free(m->waits);
        free(m->firsts);
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
    const size_t used = outbox_used(out);
    size_t capacity = 2 * out->capacity > need ? 2 * out->capacity : need;
    unsigned char *bytes = realloc(out->bytes, capacity);
    if (!bytes)
        return -1;
    out->bytes = bytes;
    out->at = bytes + used;
    out->capacity = capacity;
    return 0;
}

unsigned char *messages_room(Transport *t, int to, size_t size)
{
    Outbox *out = &t->out[to];
    if (grow(t, to, outbox_used(out) + size))
        return NULL;
    out->at += size;
    return out->at - size;
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
    m->done = malloc(n * sizeof *m->done);
    if (!m->inboxes || !m->replies || !m->replied || !m->order || !m->waits || !m->firsts ||
        !m->done)
        return -1;
    for (int p = 0; p < t->nprocs; p++) {
        if (inbox_reserve(&m->inboxes[p], FIRST_MESSAGE) || grow(t, p, sizeof(Header)))
            return -1;
        m->firsts[p] = MPI_REQUEST_NULL;
    }
    schedule_partners(t->nprocs, t->pid, m->order);
    return 0;
}

int messages_open(Transport *t)
{
    int failed = allocate(t), worst = 0;
    (void)MPI_Allreduce(&failed, &worst, 1, MPI_INT, MPI_MIN, t->comm);
    if (worst) {
        messages_close(t);
        return -1;
    }
    for (int p = 0; p < t->nprocs; p++)
        t->out[p].at += sizeof(Header);
    return 0;
}

/* ---- exchanges ------------------------------------------------------------------------------ */

void messages_begin(Transport *t, const Group *group)
{
    Messages *m = t->state;
    memset(m->waits, 0, (size_t)t->nprocs);
    for (int i = 0; i < group->count; i++)
        m->waits[group->members[i]] = group->members[i] != t->pid;
    for (int i = 0; i < t->nprocs - 1; i++)
        if (m->waits[m->order[i]])
            parts_post(t, &m->inboxes[m->order[i]], m->order[i]);
}

size_t messages_first(Transport *t, int to)
{
    const Outbox *out = &t->out[to];
    memcpy(out->bytes, &out->head, sizeof(Header));
    return outbox_used(out) < FIRST_MESSAGE ? outbox_used(out) : FIRST_MESSAGE;
}

int messages_send_rest(Transport *t, int to)
{
    Messages *m = t->state;
    return parts_transfer(t, &m->others, 1, t->out[to].bytes, FIRST_MESSAGE,
                          outbox_used(&t->out[to]), to, TAG_REST);
}

static int start(Transport *t)
{
    Messages *m = t->state;
    for (int i = 0; i < t->nprocs - 1; i++) {
        int p = m->order[i];
        if (m->waits[p])
            (void)MPI_Irecv(m->inboxes[p].bytes, FIRST_MESSAGE, MPI_BYTE, p, TAG_FIRST, t->comm,
                            &m->firsts[p]);
    }
    for (int i = 0; i < t->nprocs - 1; i++) {
        int p = m->order[i];
        if (m->waits[p] && (parts_transfer(t, &m->others, 1, t->out[p].bytes, 0,
                                           messages_first(t, p), p, TAG_FIRST) ||
                            messages_send_rest(t, p)))
            return -1;
    }
    return 0;
}

int messages_take(Transport *t, const Group *group, int from, const unsigned char *first)
{
    Messages *m = t->state;
    Inbox *inbox = &m->inboxes[from];
    const Header *head = (const Header *)(const void *)first;
    const size_t total = (size_t)head->total;
    if (head->depth != group->depth) {
        t->stray = (Stray){.pid = from, .call = head->call, .depth = head->depth};
        return 1;
    }
    t->in[from] = first;
    if (total <= FIRST_MESSAGE)
        return 0;
    if (first != inbox->bytes)
        memcpy(inbox->bytes, first, FIRST_MESSAGE);
    if (parts_take(t, &m->others, inbox, from, total))
        return -1;
    t->in[from] = inbox->bytes;
    return 0;
}

/* First messages, and receives of what follows them. */
static int take_firsts(Transport *t, const Group *group)
{
    Messages *m = t->state;
    int some, status = 0;
    while (status == 0 &&
           (some = requests_some(m->firsts, t->nprocs, m->done, t->looks)) != MPI_UNDEFINED)
        for (int i = 0; i < some && status == 0; i++)
            status = messages_take(t, group, m->done[i], m->inboxes[m->done[i]].bytes);
    return status;
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
    t->in[t->pid] = inbox->bytes;
}

void messages_finish(Transport *t, const Group *group)
{
    requests_await(&((Messages *)t->state)->others, t->looks);
    keep_own(t);
    for (int i = 0; i < group->count; i++)
        t->out[group->members[i]].at = t->out[group->members[i]].bytes + sizeof(Header);
}

static int messages_exchange(Transport *t, const Group *group)
{
    messages_begin(t, group);
    int status = start(t);
    status = status ? status : take_firsts(t, group);
    if (status == 0)
        messages_finish(t, group);
    return status;
}

/* ---- replies -------------------------------------------------------------------------------- */

unsigned char *messages_reply(Transport *t, int to, size_t size)
{
    Inbox *reply = &((Messages *)t->state)->replies[to];
    return inbox_reserve(reply, size > 0 ? size : 1) ? NULL : reply->bytes;
}

int messages_replies(Transport *t, const Group *group, const uint64_t *give, const uint64_t *take)
{
    Messages *m = t->state;
    for (int i = 0; i < group->count; i++) {
        int p = group->members[i];
        Inbox *from = p == t->pid ? &m->replies[p] : &m->replied[p];
        if (inbox_reserve(from, (size_t)take[p]))
            return -1;
        t->replied[p] = from->bytes;
        if (p != t->pid &&
            parts_transfer(t, &m->others, 0, from->bytes, 0, (size_t)take[p], p, TAG_REPLY))
            return -1;
    }
    for (int i = 0; i < group->count; i++) {
        int p = group->members[i];
        if (p != t->pid &&
            parts_transfer(t, &m->others, 1, m->replies[p].bytes, 0, (size_t)give[p], p, TAG_REPLY))
            return -1;
    }
    requests_await(&m->others, t->looks);
    return 0;
}

const TransportKind transport_messages = {.name = "messages",
                                          .open = messages_open,
                                          .close = messages_close,
                                          .room = messages_room,
                                          .exchange = messages_exchange,
                                          .reply = messages_reply,
                                          .replies = messages_replies};
