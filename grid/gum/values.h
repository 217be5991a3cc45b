/* Values of tasks in messages. */
#ifndef GRID_GUM_VALUES_H
#define GRID_GUM_VALUES_H

#include "grid/core/buffer.h"
#include "grid/gum/context.h"

/* Append a value.  0; -1: failed, session.error is set (in a task the thread is left instead). */
int value_pack(Gum *gum, const GumValue *value, const void *bytes, GridBuffer *to);
/* Read a value of `size` bytes from the event loop.  0; -1: failed, session.error is set, and there is no
 * value. */
int value_unpack(Gum *gum, const GumTask *task, const GumValue *value, Cursor *from, size_t size,
                 void *bytes);

static inline void value_clear(const GumValue *value, void *bytes)
{
    if (__builtin_expect(value->clear != NULL, 0))
        value->clear(bytes);
}

#endif
