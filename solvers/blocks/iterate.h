/* Where an iterate is kept. */
#ifndef PEPA_SOLVERS_BLOCKS_ITERATE_H
#define PEPA_SOLVERS_BLOCKS_ITERATE_H

#include <stdint.h>
#include <string.h>

#include "solvers/wide.h"

/* Single precision then has moves of probabilities down to 1e-68, below which they are 0. */
#define ITERATE_SCALE 0x1p100

typedef struct {
    double *whole;
    float *
        moved; /* ITERATE_SCALE times what is kept has moved since what was in its place; or NULL */
} Iterate;

/* Entries from .. end - 1 of x. */
static INLINE void iterate_keep(const Iterate *to, const double *x, int64_t from, int64_t end)
{
    if (to->moved)
        for (int64_t i = from; i < end; i++)
            to->moved[i] = (float)(ITERATE_SCALE * (x[i] - to->whole[i]));
    memcpy(to->whole + from, x + from, (size_t)(end - from) * sizeof *x);
}

#endif
