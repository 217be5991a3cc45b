/* Work stealing: FISH, and what comes of it. */
#include "grid/gum/steal.h"

#include <math.h>

#include "grid/gum/load.h"
#include "grid/gum/messages.h"
#include "grid/gum/policy/predicted.h"
#include "grid/gum/repeat.h"
#include "grid/gum/sparks.h"
#include "grid/gum/tuning.h"

/* ---- asking -------------------------------------------------------------------------------------- */

/* Sparks and runnable threads that are missing to the mark; at its limit of threads it could not begin any. */
static int64_t missing(const Gum *gum)
{
    const Threads *threads = &gum->threads;
    const int32_t watermark = gum->settings.watermark;
    const int32_t mark = watermark > 0 ? policy_watermark(&gum->tables, watermark) : 1;
    if (gum->processes == 1 || threads->live >= threads->limit || load_waits(gum))
        return -1;
    return mark - pool_count(&gum->pool) - (threads->live - threads->blocked);
}

static Fishing *request_of(Gum *gum, int32_t reach)
{
    return &gum->fishing[reach == REACH_FAR];
}

/* It asks from then on; HUGE_VAL: it does not. */
static double asks_from(const Gum *gum, int64_t missing, const Fishing *fishing)
{
    const int early = missing == 0 && policy_early(&gum->policy);
    if (fishing->out || (missing <= 0 && !early))
        return HUGE_VAL;
    return early ? fmax(fishing->after, fishing->later) : fishing->after;
}

/* 1: asked; 0: it is not time, or there is nobody; -1: failed. */
static int ask(Gum *gum, Reach reach, int64_t lacks, double now)
{
    Fishing *fishing = request_of(gum, reach);
    if (now < asks_from(gum, lacks, fishing))
        return 0;
    load_note(gum);
    const int early = lacks == 0;
    int32_t to = policy_target(&gum->policy, &gum->tables, early, reach, &gum->chance);
    if (to < 0)
        return 0;
    fishing->out = 1;
    fishing->early = early;
    fishing->sent = now;
    gum->counters.fish++;
    gum->counters.early += early;
    const Fields fields = {.process = gum->pid, .early = early, .reach = (int32_t)reach};
    return message_send_short(gum, to, TAG_FISH, fields) ? -1 : 1;
}

int steal_step(Gum *gum, double now)
{
    const int64_t lacks = missing(gum);
    if (!policy_both(&gum->policy, &gum->tables))
        return ask(gum, REACH_ALL, lacks, now);
    const int far = ask(gum, REACH_FAR, lacks, now),
              near = far < 0 ? -1 : ask(gum, REACH_NEAR, lacks, now);
    return near < 0 ? -1 : far | near;
}

double steal_next(const Gum *gum)
{
    const int64_t lacks = missing(gum);
    double next = asks_from(gum, lacks, &gum->fishing[0]);
    if (policy_both(&gum->policy, &gum->tables))
        next = fmin(next, asks_from(gum, lacks, &gum->fishing[1]));
    return next;
}

int steal_spins(const Gum *gum, double now)
{
    return gum->fishing[0].out && now < gum->fishing[0].sent + SPIN;
}

/* The age of a SCHEDULE whose spark is to begin at once, and cannot be taken by others. */
enum { BEGIN = 1, GIFT }; /* GIFT: it answers no FISH */

/* ---- answering ----------------------------------------------------------------------------------- */

static int give(Gum *gum, int32_t to, int32_t count, int32_t age, Reach reach)
{
    GridBuffer body = {0};
    Fields fields = {.age = age, .reach = (int32_t)reach};
    int bad = message_begin(gum, &body) || repeat_put_lengths(gum, &body);
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
    if (!message_begin(gum, &body) && !repeat_put_lengths(gum, &body) &&
        !spark_put(gum, record, &body))
        return message_send(gum, to, TAG_SCHEDULE, (Fields){.count = 1, .age = BEGIN}, &body);
    grid_buffer_free(&body);
    return -1;
}

