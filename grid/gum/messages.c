/* Messages of the run-time. */
#include "grid/gum/messages.h"

#include <math.h>

#include "grid/gum/load.h"

/* A row of PEDynamic as it is sent; where tasks may run twice, a float follows: for how many seconds the task has
 * run that may; < 0: none. */
typedef struct {
    double stamp;
    int32_t process;
    uint16_t sparks, threads; /* at most 65535 */
} Entry;

static uint16_t short_of(int32_t number)
{
    return number < UINT16_MAX ? (uint16_t)number : UINT16_MAX;
}

int message_begin(Gum *gum, GridBuffer *body)
{
    const Tables *tables = &gum->tables;
    int32_t count = 0;
    body->size = 0;
    load_note(gum);
    load_foresee(gum);
    for (int32_t p = 0; p < tables->size; p++)
        count += tables->dynamic[p].stamp >= 0;
    int bad = grid_put(body, &count, sizeof count);
    for (int32_t p = 0; p < tables->size && !bad; p++) {
        const PeDynamic *it = &tables->dynamic[p];
        Entry entry = {it->stamp, p, short_of(it->sparks), short_of(it->threads)};
        float ran = it->began < 0 ? -1 : (float)(it->stamp - it->began);
        if (it->stamp < 0)
            continue;
        bad = grid_put(body, &entry, sizeof entry) ||
              (tables->repeats && grid_put(body, &ran, sizeof ran));
    }
    return bad ? session_out_of_memory(&gum->session) : 0;
}

int message_send(Gum *gum, int32_t to, int32_t tag, Fields fields, GridBuffer *body)
{
    _Static_assert(sizeof(Fields) <= TRANSPORT_FIELDS, "fields fit into a head");
    fields.sent = context_elapsed(gum);
    Head head = head_new(tag, &fields, sizeof fields);
    gum->counters.messages++;
    gum->stuck.sent += tag_counts(tag);
    gum->counters.far += gum->tables.fixed[to].cluster != gum->tables.fixed[gum->pid].cluster;
    int status = session_send(&gum->session, to, &head, body);
    grid_buffer_free(body);
    return status;
}

int message_send_short(Gum *gum, int32_t to, int32_t tag, Fields fields)
{
    GridBuffer body = {0};
    if (message_begin(gum, &body)) {
        grid_buffer_free(&body);
        return -1;
    }
    return message_send(gum, to, tag, fields, &body);
}

int message_open(Gum *gum, const Message *message, Fields *fields, Cursor *cursor)
{
    int32_t count = 0;
    double now = context_elapsed(gum);
    head_read(&message->head, fields, sizeof *fields);
    *cursor = (Cursor){.buffer = &message->body};
    int bad = buffer_get(cursor, &count, sizeof count);
    for (int32_t i = 0; i < count && !bad; i++) {
        Entry entry;
        float ran = -1;
        bad = buffer_get(cursor, &entry, sizeof entry) || entry.process < 0 ||
              entry.process >= gum->processes ||
              (gum->tables.repeats && buffer_get(cursor, &ran, sizeof ran));
        if (!bad)
            tables_hear(&gum->tables, entry.process,
                        &(PeDynamic){entry.stamp, entry.sparks, entry.threads,
                                     ran < 0 ? -1 : fmax(0, entry.stamp - (double)ran)});
    }
    if (bad)
        return session_fail(&gum->session, GRID_EMPI, "a message from process %d is too short",
                            (int)message->from);
    if (message->from != gum->pid)
        tables_measure(&gum->tables, message->from, now - fields->sent, now);
    return 0;
}
