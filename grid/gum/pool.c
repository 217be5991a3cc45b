/* The spark pool of a process. */
#include "grid/gum/pool.h"

#include <stdint.h>
#include <stdlib.h>

enum { FIRST_CAPACITY = 256 };

const Record pool_hole;

static Record *hole(void)
{
    return (Record *)(uintptr_t)&pool_hole;
}

/* Move what is there to `to`, in its order, from the first slot on. */
static void gather(Pool *pool, Record **to, int64_t capacity)
{
    Record **at = to;
    for (Record **from = pool->bottom; from < pool->top; from++)
        if (*from != hole()) {
            *at = *from;
            (*at)->slot = at;
            at++;
        }
    pool->each = pool->bottom = to;
    pool->top = pool->soft = at;
    pool->end = to + capacity;
    pool->holes = 0;
}

int pool_grow(Pool *pool)
{
    int64_t capacity = pool->end - pool->each;
    if (capacity > 0 && pool_count(pool) * 2 < capacity) {
        gather(pool, pool->each, capacity);
        return 0;
    }
    capacity = capacity > 0 ? 2 * capacity : FIRST_CAPACITY;
    Record **block = malloc(((size_t)capacity + 1) * sizeof *block), **old = pool->each;
    if (!block)
        return -1;
    block[0] = hole();
    gather(pool, block + 1, capacity);
    if (old)
        free(old - 1);
    return 0;
}

void pool_free(Pool *pool)
{
    if (pool->each)
        free(pool->each - 1);
    *pool = (Pool){0};
}

const Record *pool_see_newest(const Pool *pool)
{
    Record **at = pool->top;
    while (at > pool->bottom)
        if (*--at != hole())
            return *at;
    return NULL;
}

Record *pool_see_awaited(const Pool *pool)
{
    for (Record **at = pool->bottom; at < pool->top; at++)
        if (*at != hole() && (*at)->waiting)
            return *at;
    return NULL;
}

void pool_remove(Pool *pool, Record *record)
{
    if (record->slot == pool->top - 1) {
        pool->top--;
    } else {
        *record->slot = hole();
        pool->holes++;
    }
    record->state = RECORD_HELD;
}

/* What was in a slot leaves the pool with it; NULL: nothing was there. */
static Record *leave(Pool *pool, Record *record)
{
    if (record == hole()) {
        pool->holes--;
        return NULL;
    }
    record->state = RECORD_HELD;
    return record;
}

Record *pool_newest(Pool *pool)
{
    Record *record = NULL;
    while (!record && pool->top > pool->bottom)
        record = leave(pool, *--pool->top);
    return record;
}

Record *pool_oldest(Pool *pool)
{
    Record *record = NULL;
    while (!record && pool->top > pool->bottom) {
        record = leave(pool, *pool->bottom);
        *pool->bottom++ = hole(); /* it is below the newest, which forcing looks at */
    }
    return record;
}
