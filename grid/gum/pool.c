/* The spark pool of a process. */
#include "grid/gum/pool.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 256 };

int pool_grow(Pool *pool)
{
    int64_t mask = pool->capacity - 1,
            capacity = pool->count * 2 >= pool->capacity ? pool->capacity * 2 : pool->capacity;
    if (capacity == 0)
        capacity = FIRST_CAPACITY;
    Record **each = calloc((size_t)capacity, sizeof *each);
    if (!each)
        return -1;
    int64_t at = 0;
    for (int64_t i = pool->bottom; i < pool->top; i++)
        if (pool->each[i & mask]) {
            each[at] = pool->each[i & mask];
            each[at]->slot = at;
            at++;
        }
    free(pool->each);
    *pool = (Pool){.each = each, .capacity = capacity, .top = at, .count = at};
    return 0;
}

void pool_free(Pool *pool)
{
    free(pool->each);
    *pool = (Pool){0};
}

Record *pool_newest(Pool *pool)
{
    while (pool->top > pool->bottom) {
        Record *record = pool->each[--pool->top & (pool->capacity - 1)];
        if (!record)
            continue;
        record->state = RECORD_HELD;
        pool->count--;
        return record;
    }
    return NULL;
}

Record *pool_oldest(Pool *pool)
{
    while (pool->top > pool->bottom) {
        Record *record = pool->each[pool->bottom++ & (pool->capacity - 1)];
        if (!record)
            continue;
        record->state = RECORD_HELD;
        pool->count--;
        return record;
    }
    return NULL;
}
