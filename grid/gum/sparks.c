/* Sparks on their way between processes. */
#include "grid/gum/sparks.h"

#include <string.h>

#include "grid/gum/messages.h"
#include "grid/gum/values.h"

/* Before the packed argument. */
typedef struct {
    int32_t type, owner, hops;
    int16_t level, twice; /* twice: it runs elsewhere as well */
    RecordId id;          /* the owner's record */
    double path;
    uint64_t size; /* of the argument, packed */
} SparkHead;

static int put(Gum *gum, const Record *record, int32_t hops, GridBuffer *body)
{
    const GumValue *value = &record->type->task.argument;
    SparkHead head = {.owner = record->owner,
                      .hops = hops,
                      .level = (int16_t)record->level,
                      .twice = (record->odd & ODD_TWICE) != 0,
                      .id = record->owner == gum->pid ? record_id(record) : record->id,
                      .path = record->path};
    while (gum->types[head.type] != record->type)
        head.type++;
    size_t at = body->size;
    if (grid_put(body, &head, sizeof head))
        return session_out_of_memory(&gum->session);
    if (value_pack(gum, value, record->data, body))
        return -1;
    head.size = body->size - at - sizeof head;
    memcpy(body->bytes + at, &head, sizeof head);
    gum->counters.task_bytes += (int64_t)head.size;
    return 0;
}

int spark_put_again(Gum *gum, Record *record, GridBuffer *body)
{
    record->odd |= ODD_TWICE;
    return put(gum, record, record->hops + 1, body);
}

int spark_put(Gum *gum, Record *record, GridBuffer *body)
{
    int mine = record->owner == gum->pid;
    if (put(gum, record, mine ? ++record->sent : record->hops + 1, body))
        return -1;
    value_clear(&record->type->task.argument, record->data);
    if (!mine) {
        record_free(&gum->records, record);
        return 0;
    }
    record->state = RECORD_AWAY;
    record->at = -1;
    record->asked = 0;
    return 0;
}

/* A spark of this process comes back.  Who waits for it here runs it, and nobody else can have it; under a policy that asks
 * for work before a process has none, not if something else runs: then it waits in the pool, where others can. */
static int come_back(Gum *gum, const SparkHead *head, Cursor *from, Record **out)
{
    Record *record = record_find(head->id);
    if (!record || record->state != RECORD_AWAY) {
        from->at += head->size;
        return 0;
    }
    const GumTask *task = &record->type->task;
    if (value_unpack(gum, task, &task->argument, from, head->size, record->data))
        return -1;
    record->state = RECORD_HELD;
    record->sent = head->hops;
    const Threads *threads = &gum->threads;
    if (record->waiting &&
        (!policy_early(&gum->policy) || !threads->ready || threads->live >= threads->limit)) {
        threads_wake(&gum->threads, &record->waiting);
        gum->counters.taken++;
        return 0;
    }
    *out = record;
    return 0;
}

static int arrive(Gum *gum, const SparkHead *head, Cursor *from, Record **out)
{
    Record *record = record_new(&gum->records, gum->types[head->type]);
    if (!record)
        return session_out_of_memory(&gum->session);
    const GumTask *task = &record->type->task;
    if (value_unpack(gum, task, &task->argument, from, head->size, record->data)) {
        record->state = RECORD_RUNNING; /* no value is there */
        return -1;
    }
    record->state = RECORD_HELD;
    record->owner = head->owner;
    record->odd |= ODD_OWNER | (head->twice ? ODD_TWICE : 0);
    record->hops = head->hops;
    record->id = head->id;
    record->level = head->level;
    record->path = head->path;
    *out = record;
    return 0;
}

int spark_acknowledge(Gum *gum, const Record *record)
{
    GridBuffer body = {0};
    RecordId mine = record_id(record);
    if (record->owner == gum->pid)
        return 0;
    if (message_begin(gum, &body) || grid_put(&body, &mine, sizeof mine)) {
        grid_buffer_free(&body);
        return session_out_of_memory(&gum->session);
    }
    return message_send(gum, record->owner, TAG_ACK,
                        (Fields){.hops = record->hops, .id = record->id}, &body);
}

int spark_get(Gum *gum, Cursor *from, Record **out)
{
    SparkHead head;
    *out = NULL;
    if (buffer_get(from, &head, sizeof head) || head.size > from->buffer->size - from->at ||
        (uint32_t)head.type >= (uint32_t)gum->type_count)
        return session_fail(&gum->session, GRID_EMPI, "a message with sparks is too short");
    return head.owner == gum->pid ? come_back(gum, &head, from, out)
                                  : arrive(gum, &head, from, out);
}

int spark_keep(Gum *gum, Record *record)
{
    return pool_push(&gum->pool, record) ? session_out_of_memory(&gum->session) : 0;
}
