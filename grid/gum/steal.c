/* Work stealing: FISH, and what comes of it. */
#include "grid/gum/steal.h"

#include <math.h>

#include "grid/gum/messages.h"
#include "grid/gum/sparks.h"
#include "grid/gum/tuning.h"

/* ---- asking -------------------------------------------------------------------------------------- */

/* Could it use more sparks?  At its limit of threads it could not begin them. */
static int wants(const Gum *gum)
{
    int32_t runnable = gum->threads.live - gum->threads.blocked;
    int32_t mark =
        gum->settings.watermark > 0 ? policy_watermark(&gum->tables, gum->settings.watermark) : 1;
    if (gum->processes == 1 || gum->threads.live >= gum->threads.limit)
        return 0;
    return pool_count(&gum->pool) + runnable < mark;
}

int steal_step(Gum *gum, double now)
{
    Fishing *fishing = &gum->fishing;
    if (fishing->out || now < fishing->after || !wants(gum))
        return 0;
    messages_note_load(gum);
    int32_t to = policy_target(&gum->policy, &gum->tables, &gum->chance);
    if (to < 0)
        return 0;
    fishing->out = 1;
    fishing->sent = now;
    gum->counters.fish++;
    return message_send_short(gum, to, TAG_FISH, (Fields){.process = gum->pid}) ? -1 : 1;
}

double steal_next(const Gum *gum)
{
    return gum->fishing.out || !wants(gum) ? HUGE_VAL : gum->fishing.after;
}

int steal_spins(const Gum *gum, double now)
{
    return gum->fishing.out && now < gum->fishing.sent + SPIN;
}

/* The age of a SCHEDULE whose spark is to begin at once, and cannot be taken by others. */
enum { BEGIN = 1 };

/* ---- answering ----------------------------------------------------------------------------------- */

static int give(Gum *gum, int32_t to, int32_t count)
{
    GridBuffer body = {0};
    Fields fields = {0};
    int bad = message_begin(gum, &body);
    for (; fields.count < count && !bad; fields.count++) {
        Record *record = pool_oldest(&gum->pool);
        if (!record)
            break;
        bad = spark_put(gum, record, &body);
    }
    gum->counters.given += fields.count;
    if (!bad && message_send(gum, to, TAG_SCHEDULE, fields, &body) == 0)
        return 0;
    grid_buffer_free(&body);
    return -1;
}

int steal_give(Gum *gum, int32_t to, Record *record)
{
    GridBuffer body = {0};
    if (!message_begin(gum, &body) && !spark_put(gum, record, &body))
        return message_send(gum, to, TAG_SCHEDULE, (Fields){.count = 1, .age = BEGIN}, &body);
    grid_buffer_free(&body);
    return -1;
}

int steal_fish(Gum *gum, const Message *message)
{
    Fields fields;
    Cursor cursor;
    if (message_open(gum, message, &fields, &cursor))
        return -1;
    messages_note_load(gum);
    Fish fish = {fields.process, fields.age};
    FishAnswer answer = policy_answer(&gum->policy, &gum->tables, &fish, &gum->chance);
    switch (answer.action) {
    case FISH_SERVE:
        return give(gum, fish.origin, answer.sparks);
    case FISH_FORWARD:
        gum->counters.forwarded++;
        return message_send_short(gum, answer.to, TAG_FISH,
                                  (Fields){.process = fish.origin, .age = fish.age + 1});
    default:
        return message_send_short(gum, fish.origin, TAG_NULL, (Fields){0});
    }
}

static int keep(Gum *gum, Record *record, int32_t age)
{
    if (age != BEGIN)
        return spark_keep(gum, record);
    return threads_start(&gum->threads, record) ? 0 : session_out_of_memory(&gum->session);
}

int steal_schedule(Gum *gum, const Message *message)
{
    Fields fields;
    Cursor cursor;
    gum->fishing.out = 0;
    gum->fishing.nulls = 0;
    if (message_open(gum, message, &fields, &cursor))
        return -1;
    for (int32_t i = 0; i < fields.count; i++) {
        Record *record;
        if (spark_get(gum, &cursor, &record) || (record && keep(gum, record, fields.age)))
            return -1;
        gum->counters.taken += record != NULL;
    }
    return 0;
}

int steal_null(Gum *gum, const Message *message)
{
    Fields fields;
    Cursor cursor;
    gum->fishing.out = 0;
    gum->fishing.nulls++;
    gum->fishing.after = gum->session.looked + policy_pause(gum->fishing.nulls);
    gum->counters.nulls++;
    return message_open(gum, message, &fields, &cursor);
}
