/* What the skeleton does with buffers besides what its users do. */
#ifndef GRID_BUFFER_H
#define GRID_BUFFER_H

#include "grid/pipeline.h"

/* Room for at least so many bytes; 0, or -1 with nothing changed. */
int buffer_reserve(GridBuffer *buffer, size_t room);
/* Exchange the contents: how items are handed on without copying or allocating. */
void buffer_swap(GridBuffer *a, GridBuffer *b);

/* Reading what grid_put wrote, piece by piece; -1: there is less. */
typedef struct {
    const GridBuffer *buffer;
    size_t at;
} Cursor;
int buffer_get(Cursor *from, void *out, size_t size);

#endif
