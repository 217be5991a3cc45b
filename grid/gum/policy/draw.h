/* What all policies choose from, and by chance: no MPI here. */
#ifndef GRID_GUM_POLICY_DRAW_H
#define GRID_GUM_POLICY_DRAW_H

#include "grid/gum/policy/tables.h"

/* May a FISH of this origin go to this process? */
static inline int policy_fits(const Tables *tables, int32_t process, int32_t origin)
{
    return process != tables->self && process != origin;
}

/* A uniform number from 0 to count - 1.  Source: Steele, Lea, Flood, Fast splittable pseudorandom
 * number generators, 2014. */
static inline int32_t policy_draw(uint64_t *chance, int32_t count)
{
    uint64_t z = *chance += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    z ^= z >> 31;
    return (int32_t)(((z >> 32) * (uint64_t)count) >> 32);
}

/* A uniform number in [0, 1). */
static inline double policy_uniform(uint64_t *chance)
{
    return policy_draw(chance, INT32_MAX) / (double)INT32_MAX;
}

#endif
