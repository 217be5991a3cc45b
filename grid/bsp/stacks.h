/* Stacks of registrations, found by what they are of in constant time, however many there are and
 * however deep they are.
 *
 * A hash table has the newest of each stack; those below are reached from it only. */
#ifndef GRID_BSP_STACKS_H
#define GRID_BSP_STACKS_H

#include <stddef.h>
#include <stdint.h>

/* What a stack is of. */
typedef struct {
    uint64_t number; /* an address or a serial number */
    int is_serial;
} StackKey;

typedef struct {
    StackKey key;
    uint64_t serial;
    int32_t below; /* the next older one of this stack; -1: none.  Free: the next free one */
    int32_t next;  /* of the newest: that of another stack in the same bucket; -1: none */
} Stacked;

typedef struct {
    Stacked *each; /* used and free, by number */
    size_t count, capacity, used;
    int32_t free;        /* a chain of free ones; -1: none */
    int32_t *buckets;    /* the newest of a stack; -1: none */
    size_t bucket_count; /* a power of 2 */
} Stacks;

/* 0; -1: out of memory (stacks_free is legal). */
int stacks_new(Stacks *stacks);
void stacks_free(Stacks *stacks);

/* Fibonacci hashing (Knuth, volume 3, 6.4). */
static inline size_t stacks_bucket(const Stacks *stacks, uint64_t number)
{
    return (size_t)((number * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (stacks->bucket_count - 1);
}

/* The newest of a stack; -1: it is empty. */
static inline int32_t stacks_newest(const Stacks *stacks, StackKey key)
{
    int32_t at = stacks->buckets[stacks_bucket(stacks, key.number)];
    while (at >= 0 && (stacks->each[at].key.number != key.number ||
                       stacks->each[at].key.is_serial != key.is_serial))
        at = stacks->each[at].next;
    return at;
}

/* Its number; -1: out of memory. */
int32_t stacks_push(Stacks *stacks, StackKey key, uint64_t serial);
/* `newest`: of its stack. */
void stacks_pop(Stacks *stacks, int32_t newest);

#endif
