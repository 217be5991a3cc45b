/* The spark pool of a process: a deque of records.
 *
 * The process itself puts sparks in and takes them out at the top; others get the oldest, which stand
 * for most work in divide and conquer.  A spark that is forced leaves from wherever it is.  One thread
 * only: other processes ask by messages.  No MPI here. */
#ifndef GRID_GUM_POOL_H
#define GRID_GUM_POOL_H

#include "grid/gum/record.h"

typedef struct {
    Record **each; /* a ring of `capacity`, a power of two; NULL: was forced */
    int64_t capacity, bottom, top;
    int64_t count; /* sparks that are there */
} Pool;

/* Room for one more.  0; -1: out of memory (pool_free is legal). */
int pool_grow(Pool *pool);
void pool_free(Pool *pool);

/* The record becomes RECORD_SPARK.  0; -1: out of memory, nothing changed. */
static inline int pool_push(Pool *pool, Record *record)
{
    if (__builtin_expect(pool->top - pool->bottom >= pool->capacity, 0) && pool_grow(pool))
        return -1;
    record->state = RECORD_SPARK;
    record->slot = pool->top;
    pool->each[pool->top++ & (pool->capacity - 1)] = record;
    pool->count++;
    return 0;
}

/* Out of the pool: RECORD_HELD. */
static inline void pool_remove(Pool *pool, Record *record)
{
    if (record->slot == pool->top - 1)
        pool->top--;
    else
        pool->each[record->slot & (pool->capacity - 1)] = NULL;
    record->state = RECORD_HELD;
    pool->count--;
}

/* The newest, the oldest spark, RECORD_HELD; NULL: there is none. */
Record *pool_newest(Pool *pool);
Record *pool_oldest(Pool *pool);

#endif
