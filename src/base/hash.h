/* Hashes of integers, for tables in memory: the constants and the mixing steps, in one place.
 * Multiplication by an odd constant near 2^64 / golden ratio spreads neighbouring keys (Knuth, The
 * Art of Computer Programming, vol. 3, sec. 6.4); its high bits are the good ones, hence the
 * shifts.  Not for keys that an attacker chooses. */
#ifndef PEPA_BASE_HASH_H
#define PEPA_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_STEP 0x9e3779b97f4a7c15u

/* The hash h of what came before, and the next word x.  Starts with h = 0. */
static inline uint64_t hash_mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * HASH_STEP;
    return h ^ h >> 32;
}

/* The hash of so many bytes. */
static inline uint64_t hash_bytes(const void *bytes, size_t size)
{
    uint64_t h = size, word;
    for (size_t at = 0; at < size; at += sizeof word) {
        word = 0;
        memcpy(&word, (const char *)bytes + at, size - at < sizeof word ? size - at : sizeof word);
        h = hash_mix(h, word);
    }
    return h;
}

/* 32 bits of the hash, each of which depends on all of its bits. */
static inline uint32_t hash_end(uint64_t h)
{
    return (uint32_t)(h * 0xd6e8feb86659fd93u >> 32);
}

/* Two 32-bit values as one word. */
static inline uint64_t hash_pair(int32_t high, int32_t low)
{
    return (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
}

#endif