/* `predicted`: who gets a spark although the origin of a FISH asks for it; -1: nobody. */
static int32_t instead_of(const Gum *gum, int32_t origin)
{
    return gum->policy.name == POLICY_PREDICTED && pool_count(&gum->pool) > 0
               ? predicted_instead(&gum->tables, origin)
               : -1;
}

static int repeat(Gum *gum, int32_t to, Record *record, Reach reach)
{
    GridBuffer body = {0};
    gum->counters.twice++;
    if (!message_begin(gum, &body) && !repeat_put_lengths(gum, &body) &&
        !spark_put_again(gum, record, &body))
        return message_send(gum, to, TAG_SCHEDULE,
                            (Fields){.count = 1, .age = BEGIN, .reach = (int32_t)reach}, &body);
    grid_buffer_free(&body);
    return -1;
}

int steal_fish(Gum *gum, const Message *message)
{
    Fields fields;
    Cursor cursor;
    if (message_open(gum, message, &fields, &cursor))
        return -1;
    load_note(gum);
    Fish fish = {fields.process, fields.age, fields.early, (Reach)fields.reach};
    Record *again = fish.early ? NULL : repeat_for(gum, fish.origin);
    if (again)
        return repeat(gum, fish.origin, again, fish.reach);
    int32_t instead = fish.early ? -1 : instead_of(gum, fish.origin);
    if (instead >= 0 && give(gum, instead, 1, GIFT, REACH_ALL))
        return -1;
    if (instead >= 0)
        load_note(gum);
    FishAnswer answer = policy_answer(&gum->policy, &gum->tables, &fish, &gum->chance);
    switch (answer.action) {
    case FISH_SERVE:
        return give(gum, fish.origin, answer.sparks, 0, fish.reach);
    case FISH_FORWARD:
        return message_send_short(gum, answer.to, TAG_FISH,
                                  (Fields){.process = fish.origin,
                                           .age = fish.age + 1,
                                           .early = fish.early,
                                           .reach = fields.reach});
    default:
        return message_send_short(gum, fish.origin, TAG_NULL, (Fields){.reach = fields.reach});
    }
}

static int keep(Gum *gum, Record *record, int32_t age)
{
    if (age != BEGIN || record->owner == gum->pid || gum->threads.live >= gum->threads.limit)
        return spark_keep(gum, record);
    return threads_start(&gum->threads, record) ? 0 : session_out_of_memory(&gum->session);
}

/* It is kept, and its owner told.  Where tasks may run twice the owner hears whether it begins at once (load.h);
 * of the other policies the ACK has the load before, as it always had. */
static int settle(Gum *gum, Record *record, int32_t age)
{
    if (gum->tables.repeats)
        return keep(gum, record, age) ? -1 : spark_acknowledge(gum, record);
    return spark_acknowledge(gum, record) ? -1 : keep(gum, record, age);
}

int steal_schedule(Gum *gum, const Message *message)
{
    Fields fields;
    Cursor cursor;
    if (message_open(gum, message, &fields, &cursor) || repeat_get_lengths(gum, &cursor))
        return -1;
    Fishing *fishing = request_of(gum, fields.reach);
    fishing->out &= fields.age == GIFT;
    fishing->nulls = 0;
    for (int32_t i = 0; i < fields.count; i++) {
        Record *record;
        if (spark_get(gum, &cursor, &record) || (record && settle(gum, record, fields.age)))
            return -1;
        gum->counters.taken += record != NULL;
    }
    return 0;
}

int steal_null(Gum *gum, const Message *message)
{
    Fields fields;
    Cursor cursor;
    if (message_open(gum, message, &fields, &cursor))
        return -1;
    Fishing *fishing = request_of(gum, fields.reach);
    fishing->out = 0;
    fishing->nulls++;
    double *next = fishing->early ? &fishing->later : &fishing->after;
    *next = gum->session.looked + policy_pause(fishing->nulls);
    gum->counters.nulls++;
    return 0;
}
