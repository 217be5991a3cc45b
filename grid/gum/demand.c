/* Results of tasks that another process has. */
#include "grid/gum/demand.h"

#include "grid/gum/messages.h"
#include "grid/gum/profiler.h"
#include "grid/gum/repeat.h"
#include "grid/gum/sparks.h"
#include "grid/gum/tuning.h"
#include "grid/gum/values.h"

int demand_step(Gum *gum)
{
    int did = 0;
    for (const Thread *each = gum->threads.living; each; each = each->next_live) {
        Record *record = each->awaits;
        if (!record || record->state != RECORD_AWAY || record->at < 0 || record->asked)
            continue;
        record->asked = 1;
        did = 1;
        if (message_send_short(gum, record->at, TAG_FETCH, (Fields){.id = record->there}))
            return -1;
    }
    return did;
}

/* Where a spark is now.  ACKs of different processes come in any order: the one after most moves counts.
 * What had been asked for at its last place may have gone on before that. */
int demand_ack(Gum *gum, const Message *message)
{
    Fields fields;
    Cursor cursor;
    RecordId there;
    if (message_open(gum, message, &fields, &cursor))
        return -1;
    if (buffer_get(&cursor, &there, sizeof there))
        return session_fail(&gum->session, GRID_EMPI, "an ACK is too short");
    Record *record = record_find(fields.id);
    if (!record || record->state != RECORD_AWAY || fields.hops < record->sent ||
        (record->at >= 0 && fields.hops < record->hops))
        return 0;
    record->hops = fields.hops;
    record->at = message->from;
    record->there = there;
    record->asked = 0;
    return 0;
}

int demand_fetch(Gum *gum, const Message *message)
{
    Fields fields;
    Cursor cursor;
    if (message_open(gum, message, &fields, &cursor))
        return -1;
    Record *record = record_find(fields.id);
    if (!record || record->state != RECORD_SPARK || record->owner != message->from)
        return 0;
    GridBuffer body = {0};
    pool_remove(&gum->pool, record);
    gum->counters.returned++;
    if (!message_begin(gum, &body) && !spark_put(gum, record, &body))
        return message_send(gum, message->from, TAG_RETURN, (Fields){0}, &body);
    grid_buffer_free(&body);
    return -1;
}

int demand_return(Gum *gum, const Message *message)
{
    Fields fields;
    Cursor cursor;
    Record *record;
    if (message_open(gum, message, &fields, &cursor))
        return -1;
    if (spark_get(gum, &cursor, &record))
        return -1;
    return record && record->waiting ? spark_keep(gum, record) : 0;
}

/* A task that another process has run. */
static void note_work(Given *given, double work)
{
    given->count++;
    given->work += (work - given->work) / (double)(given->count < RECENT ? given->count : RECENT);
}

int demand_resume(Gum *gum, const Message *message)
{
    Fields fields;
    Cursor cursor;
    if (message_open(gum, message, &fields, &cursor))
        return -1;
    note_work(&gum->given, fields.work);
    if (fields.age)
        repeat_learn(gum, fields.work);
    Record *record = record_find(fields.id);
    if (!record || (record->state != RECORD_AWAY && record->state != RECORD_SPARK))
        return 0;
    if (record->state == RECORD_SPARK) /* it has come back to run here as well */
        pool_remove(&gum->pool, record);
    const GumTask *task = &record->type->task;
    if (profiler_get(gum, record, &cursor) ||
        value_unpack(gum, task, &task->result, &cursor, cursor.buffer->size - cursor.at,
                     record_result(record)))
        return -1;
    record->state = RECORD_DONE;
    threads_wake(&gum->threads, &record->waiting);
    return 0;
}
