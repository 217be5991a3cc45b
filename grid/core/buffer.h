/* Bytes that grow: the contents of messages. */
#ifndef GRID_CORE_BUFFER_H
#define GRID_CORE_BUFFER_H

#include <stddef.h>

/* Starts as {0}. */
typedef struct {
    unsigned char *bytes;
    size_t size, capacity; /* used, allocated */
} GridBuffer;

/* Append `size` bytes.  0; -1: out of memory, nothing changed. */
int grid_put(GridBuffer *buffer, const void *bytes, size_t size);
void grid_buffer_free(GridBuffer *buffer);

/* Allocate at least `size` bytes.  0; -1: out of memory, nothing changed. */
int buffer_reserve(GridBuffer *buffer, size_t size);
/* Exchange the contents: hands data on without copying. */
void buffer_swap(GridBuffer *a, GridBuffer *b);

/* Read what grid_put wrote, piece by piece.  -1: fewer than `size` bytes are left. */
typedef struct {
    const GridBuffer *buffer;
    size_t at;
} Cursor;
int buffer_get(Cursor *from, void *out, size_t size);

#endif
