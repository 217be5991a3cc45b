/* Mixing of 64-bit words into a hash: the one place with the constants. */
#ifndef PEPA_BASE_HASH_H
#define PEPA_BASE_HASH_H

#include <stdint.h>

/* The hash h of what came before, and the next word x.  Starts with h = 0. */
static inline uint64_t hash_mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio */
    return h ^ h >> 32;
}

/* 32 bits of the hash in which all of its bits have a part. */
static inline uint32_t hash_end(uint64_t h)
{
    return (uint32_t)(h * 0xd6e8feb86659fd93u >> 32);
}

#endif
