/* Elimination of some states of a dense matrix, in blocks of pivots. */
#include "solvers/direct/fronts.h"

#include <string.h>

#include "solvers/lanes.h"

enum { TILE = 2 * LANES }; /* columns that are in registers at once, of as many rows: */
enum { TILE_ROWS = 4 };

int32_t front_stride(int32_t columns)
{
    return (columns + TILE - 1) / TILE * TILE;
}

/* to_j += factor from_j, begin <= j < end. */
static INLINE void add_row(double *restrict to, const double *restrict from, double factor,
                           int32_t begin, int32_t end)
{
    for (int32_t j = begin; j < end; j++)
        to[j] += factor * from[j];
}

static INLINE double sum_of(const double *a, int32_t begin, int32_t end)
{
    Lanes sum[2] = {{0}};
    double rest = 0;
    for (; begin + TILE <= end; begin += TILE) {
        sum[0] += *(const LanesAt *)(a + begin);
        sum[1] += *(const LanesAt *)(a + begin + LANES);
    }
    for (; begin < end; begin++)
        rest += a[begin];
    sum[0] += sum[1];
    return lanes_sum(&sum[0]) + rest;
}

/* Visits to pivots of the block from a later row, which are complete when those before are; false:
 * there are none. */
static INLINE bool visits(const Front *f, double *row, int32_t begin, int32_t end)
{
    bool any = false;
    for (int32_t k = begin; k < end; k++) {
        if (row[k] == 0)
            continue;
        any = true;
        row[k] /= f->out[k];
        add_row(row, f->a + (size_t)k * (size_t)f->stride, row[k], k + 1, end);
    }
    return any;
}

/* Columns j .. j + TILE - 1 of some rows receive what comes through the block. */
static INLINE void tile(const Front *f, const int32_t *busy, int32_t count, int32_t begin,
                        int32_t end, int32_t j)
{
    const size_t stride = (size_t)f->stride;
    Lanes sum[TILE_ROWS][2];
    double *row[TILE_ROWS];
#pragma GCC unroll 4
    for (int32_t r = 0; r < count; r++) {
        row[r] = f->a + (size_t)busy[r] * stride;
        sum[r][0] = *(const LanesAt *)(row[r] + j);
        sum[r][1] = *(const LanesAt *)(row[r] + j + LANES);
    }
    for (int32_t k = begin; k < end; k++) {
        const double *from = f->a + (size_t)k * stride + j;
        const Lanes low = *(const LanesAt *)from, high = *(const LanesAt *)(from + LANES);
#pragma GCC unroll 4
        for (int32_t r = 0; r < count; r++) {
            sum[r][0] += row[r][k] * low;
            sum[r][1] += row[r][k] * high;
        }
    }
#pragma GCC unroll 4
    for (int32_t r = 0; r < count; r++) {
        *(LanesAt *)(row[r] + j) = sum[r][0];
        *(LanesAt *)(row[r] + j + LANES) = sum[r][1];
    }
}

static INLINE void eliminate(const Front *f, int32_t begin, int32_t end)
{
    const size_t stride = (size_t)f->stride;
    for (int32_t i = begin; i < end; i++) {
        double *row = f->a + (size_t)i * stride;
        for (int32_t k = begin; k < i; k++) {
            if (row[k] == 0)
                continue;
            row[k] /= f->out[k];
            add_row(row, f->a + (size_t)k * stride, row[k], k + 1, f->stride);
        }
        f->out[i] = sum_of(row, i + 1, f->stride);
    }
    int32_t count = 0;
    for (int32_t i = end; i < f->rows; i++)
        if (visits(f, f->a + (size_t)i * stride, begin, end))
            f->busy[count++] = i;
    const int32_t head = front_stride(end) < f->stride ? front_stride(end) : f->stride;
    for (int32_t r = 0; head > end && r < count; r++) {
        double *row = f->a + (size_t)f->busy[r] * stride;
        for (int32_t k = begin; k < end; k++)
            add_row(row, f->a + (size_t)k * stride, row[k], end, head);
    }
    for (int32_t j = head; j < f->stride; j += TILE) {
        int32_t r = 0;
        for (; r + TILE_ROWS <= count; r += TILE_ROWS)
            tile(f, f->busy + r, TILE_ROWS, begin, end, j);
        for (; r < count; r++)
            tile(f, f->busy + r, 1, begin, end, j);
    }
}

WIDE static void eliminate_wide(const Front *f, int32_t begin, int32_t end)
{
    eliminate(f, begin, end);
}

void front_eliminate(const Front *front, int32_t begin, int32_t end)
{
    if (wide_vectors())
        eliminate_wide(front, begin, end);
    else
        eliminate(front, begin, end);
}
