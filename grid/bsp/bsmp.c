/* Bulk-synchronous message passing: sending, and the queue of what has arrived. */
#include <limits.h>
#include <string.h>

#include "grid/bsp/bsp.h"
#include "grid/bsp/context.h"

void bsp_set_tagsize(int *tag_nbytes)
{
    static const char call[] = "bsp_set_tagsize";
    Bsp *bsp = context_inside(call);
    if (!tag_nbytes)
        context_fail(call, "the address of the size is NULL");
    if (*tag_nbytes < 0)
        context_fail(call, "the size %d is negative", *tag_nbytes);
    int before = bsp->next_tag_size;
    bsp->tag_calls++;
    bsp->next_tag_size = *tag_nbytes;
    *tag_nbytes = before;
}

void bsp_send(int pid, const void *tag, const void *payload, int payload_nbytes)
{
    static const char call[] = "bsp_send";
    Bsp *bsp = context_inside(call);
    size_t tag_size = (size_t)bsp->tag_size, size = (size_t)payload_nbytes;
    if (pid < 0 || pid >= bsp->nprocs)
        context_fail(call, "there is no process %d: pids are 0 to %d", pid, bsp->nprocs - 1);
    if (payload_nbytes < 0)
        context_fail(call, "the size %d is negative", payload_nbytes);
    if (!tag && tag_size > 0)
        context_fail(call, "the tag is NULL, and tags have %zu bytes", tag_size);
    if (!payload && size > 0)
        context_fail(call, "the payload of %zu bytes is NULL", size);
    unsigned char *room =
        transport_room(&bsp->transport, pid, sizeof(Message) + wire_pad(tag_size) + wire_pad(size));
    if (!room)
        context_out_of_memory(call);
    *(Message *)(void *)room = (Message){entry_word(ENTRY_MESSAGE, 0), size};
    room += sizeof(Message);
    if (tag_size > 0)
        memcpy(room, tag, tag_size);
    if (size > 0)
        memcpy(room + wire_pad(tag_size), payload, size);
}

/* ---- the queue ------------------------------------------------------------------------------ */

/* The first message that is left; NULL: none. */
static const Message *first(const Queue *queue)
{
    return queue->next < queue->count ? queue->each[queue->next] : NULL;
}

static unsigned char *tag_of(const Message *message)
{
    return (unsigned char *)(uintptr_t)(message + 1);
}

static unsigned char *payload_of(const Queue *queue, const Message *message)
{
    return tag_of(message) + wire_pad(queue->tag_size);
}

static void remove_first(Queue *queue)
{
    queue->bytes -= first(queue)->size;
    queue->next++;
}

void bsp_qsize(int *nmessages, int *accum_nbytes)
{
    static const char call[] = "bsp_qsize";
    Bsp *bsp = context_inside(call);
    const Queue *queue = &bsp->queue;
    if (!nmessages)
        context_fail(call, "the address of the number of messages is NULL");
    if (!accum_nbytes)
        context_fail(call, "the address of the number of bytes is NULL");
    if (queue->count - queue->next > INT_MAX || queue->bytes > INT_MAX)
        context_fail(call, "%zu messages of %llu bytes are more than an int can count",
                     queue->count - queue->next, (unsigned long long)queue->bytes);
    *nmessages = (int)(queue->count - queue->next);
    *accum_nbytes = (int)queue->bytes;
}

void bsp_get_tag(int *status, void *tag)
{
    static const char call[] = "bsp_get_tag";
    Bsp *bsp = context_inside(call);
    const Message *message = first(&bsp->queue);
    if (!status)
        context_fail(call, "the address of the status is NULL");
    if (message && !tag && bsp->queue.tag_size > 0)
        context_fail(call, "the tag is NULL, and tags have %zu bytes", bsp->queue.tag_size);
    *status = message ? (int)message->size : -1;
    if (message && bsp->queue.tag_size > 0)
        memcpy(tag, tag_of(message), bsp->queue.tag_size);
}

void bsp_move(void *payload, int reception_nbytes)
{
    static const char call[] = "bsp_move";
    Bsp *bsp = context_inside(call);
    const Message *message = first(&bsp->queue);
    if (reception_nbytes < 0)
        context_fail(call, "the size %d is negative", reception_nbytes);
    if (!message)
        context_fail(call, "the queue is empty");
    size_t size = message->size < (uint64_t)reception_nbytes ? (size_t)message->size
                                                             : (size_t)reception_nbytes;
    if (!payload && reception_nbytes > 0)
        context_fail(call, "the address for the payload is NULL");
    if (size > 0)
        memcpy(payload, payload_of(&bsp->queue, message), size);
    remove_first(&bsp->queue);
}

int bsp_hpmove(void **tag_ptr, void **payload_ptr)
{
    static const char call[] = "bsp_hpmove";
    Bsp *bsp = context_inside(call);
    const Message *message = first(&bsp->queue);
    if (!tag_ptr || !payload_ptr)
        context_fail(call, "the address of the pointer to the %s is NULL",
                     tag_ptr ? "payload" : "tag");
    if (!message)
        return -1;
    *tag_ptr = tag_of(message);
    *payload_ptr = payload_of(&bsp->queue, message);
    remove_first(&bsp->queue);
    return (int)message->size;
}
