/* Numbers side by side, which processors add and multiply at once.  A sum has one part for each lane, so that no
 * addition waits for the one before; its order is the same wherever it is done. */
#ifndef PEPA_SOLVERS_LANES_H
#define PEPA_SOLVERS_LANES_H

#include <stdint.h>
#include <string.h>

#include "solvers/wide.h"

enum { LANES = 4 };
typedef double Lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef int64_t LaneBits __attribute__((vector_size(LANES * sizeof(int64_t))));
/* The same where they are in a vector. */
typedef Lanes LanesAt __attribute__((aligned(sizeof(double)), may_alias));
typedef float Singles __attribute__((vector_size(LANES * sizeof(float))));

/* The first `count` from a vector, the others 0; and back. */
static INLINE void lanes_load(Lanes *to, const double *from, int32_t count)
{
    if (count == LANES) {
        *to = *(const LanesAt *)from;
        return;
    }
    *to = (Lanes){0};
    memcpy(to, from, (size_t)count * sizeof *from);
}

static INLINE void lanes_store(double *to, const Lanes *from, int32_t count)
{
    if (count == LANES)
        *(LanesAt *)to = *from;
    else
        memcpy(to, from, (size_t)count * sizeof *to);
}

static INLINE void lanes_widen(Lanes *to, const float *from, int32_t count)
{
    Singles single = {0};
    memcpy(&single, from, (size_t)count * sizeof *from);
    *to = __builtin_convertvector(single, Lanes);
}

static INLINE void lanes_magnitude(Lanes *of)
{
    *of = (Lanes)((LaneBits)*of & INT64_MAX);
}

static INLINE double lanes_sum(const Lanes *of)
{
    return ((*of)[0] + (*of)[1]) + ((*of)[2] + (*of)[3]);
}

#endif
