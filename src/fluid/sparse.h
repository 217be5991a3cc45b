/* A sparse matrix by rows: row i has value[k] in column col[k], row[i] <= k < row[i + 1]. */
#ifndef PEPA_FLUID_SPARSE_H
#define PEPA_FLUID_SPARSE_H

#include <stdint.h>

#include "base/mem.h"

typedef struct {
    int32_t rows;
    int32_t *row, *col; /* rows + 1; entries */
    double *value;
} Sparse; /* starts as {0} */

static inline void sparse_free(Sparse *s)
{
    mem_free_all(s->row, s->col, s->value);
    *s = (Sparse){0};
}

#endif
