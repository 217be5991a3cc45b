/* Pseudorandom numbers from a state of 64 bits, any: the same on every machine.
 * Source: SplitMix64; Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014. */
#ifndef PEPA_BASE_RANDOM_H
#define PEPA_BASE_RANDOM_H

#include <stdint.h>

/* The next number in [0, 1), of 53 bits. */
static inline double random_next(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

#endif
