/* The revised simplex method with an explicit inverse. */
#include "grid/taag/schedule/pack_lp.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

/* Steps at most, for each row and beyond; after some the multipliers are worked out anew. */
enum { STEPS_OF_ROW = 20, MORE_STEPS = 200, REFRESH = 32 };
static const double SMALL = 1e-9;

bool pack_lp_make(PackLp *out, int32_t rows)
{
    PackLp lp = {.rows = rows};
    const size_t m = (size_t)rows;
    if (!mem_new_zeroed(lp.right, m) || !mem_new(lp.basis, m) || !mem_new(lp.inverse, m * m) ||
        !mem_new(lp.value, m) || !mem_new(lp.way, m) || !mem_new(lp.multiplier, m) ||
        !mem_grow(lp.column, lp.column_cap, 1) || !mem_grow(lp.x, lp.x_cap, 1) ||
        !mem_grow(lp.used, lp.used_cap, 1)) {
        pack_lp_free(&lp);
        return false;
    }
    lp.column[0].first = 0;
    *out = lp;
    return true;
}

void pack_lp_free(PackLp *lp)
{
    mem_free_all(lp->right, lp->column, lp->entry, lp->x, lp->basis, lp->used, lp->inverse,
                 lp->value, lp->way, lp->multiplier);
    *lp = (PackLp){0};
}

bool pack_lp_add(PackLp *lp, double worth, const PackEntry *entry, int32_t entries)
{
    if (!mem_grow(lp->column, lp->column_cap, lp->columns + 2) ||
        !mem_grow(lp->entry, lp->entry_cap, lp->entries + (size_t)entries) ||
        !mem_grow(lp->x, lp->x_cap, lp->columns + 1) ||
        !mem_grow(lp->used, lp->used_cap, lp->columns + 1))
        return false;
    memcpy(lp->entry + lp->entries, entry, (size_t)entries * sizeof *entry);
    lp->entries += (size_t)entries;
    lp->column[lp->columns].worth = worth;
    lp->column[lp->columns].open = true;
    lp->used[lp->columns] = false;
    lp->column[++lp->columns].first = lp->entries;
    return true;
}

int32_t pack_lp_most(const PackLp *lp, int32_t j)
{
    int32_t most = INT32_MAX;
    for (size_t e = lp->column[j].first; e < lp->column[j + 1].first; e++) {
        const int32_t times = lp->right[lp->entry[e].row] / lp->entry[e].times;
        most = times < most ? times : most;
    }
    return most;
}

static void begin(PackLp *lp)
{
    const size_t m = (size_t)lp->rows;
    memset(lp->inverse, 0, m * m * sizeof *lp->inverse);
    memset(lp->used, 0, (size_t)lp->columns * sizeof *lp->used);
    for (size_t i = 0; i < m; i++) {
        lp->inverse[i * m + i] = 1;
        lp->basis[i] = -1 - (int32_t)i;
        lp->value[i] = lp->right[i];
        lp->multiplier[i] = 0;
    }
}

/* What a column is worth beyond its rows. */
static double gain(const PackLp *lp, int32_t j)
{
    double sum = lp->column[j].worth;
    for (size_t e = lp->column[j].first; e < lp->column[j + 1].first; e++)
        sum -= lp->multiplier[lp->entry[e].row] * lp->entry[e].times;
    return sum;
}

/* The column, or -1 - row, that gains most.  *most = SMALL: none does. */
static int32_t entering(PackLp *lp, double *most)
{
    int32_t best = 0;
    *most = SMALL;
    for (int32_t j = 0; j < lp->columns; j++) {
        if (!lp->column[j].open || lp->used[j])
            continue;
        const double more = gain(lp, j);
        if (more > *most && pack_lp_most(lp, j) > 0) {
            *most = more;
            best = j;
        }
    }
    for (int32_t i = 0; i < lp->rows; i++)
        if (-lp->multiplier[i] > *most) {
            *most = -lp->multiplier[i];
            best = -1 - i;
        }
    lp->work += (int64_t)lp->entries;
    return best;
}

