/* The end of a superstep: what has been sent takes effect.
 *
 * One exchange brings puts, messages, requests of gets and changes of registrations.  Then each
 * process answers requests, before anything writes into its memory; waits for answers, if it asked;
 * writes what it got; and writes what others put.  Only processes that asked wait a second time. */
#include "grid/bsp/superstep.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid/bsp/tuning.h"
#include "grid/core/guard.h"

static const char *call_name(int call)
{
    static const char *const names[] = {"bsp_sync", "bsp_end", "bsp_sync_group", "bsp_push_group"};
    return names[call];
}

/* ---- sending -------------------------------------------------------------------------------- */

static void append(Bsp *bsp, const char *name, int to, const void *bytes, size_t size)
{
    if (size == 0)
        return;
    unsigned char *room = transport_room(&bsp->transport, to, size);
    if (!room)
        context_out_of_memory(name);
    memcpy(room, bytes, size);
}

static void complete_outbox(Bsp *bsp, const char *name, int to, const Header *header)
{
    const GridBuffer *requests = &bsp->requests[to], *changes = &bsp->registry.changes;
    Header head = *header;
    outbox_end_run(&bsp->transport.out[to]);
    head.requests = transport_size(&bsp->transport, to);
    append(bsp, name, to, requests->bytes, requests->size);
    head.changes = transport_size(&bsp->transport, to);
    if (head.depth == 0)
        append(bsp, name, to, changes->bytes, changes->size);
    head.total = transport_size(&bsp->transport, to);
    head.direct = bsp->copies_with[to];
    record_send(&bsp->record, to, head.total - sizeof head);
    bsp->transport.out[to].head = head;
    bsp->requests[to].size = 0;
}

/* ---- mistakes that only show in all processes' calls ---------------------------------------- */

/* Of those who find a process in another group, who says so: the first one that is in the inner group. */
static int speaker(const Stray *stray, const Group *group)
{
    if (group->depth < stray->depth)
        return stray->pid;
    return group->members[group->members[0] == stray->pid && group->count > 1];
}

static void exchange(Bsp *bsp, const char *name, const Group *group)
{
    const Stray *stray = &bsp->transport.stray;
    const int status = bsp->transport.kind->exchange(&bsp->transport, group);
    if (status > 0)
        context_fail_all(name, speaker(stray, group),
                         "process %d called %s in %d groups, this one in %d: all processes of a "
                         "group enter and leave groups in it, and end its supersteps, together",
                         stray->pid, call_name(stray->call), stray->depth, group->depth);
    if (status < 0)
        context_out_of_memory(name);
}

static void check_calls(Bsp *bsp, const char *name, const Header *header, const Group *group)
{
    for (int i = 0; i < group->count; i++) {
        const Header *other = transport_got(&bsp->transport, group->members[i]);
        if (other->call != header->call)
            context_fail_all(name, group->members[0], "process %d called %s instead",
                             group->members[i], call_name(other->call));
    }
}

static void check_tag_sizes(const Bsp *bsp, const Group *group)
{
    const Header *first = transport_got(&bsp->transport, group->members[0]);
    for (int i = 1; i < group->count; i++) {
        const Header *other = transport_got(&bsp->transport, group->members[i]);
        if (other->tag_size != first->tag_size)
            context_fail_all("bsp_set_tagsize", group->members[0],
                             "the tag size becomes %d here, but %d on process %d", first->tag_size,
                             other->tag_size, group->members[i]);
        if (other->tag_calls != first->tag_calls)
            context_fail_all("bsp_set_tagsize", group->members[0],
                             "%d calls in this superstep here, but %d on process %d",
                             first->tag_calls, other->tag_calls, group->members[i]);
    }
}

static void explain_mismatch(const Mismatch *mismatch)
{
    switch (mismatch->what) {
    case MISMATCH_NONE:
        return;
    case MISMATCH_MEMORY:
        context_out_of_memory("bsp_sync");
    case MISMATCH_COUNT:
        context_fail_all(mismatch->pops ? "bsp_pop_reg" : "bsp_push_reg", 0,
                         "%zu calls of bsp_push_reg and bsp_pop_reg here, but %zu on process %d",
                         mismatch->counts[0], mismatch->counts[1], mismatch->other);
    case MISMATCH_KIND:
        context_fail_all("bsp_push_reg", 0,
                         "bsp_push_reg and bsp_pop_reg were called in different orders here and "
                         "on process %d (the calls with number %zu differ)",
                         mismatch->other, mismatch->at + 1);
    case MISMATCH_SERIAL:
        context_fail_all("bsp_pop_reg", 0,
                         "processes %d and %d removed different registrations (by call number %zu)",
                         mismatch->first, mismatch->other, mismatch->at + 1);
    case MISMATCH_NULL:
        context_fail_all("bsp_pop_reg", 0,
                         "all processes removed NULL, which is not registered by all");
    }
}

/* ---- gets ----------------------------------------------------------------------------------- */

