/* Memory for the referees, which have no use for a failure: it ends the program. */
#ifndef PEPA_TESTS_ROOM_H
#define PEPA_TESTS_ROOM_H

#include <stdlib.h>

#include "base/mem.h"

/* Zeros, at least one; the caller frees them by mem_free. */
static inline void *room(size_t count, size_t size)
{
    void *p = mem_calloc(count > 0 ? count : 1, size);
    if (!p)
        abort();
    return p;
}

#endif