static void find_way(PackLp *lp, int32_t j)
{
    const size_t m = (size_t)lp->rows;
    if (j < 0) {
        for (size_t i = 0; i < m; i++)
            lp->way[i] = lp->inverse[i * m + (size_t)(-1 - j)];
        return;
    }
    memset(lp->way, 0, m * sizeof *lp->way);
    for (size_t e = lp->column[j].first; e < lp->column[j + 1].first; e++)
        for (size_t i = 0; i < m; i++)
            lp->way[i] += lp->entry[e].times * lp->inverse[i * m + (size_t)lp->entry[e].row];
}

/* The row that limits the column; of several the one with the largest pivot.  -1: none does. */
static int32_t leaving(const PackLp *lp)
{
    int32_t best = -1;
    for (int32_t i = 0; i < lp->rows; i++) {
        if (lp->way[i] <= SMALL)
            continue;
        const double ratio = lp->value[i] / lp->way[i];
        const double least = best < 0 ? INFINITY : lp->value[best] / lp->way[best];
        if (ratio < least - SMALL || (ratio <= least + SMALL && lp->way[i] > lp->way[best]))
            best = i;
    }
    return best;
}

static void exchange(PackLp *lp, int32_t row, int32_t column, double more)
{
    const size_t m = (size_t)lp->rows, r = (size_t)row;
    double *from = lp->inverse + r * m;
    const double pivot = lp->way[r], length = fmax(0, lp->value[r] / pivot);
    if (lp->basis[r] >= 0)
        lp->used[lp->basis[r]] = false;
    if (column >= 0)
        lp->used[column] = true;
    lp->basis[r] = column;
    for (size_t k = 0; k < m; k++)
        from[k] /= pivot;
    for (size_t i = 0; i < m; i++) {
        double *row_of = lp->inverse + i * m;
        const double times = lp->way[i];
        if (i == r || !(fabs(times) > 0))
            continue;
        lp->value[i] = fmax(0, lp->value[i] - times * length);
        for (size_t k = 0; k < m; k++)
            row_of[k] -= times * from[k];
    }
    lp->value[r] = length;
    for (size_t k = 0; k < m; k++)
        lp->multiplier[k] += more * from[k];
    lp->work += (int64_t)(m * m);
}

static void refresh(PackLp *lp)
{
    const size_t m = (size_t)lp->rows;
    memset(lp->multiplier, 0, m * sizeof *lp->multiplier);
    for (size_t i = 0; i < m; i++) {
        const double worth = lp->basis[i] >= 0 ? lp->column[lp->basis[i]].worth : 0;
        for (size_t k = 0; k < m; k++)
            lp->multiplier[k] += worth * lp->inverse[i * m + k];
    }
    lp->work += (int64_t)(m * m);
}

/* For any multipliers: no solution gains more than what is right of the rows, and its columns beyond that. */
static double bound(PackLp *lp)
{
    double sum = 0, size = 0;
    for (int32_t i = 0; i < lp->rows; i++) {
        lp->multiplier[i] = fmax(0, lp->multiplier[i]);
        sum += lp->multiplier[i] * lp->right[i];
    }
    size = sum;
    for (int32_t j = 0; j < lp->columns; j++) {
        const double more = lp->column[j].open ? gain(lp, j) : 0;
        if (more > 0) {
            sum += more * pack_lp_most(lp, j);
            size += lp->column[j].worth;
        }
    }
    lp->work += (int64_t)lp->entries;
    return sum + 1e-12 * size;
}

double pack_lp_go_on(PackLp *lp)
{
    const int32_t steps = STEPS_OF_ROW * lp->rows + MORE_STEPS;
    refresh(lp);
    for (int32_t step = 0; step < steps; step++) {
        double more;
        const int32_t column = entering(lp, &more);
        if (more <= SMALL)
            break;
        find_way(lp, column);
        const int32_t row = leaving(lp);
        if (row < 0)
            break;
        exchange(lp, row, column, more);
        if (step % REFRESH == REFRESH - 1)
            refresh(lp);
    }
    refresh(lp);
    memset(lp->x, 0, (size_t)lp->columns * sizeof *lp->x);
    for (int32_t i = 0; i < lp->rows; i++)
        if (lp->basis[i] >= 0)
            lp->x[lp->basis[i]] = lp->value[i];
    return bound(lp);
}

double pack_lp_solve(PackLp *lp)
{
    begin(lp);
    return pack_lp_go_on(lp);
}
