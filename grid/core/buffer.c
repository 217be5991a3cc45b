/* Bytes that grow: the contents of messages. */
#include "grid/core/buffer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int buffer_reserve(GridBuffer *buffer, size_t size)
{
    enum { FIRST = 64 };
    if (size <= buffer->capacity)
        return 0;
    size_t grown = buffer->capacity < SIZE_MAX / 2 ? 2 * buffer->capacity : SIZE_MAX;
    grown = grown < FIRST ? FIRST : grown;
    grown = grown < size ? size : grown;
    unsigned char *bytes = realloc(buffer->bytes, grown);
    if (!bytes)
        return -1;
    buffer->bytes = bytes;
    buffer->capacity = grown;
    return 0;
}

int grid_put(GridBuffer *buffer, const void *bytes, size_t size)
{
    if (size > SIZE_MAX - buffer->size || buffer_reserve(buffer, buffer->size + size))
        return -1;
    if (size)
        memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
    return 0;
}

void grid_buffer_free(GridBuffer *buffer)
{
    free(buffer->bytes);
    *buffer = (GridBuffer){0};
}

void buffer_swap(GridBuffer *a, GridBuffer *b)
{
    GridBuffer held = *a;
    *a = *b;
    *b = held;
}

int buffer_get(Cursor *from, void *out, size_t size)
{
    if (size > from->buffer->size - from->at)
        return -1;
    if (size)
        memcpy(out, from->buffer->bytes + from->at, size);
    from->at += size;
    return 0;
}
