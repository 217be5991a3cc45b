/* Hot loops compiled twice: for any processor and, where it has them, for wider vectors.  A
 * loop with all that it calls is one function (INLINE), which a plain and a WIDE one call.  Both
 * compute the same bits: no sum is reordered, no product fused. */
#ifndef PEPA_SOLVERS_WIDE_H
#define PEPA_SOLVERS_WIDE_H

#include <stdbool.h>

#define INLINE inline __attribute__((always_inline))

#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2")))
#else
#define WIDE
#endif

static inline bool wide_vectors(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2");
#else
    return true; /* both are the same */
#endif
}

#endif
