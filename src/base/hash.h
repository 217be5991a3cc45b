/* Hashes of integers, for tables in memory: the constants and the mixing steps, in one place.
 * Multiplication by an odd constant near 2^64 / golden ratio spreads neighbouring keys (Knuth, The
 * Art of Computer Programming, vol. 3, sec. 6.4); its high bits are the good ones, hence the
 * shifts. Not for keys that an attacker chooses. */
#ifndef PEPA_BASE_HASH_H
#define PEPA_BASE_HASH_H

#include <stdint.h>

#define HASH_STEP   0x9e3779b97f4a7c15u
#define HASH_FINISH 0xd6e8feb86659fd93u

/* The hash of a sequence is hash_add(.. hash_add(hash_add(0, v_0), v_1) .., v_n-1). */
static inline uint64_t hash_add(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * HASH_STEP;
    return hash ^ hash >> 32;
}

/* 32 bits of it, each of which depends on all bits of the sequence. */
static inline uint32_t hash_finish(uint64_t hash)
{
    return (uint32_t)(hash * HASH_FINISH >> 32);
}

/* Two 32-bit values as one to hash. */
static inline uint64_t hash_pair(int32_t high, int32_t low)
{
    return (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
}

#endif