static void serve(Bsp *bsp, const char *name, int p)
{
    const unsigned char *in = bsp->transport.in[p];
    const Header *head = transport_got(&bsp->transport, p);
    const Request *requests = (const Request *)(const void *)(in + head->requests);
    size_t count = (size_t)(head->changes - head->requests) / sizeof *requests;
    uint64_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += requests[i].size;
    bsp->given[p] = size;
    if (count == 0)
        return;
    unsigned char *to = bsp->transport.kind->reply(&bsp->transport, p, (size_t)size);
    if (!to)
        context_out_of_memory(name);
    for (size_t i = 0; i < count; i++) {
        memcpy(to, (const void *)(uintptr_t)requests[i].address, (size_t)requests[i].size);
        to += requests[i].size;
    }
}

static int is_member(const Group *group, int pid)
{
    if (group->depth == 0)
        return 1;
    for (int i = 0; i < group->count; i++)
        if (group->members[i] == pid)
            return 1;
    return 0;
}

/* Write what came, in the order of the calls; keep gets from processes that are not in the group. */
static void write_gets(Bsp *bsp, const Group *group)
{
    uint64_t *at = bsp->given; /* by process: how much has been written */
    size_t kept = 0;
    memset(at, 0, (size_t)bsp->nprocs * sizeof *at);
    for (size_t i = 0; i < bsp->get_count; i++) {
        const Get *get = &bsp->gets[i];
        if (!is_member(group, get->from)) {
            bsp->gets[kept++] = *get;
            continue;
        }
        memcpy(get->to, bsp->transport.replied[get->from] + at[get->from], get->size);
        at[get->from] += get->size;
    }
    bsp->get_count = kept;
}

static void exchange_gets(Bsp *bsp, const char *name, const Group *group)
{
    Transport *t = &bsp->transport;
    int any = 0;
    memset(bsp->given, 0, (size_t)bsp->nprocs * sizeof *bsp->given);
    for (int i = 0; i < group->count; i++) {
        int p = group->members[i];
        serve(bsp, name, p);
        any |= bsp->given[p] > 0 || bsp->asked[p] > 0;
        record_reply(&bsp->record, p, bsp->given[p]);
    }
    if (!any)
        return;
    if (t->kind->replies(t, group, bsp->given, bsp->asked))
        context_out_of_memory(name);
    write_gets(bsp, group);
    for (int i = 0; i < group->count; i++)
        bsp->asked[group->members[i]] = 0;
}

/* ---- unbuffered puts and gets ---------------------------------------------------------------- */

/* All processes are at the end of this superstep, so that nothing of the one before writes any more
 * where this writes. */
static void make_copies(Bsp *bsp, const Group *group)
{
    Transport *t = &bsp->transport;
    size_t kept = 0;
    for (size_t i = 0; i < bsp->copy_count; i++) {
        const Copy *copy = &bsp->copies[i];
        if (!is_member(group, copy->with))
            bsp->copies[kept++] = *copy;
        else if (t->kind->copy(t, copy->with, copy->here, copy->there, copy->size, copy->write))
            context_fail(copy->write ? "bsp_hpput" : "bsp_hpget",
                         "cannot copy %lu bytes %s process %d: %s", (unsigned long)copy->size,
                         copy->write ? "to" : "from", copy->with, strerror(errno));
        else
            (copy->write ? record_send : record_take)(&bsp->record, copy->with, copy->size);
    }
    bsp->copy_count = kept;
    for (int i = 0; i < group->count; i++) {
        int p = group->members[i];
        if (bsp->copies_with[p] > 0)
            t->kind->copied(t, p);
        bsp->copies_with[p] = 0;
    }
}

/* Nobody copies from or to this process any more. */
static void await_copies(Bsp *bsp, const Group *group)
{
    for (int i = 0; i < group->count; i++)
        if (transport_got(&bsp->transport, group->members[i])->direct > 0)
            bsp->transport.kind->await_copies(&bsp->transport, group->members[i]);
}

/* ---- puts and messages ---------------------------------------------------------------------- */

static void enqueue(Bsp *bsp, const char *name, const Message *message)
{
    Queue *queue = &bsp->queue;
    if (queue->count == queue->capacity)
        context_reserve(name, (void **)&queue->each, &queue->capacity, queue->count + 1,
                        sizeof *queue->each);
    queue->each[queue->count++] = message;
    queue->bytes += message->size;
}

/* Numbers at equal distances, which may be less than a number, or below 0: in the order of the calls. */
static const unsigned char *take_run(const uint64_t *words)
{
    unsigned char *to = (unsigned char *)(uintptr_t)entry_address(words[0]);
    const ptrdiff_t distance = (int32_t)(uint32_t)words[1];
    const uint64_t *numbers = words + 2, *end = numbers + (words[1] >> 32);
    if (distance == NUMBER) {
        memcpy(to, numbers, (size_t)(end - numbers) * NUMBER);
        return (const unsigned char *)end;
    }
    for (; numbers < end; numbers++, to += distance)
        memcpy(to, numbers, NUMBER);
    return (const unsigned char *)end;
}

