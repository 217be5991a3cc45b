/* Values of tasks in messages. */
#include "grid/gum/values.h"

#include <stdlib.h>
#include <string.h>

struct GumWriter {
    GridBuffer *to;
};

struct GumReader {
    const unsigned char *bytes;
    size_t size, at;
    const char *task;
};

/* ---- a user's functions -------------------------------------------------------------------------- */

typedef struct {
    const GumValue *value;
    const void *from;
    void *to;
    GumWriter *writer;
    GumReader *reader;
} Call;

/* A mistake in them does not return here in a task, and returns -1 here in the event loop. */
static int call(Gum *gum, Call *it)
{
    jmp_buf place;
    if (!gum->threads.current)
        gum->escape = &place;
    if (setjmp(place))
        return -1;
    if (it->writer)
        it->value->pack(it->writer, it->from);
    else
        it->value->unpack(it->reader, it->to);
    gum->escape = NULL;
    return 0;
}

int value_pack(Gum *gum, const GumValue *value, const void *bytes, GridBuffer *to)
{
    GumWriter writer = {to};
    Call it = {.value = value, .from = bytes, .writer = &writer};
    if (value->pack)
        return call(gum, &it);
    return grid_put(to, bytes, value->size) ? session_out_of_memory(&gum->session) : 0;
}

/* A user's unpack has to read what pack wrote. */
static int unpack(Gum *gum, const GumTask *task, const GumValue *value, Cursor *from, size_t size,
                  void *bytes)
{
    const size_t end = from->at + size;
    GumReader reader = {from->buffer->bytes, end, from->at, task->name};
    Call it = {.value = value, .to = bytes, .reader = &reader};
    if (call(gum, &it))
        return -1;
    if (reader.at < end) {
        value_clear(value, bytes);
        return session_fail(&gum->session, GRID_EARG,
                            "unpack: process %d: task `%.60s` reads %zu of %zu bytes that its pack "
                            "wrote",
                            (int)gum->pid, task->name, size - (end - reader.at), size);
    }
    from->at = end;
    return 0;
}

int value_unpack(Gum *gum, const GumTask *task, const GumValue *value, Cursor *from, size_t size,
                 void *bytes)
{
    if (value->unpack)
        return unpack(gum, task, value, from, size, bytes);
    if (value->size > 0 && buffer_get(from, bytes, value->size))
        return session_fail(&gum->session, GRID_EMPI, "a message of task `%.60s` is too short",
                            task->name);
    return 0;
}

/* ---- what they call ------------------------------------------------------------------------------ */

void gum_write(GumWriter *to, const void *bytes, size_t size)
{
    if (size > 0 && !bytes)
        context_fail("gum_write", GRID_EARG, "%zu bytes at NULL", size);
    if (size > 0 && grid_put(to->to, bytes, size))
        context_out_of_memory("gum_write");
}

static const void *take(const char *name, GumReader *from, size_t size)
{
    if (size > from->size - from->at)
        context_fail(name, GRID_EARG, "task `%.60s` reads %zu bytes, of which %zu are left",
                     from->task, size, from->size - from->at);
    const void *bytes = from->bytes + from->at;
    from->at += size;
    return bytes;
}

void gum_read(GumReader *from, void *bytes, size_t size)
{
    const void *source = take("gum_read", from, size);
    if (size > 0)
        memcpy(bytes, source, size);
}

const void *gum_view(GumReader *from, size_t size)
{
    return take("gum_view", from, size);
}

void gum_bytes_pack(GumWriter *to, const void *value)
{
    const GumBytes *it = value;
    gum_write(to, &it->size, sizeof it->size);
    gum_write(to, it->bytes, it->size);
}

void gum_bytes_unpack(GumReader *from, void *value)
{
    GumBytes it = {0};
    gum_read(from, &it.size, sizeof it.size);
    const void *source = gum_view(from, it.size);
    if (it.size > 0) {
        it.bytes = malloc(it.size);
        if (!it.bytes)
            context_out_of_memory("gum_bytes_unpack");
        memcpy(it.bytes, source, it.size);
    }
    *(GumBytes *)value = it;
}

void gum_bytes_clear(void *value)
{
    GumBytes *it = value;
    free(it->bytes);
    *it = (GumBytes){0};
}
