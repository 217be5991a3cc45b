/* The spark pool of a process: a deque of records.
 *
 * The process itself puts sparks in and takes them out at the top; others get the oldest, which stand
 * for most work in divide and conquer.  A spark that is forced leaves from wherever it is, and a hole
 * stays.  An array that is gathered when its end is reached: making a spark and forcing it move a
 * pointer.  One thread only: other processes ask by messages.  No MPI here. */
#ifndef GRID_GUM_POOL_H
#define GRID_GUM_POOL_H

#include "grid/gum/record.h"

typedef struct {
    Record **each, **end;   /* the slots; each[-1] is a hole, unless there are none */
    Record **bottom, **top; /* those in use */
    int64_t holes;          /* among them */
    Record **soft; /* the user's, at most end: from here on a new spark needs a closer look */
} Pool;            /* starts as {0} */

/* What stands in a slot whose spark was forced, and below the oldest: no future has this record. */
extern const Record pool_hole __attribute__((visibility("hidden")));

/* Sparks that are there. */
static inline int64_t pool_count(const Pool *pool)
{
    return pool->top - pool->bottom - pool->holes;
}

/* Room for one more; soft becomes top.  0; -1: out of memory, nothing changed. */
int pool_grow(Pool *pool);
void pool_free(Pool *pool);

/* Where there is room: the record becomes RECORD_SPARK. */
static inline void pool_put(Pool *pool, Record *record)
{
    record->state = RECORD_SPARK;
    record->slot = pool->top;
    *pool->top++ = record;
}
/* 0; -1: out of memory, nothing changed. */
static inline int pool_push(Pool *pool, Record *record)
{
    if (__builtin_expect(pool->top == pool->end, 0) && pool_grow(pool))
        return -1;
    pool_put(pool, record);
    return 0;
}

/* The newest, which stays there; NULL: there is none. */
const Record *pool_see_newest(const Pool *pool);
/* One for which a thread waits; the same. */
Record *pool_see_awaited(const Pool *pool);
/* Out of the pool: RECORD_HELD. */
void pool_remove(Pool *pool, Record *record);
/* The newest, the oldest spark, RECORD_HELD; NULL: there is none. */
Record *pool_newest(Pool *pool);
Record *pool_oldest(Pool *pool);

#endif
