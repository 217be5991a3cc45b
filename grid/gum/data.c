/* Data that stay with their owner until somebody fetches them.
 *
 * What was published is an array by number; copies of others' data are a hash table by owner and number,
 * with linear probing, from which nothing is removed. */
#include "grid/gum/data.h"

#include <stdlib.h>
#include <string.h>

#include "grid/gum/evaluate.h"
#include "grid/gum/gum.h"
#include "grid/gum/messages.h"

static void release(Data *data)
{
    for (size_t i = 0; i < data->capacity; i++)
        if (data->each[i]) {
            free(data->each[i]->bytes);
            free(data->each[i]);
        }
    free(data->each);
    *data = (Data){0};
}

void data_free(Gum *gum)
{
    release(&gum->published);
    release(&gum->copies);
}

static Datum *datum_new(const void *bytes, uint64_t size)
{
    Datum *datum = calloc(1, sizeof *datum);
    if (!datum)
        return NULL;
    *datum = (Datum){.bytes = malloc(size > 0 ? size : 1), .size = size, .there = bytes != NULL};
    if (!datum->bytes) {
        free(datum);
        return NULL;
    }
    if (bytes && size > 0)
        memcpy(datum->bytes, bytes, size);
    return datum;
}

/* ---- publishing ---------------------------------------------------------------------------------- */

static int grow(Data *data)
{
    enum { FIRST = 16 };
    size_t capacity = data->capacity > 0 ? data->capacity * 2 : FIRST;
    Datum **each = calloc(capacity, sizeof *each);
    if (!each)
        return -1;
    if (data->count > 0)
        memcpy(each, data->each, data->count * sizeof *each);
    free(data->each);
    data->each = each;
    data->capacity = capacity;
    return 0;
}

GumRef gum_publish(const void *bytes, size_t size)
{
    static const char call[] = "gum_publish";
    Gum *gum = context_inside(call);
    Data *data = &gum->published;
    if (!bytes && size > 0)
        context_fail(call, GRID_EARG, "%zu bytes at NULL", size);
    if (data->count == data->capacity && grow(data))
        context_out_of_memory(call);
    Datum *datum = datum_new(bytes ? bytes : "", size);
    if (!datum)
        context_out_of_memory(call);
    data->each[data->count] = datum;
    return (GumRef){gum->pid, (uint32_t)data->count++, size};
}

/* ---- copies -------------------------------------------------------------------------------------- */

static size_t place(const Data *copies, int32_t owner, uint32_t number)
{
    uint64_t hash = (((uint64_t)(uint32_t)owner << 32) | number) * UINT64_C(0x9E3779B97F4A7C15);
    size_t mask = copies->capacity - 1, at = (size_t)(hash >> 32) & mask;
    while (copies->each[at] &&
           (copies->each[at]->owner != owner || copies->each[at]->number != number))
        at = (at + 1) & mask;
    return at;
}

static int rehash(Data *copies)
{
    enum { FIRST = 64 };
    Data larger = {.capacity = copies->capacity > 0 ? copies->capacity * 2 : FIRST,
                   .count = copies->count};
    larger.each = calloc(larger.capacity, sizeof *larger.each);
    if (!larger.each)
        return -1;
    for (size_t i = 0; i < copies->capacity; i++)
        if (copies->each[i])
            larger.each[place(&larger, copies->each[i]->owner, copies->each[i]->number)] =
                copies->each[i];
    free(copies->each);
    *copies = larger;
    return 0;
}

/* The copy, which may be still to come; asked for the first time. */
static Datum *copy_of(Gum *gum, const char *call, GumRef ref)
{
    Data *copies = &gum->copies;
    if (copies->count * 2 >= copies->capacity && rehash(copies))
        context_out_of_memory(call);
    size_t at = place(copies, ref.owner, ref.number);
    if (copies->each[at])
        return copies->each[at];
    Datum *datum = datum_new(NULL, ref.size);
    if (!datum)
        context_out_of_memory(call);
    datum->owner = ref.owner;
    datum->number = ref.number;
    copies->each[at] = datum;
    copies->count++;
    gum->counters.fetches++;
    if (message_send_short(gum, ref.owner, TAG_DATA, (Fields){.number = ref.number}))
        context_leave(gum);
    return datum;
}

const void *gum_fetch(GumRef ref)
{
    static const char call[] = "gum_fetch";
    Gum *gum = context_inside(call);
    if (ref.owner < 0 || ref.owner >= gum->processes)
        context_fail(call, GRID_EARG, "this is no reference: gum_publish makes them");
    if (ref.owner == gum->pid) {
        if (ref.number >= gum->published.count || gum->published.each[ref.number]->size != ref.size)
            context_fail(call, GRID_EARG, "this process has published no data %u of %llu bytes",
                         (unsigned)ref.number, (unsigned long long)ref.size);
        return gum->published.each[ref.number]->bytes;
    }
    Datum *datum = copy_of(gum, call, ref);
    if (datum->size != ref.size)
        context_fail(call, GRID_EARG, "data %u of process %d have %llu bytes, not %llu",
                     (unsigned)ref.number, (int)ref.owner, (unsigned long long)datum->size,
                     (unsigned long long)ref.size);
    while (!datum->there) {
        gum->threads.current->fetches = 1 + ref.owner;
        evaluate_wait_for(gum, &datum->waiting);
    }
    return datum->bytes;
}

/* ---- messages ------------------------------------------------------------------------------------ */

int data_asked(Gum *gum, const Message *message)
{
    Fields fields;
    Cursor cursor;
    GridBuffer body = {0};
    if (message_open(gum, message, &fields, &cursor))
        return -1;
    if (fields.number >= gum->published.count)
        return session_fail(&gum->session, GRID_EARG,
                            "gum_fetch: process %d: process %d has published no data %u",
                            (int)message->from, gum->pid, (unsigned)fields.number);
    const Datum *datum = gum->published.each[fields.number];
    if (message_begin(gum, &body) || grid_put(&body, &datum->size, sizeof datum->size) ||
        (datum->size > 0 && grid_put(&body, datum->bytes, datum->size))) {
        grid_buffer_free(&body);
        return session_out_of_memory(&gum->session);
    }
    return message_send(gum, message->from, TAG_DATUM, (Fields){.number = fields.number}, &body);
}

int data_arrived(Gum *gum, const Message *message)
{
    Fields fields;
    Cursor cursor;
    uint64_t size;
    if (message_open(gum, message, &fields, &cursor))
        return -1;
    Datum *datum = gum->copies.each[place(&gum->copies, message->from, fields.number)];
    if (buffer_get(&cursor, &size, sizeof size))
        return session_fail(&gum->session, GRID_EMPI, "a message with data is too short");
    if (size != datum->size)
        return session_fail(
            &gum->session, GRID_EARG,
            "gum_fetch: process %d: data %u of process %d have %llu bytes, not %llu", gum->pid,
            (unsigned)fields.number, (int)message->from, (unsigned long long)size,
            (unsigned long long)datum->size);
    if (size > 0 && buffer_get(&cursor, datum->bytes, size))
        return session_fail(&gum->session, GRID_EMPI, "a message with data is too short");
    gum->counters.fetched_bytes += (int64_t)size;
    datum->there = 1;
    threads_wake(&gum->threads, &datum->waiting);
    return 0;
}