/* A put: write it.  Returns its end. */
static const unsigned char *take_put(const unsigned char *at, uint64_t word)
{
    const uint64_t *words = (const uint64_t *)(const void *)at;
    unsigned code = entry_code(word);
    if (code == sizeof(double)) { /* the most frequent size: one move */
        memcpy((void *)(uintptr_t)entry_address(word), words + 1, sizeof(double));
        return at + 2 * sizeof *words;
    }
    if (code == ENTRY_RUN)
        return take_run(words);
    if (code != ENTRY_LONG) {
        memcpy((void *)(uintptr_t)entry_address(word), words + 1, code);
        return at + sizeof *words + wire_pad(code);
    }
    memcpy((void *)(uintptr_t)words[1], words + 3, (size_t)words[2]);
    return at + 3 * sizeof *words + wire_pad((size_t)words[2]);
}

static void take_entries(Bsp *bsp, const char *name, int p)
{
    const unsigned char *in = bsp->transport.in[p], *at = in + sizeof(Header);
    const Header *head = transport_got(&bsp->transport, p);
    const unsigned char *end = in + head->requests;
    size_t tag = wire_pad(bsp->queue.tag_size);
    while (at < end) {
        const uint64_t word = *(const uint64_t *)(const void *)at;
        /* Where an entry starts is known only when the one before has been read: without this, each
         * line of memory that another core has written would be waited for in turn. */
        __builtin_prefetch(at + PREFETCH);
        if (entry_code(word) == ENTRY_MESSAGE) {
            const Message *message = (const Message *)(const void *)at;
            enqueue(bsp, name, message);
            at += sizeof *message + tag + wire_pad((size_t)message->size);
        } else {
            at = take_put(at, word);
        }
    }
}

static void reverse(const Message **each, size_t from, size_t end)
{
    while (from + 1 < end) {
        const Message *message = each[from];
        each[from++] = each[--end];
        each[end] = message;
    }
}

/* Puts of higher pids are written later; their messages come first, those of a process in the order of
 * its calls.  The standard leaves both open; programs that rely on BSPonMPI's order find it here. */
static void take_all(Bsp *bsp, const char *name, const Group *group)
{
    Queue *queue = &bsp->queue;
    queue->count = queue->next = 0;
    queue->bytes = 0;
    queue->tag_size = (size_t)bsp->tag_size;
    for (int i = 0; i < group->count; i++) {
        const size_t before = queue->count;
        take_entries(bsp, name, group->members[i]);
        reverse(queue->each, before, queue->count);
    }
    reverse(queue->each, 0, queue->count);
}

/* ---- registrations -------------------------------------------------------------------------- */

static void change_registrations(Bsp *bsp, const char *name, const Group *group)
{
    size_t any = 0, n = (size_t)group->count;
    for (size_t p = 0; p < n; p++) {
        const Header *head = transport_got(&bsp->transport, (int)p);
        any |= (size_t)(head->total - head->changes);
    }
    if (!any)
        return;
    const Change **changes = context_allocate(name, n, sizeof *changes);
    size_t *counts = context_allocate(name, n, sizeof *counts);
    for (size_t p = 0; p < n; p++) {
        const Header *head = transport_got(&bsp->transport, (int)p);
        changes[p] = (const Change *)(const void *)(bsp->transport.in[p] + head->changes);
        counts[p] = (size_t)(head->total - head->changes) / sizeof(Change);
    }
    Mismatch mismatch = registry_apply(&bsp->registry, changes, counts);
    free(changes);
    free(counts);
    explain_mismatch(&mismatch);
}

/* ---- all of it ------------------------------------------------------------------------------ */

void superstep_end(Bsp *bsp, const char *name, Call call, const Group *group, int colour)
{
    const Header header = {.call = (int32_t)call,
                           .depth = (int32_t)group->depth,
                           .tag_size = bsp->next_tag_size,
                           .tag_calls = bsp->tag_calls,
                           .colour = colour,
                           .superstep = bsp->superstep};
    record_stop(&bsp->record);
    (void)fflush(stdout); /* what is printed before a superstep ends comes before what follows it */
    for (int i = 0; i < group->count; i++)
        complete_outbox(bsp, name, group->members[i], &header);
    exchange(bsp, name, group);
    check_calls(bsp, name, &header, group);
    if (call == CALL_END) {
        record_step(&bsp->record);
        return;
    }
    if (group->depth == 0)
        check_tag_sizes(bsp, group);
    exchange_gets(bsp, name, group);
    if (bsp->copy_count > 0)
        make_copies(bsp, group);
    take_all(bsp, name, group);
    await_copies(bsp, group);
    if (group->depth == 0) {
        change_registrations(bsp, name, group);
        bsp->tag_size = bsp->next_tag_size;
        bsp->tag_calls = 0;
        record_step(&bsp->record);
    }
    bsp->superstep++;
    guard_step("superstep", bsp->superstep);
    record_go(&bsp->record);
}
