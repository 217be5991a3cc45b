/* Sets of small integers as bits, 64 to a word. */
#ifndef PEPA_BASE_BITS_H
#define PEPA_BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Words of a set of 0 .. count - 1. */
static inline size_t bits_words(int32_t count)
{
    return ((size_t)count + 63) / 64;
}

static inline bool bits_has(const uint64_t *set, int32_t i)
{
    return set[i >> 6] >> (i & 63) & 1;
}

static inline void bits_add(uint64_t *set, int32_t i)
{
    set[i >> 6] |= UINT64_C(1) << (i & 63);
}

static inline void bits_remove(uint64_t *set, int32_t i)
{
    set[i >> 6] &= ~(UINT64_C(1) << (i & 63));
}

#endif
