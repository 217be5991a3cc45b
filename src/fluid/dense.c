/* Solves small dense systems. */
#include "fluid/dense.h"

static void swap_rows(int32_t n, double *x, double *y)
{
    for (int32_t k = 0; k < n; k++) {
        const double kept = x[k];
        x[k] = y[k];
        y[k] = kept;
    }
}

bool lu_factor(int32_t n, double *a, int32_t *pivot)
{
    for (int32_t k = 0; k < n; k++) {
        double *row = a + (ptrdiff_t)k * n;
        int32_t best = k;
        for (int32_t i = k + 1; i < n; i++)
            if (fabs(a[(ptrdiff_t)i * n + k]) > fabs(a[(ptrdiff_t)best * n + k]))
                best = i;
        pivot[k] = best;
        if (best != k)
            swap_rows(n, row, a + (ptrdiff_t)best * n);
        if (!(fabs(row[k]) > 0) || !isfinite(row[k]))
            return false;
        for (int32_t i = k + 1; i < n; i++) {
            double *other = a + (ptrdiff_t)i * n;
            const double factor = other[k] /= row[k];
            for (int32_t j = k + 1; j < n && factor != 0; j++)
                other[j] -= factor * row[j];
        }
    }
    return true;
}

void lu_solve(int32_t n, const double *lu, const int32_t *pivot, double *b)
{
    for (int32_t k = 0; k < n; k++) {
        const double kept = b[k];
        b[k] = b[pivot[k]];
        b[pivot[k]] = kept;
    }
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < i; j++)
            b[i] -= lu[(ptrdiff_t)i * n + j] * b[j];
    for (int32_t i = n; i-- > 0;) {
        for (int32_t j = i + 1; j < n; j++)
            b[i] -= lu[(ptrdiff_t)i * n + j] * b[j];
        b[i] /= lu[(ptrdiff_t)i * n + i];
    }
}
