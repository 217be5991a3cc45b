/* LU factors with fill-in: of the whole matrix, where small numbers are dropped, or, exactly, of
 * its diagonal blocks. */
#include "solvers/krylov/krylov.h"

#include <math.h>
#include <string.h>
#include <suitesparse/amd.h>

#include "base/heap.h"
#include "base/mem.h"

/* The row at work.  Columns are rows of the factors. */
typedef struct {
    double *value;  /* n: by column */
    bool *there;    /* n: the column is in the row */
    int32_t *queue; /* columns below the diagonal that wait: the first of them last, or a heap */
    bool heaped;
    int32_t *lower; /* those done with */
    int32_t *upper; /* columns above the diagonal */
    int32_t *place; /* n: of each state */
    int32_t waiting, uppers, lowers;
} Row;

/* columns: most that a row can have. */
static bool row_new(Row *row, size_t n, size_t columns)
{
    *row = (Row){.waiting = 0};
    return mem_new(row->value, n) && mem_new_zeroed(row->there, n) &&
           mem_new(row->queue, columns) && mem_new(row->upper, columns) &&
           mem_new(row->lower, columns) && mem_new(row->place, n);
}

/* Most queues are short: shifting what comes before a column takes less than a heap's jumps. */
static inline void wait_for(Row *row, int32_t column)
{
    if (!row->heaped && row->waiting == LONG_QUEUE) {
        for (int32_t k = 0; k < LONG_QUEUE / 2; k++) {
            const int32_t swap = row->queue[k];
            row->queue[k] = row->queue[LONG_QUEUE - 1 - k];
            row->queue[LONG_QUEUE - 1 - k] = swap;
        }
        row->heaped = true;
    }
    if (row->heaped) {
        heap_push(row->queue, &row->waiting, column);
        return;
    }
    int32_t at = row->waiting++;
    for (; at > 0 && row->queue[at - 1] < column; at--)
        row->queue[at] = row->queue[at - 1];
    row->queue[at] = column;
}

/* The first column that waits. */
static inline int32_t next_column(Row *row)
{
    return row->heaped ? heap_pop(row->queue, &row->waiting) : row->queue[--row->waiting];
}

/* Subtract from the entry of row i in `column`. */
static void subtract(Row *row, int32_t i, int32_t column, double amount)
{
    if (!row->there[column]) {
        row->there[column] = true;
        row->value[column] = 0;
        if (column < i)
            wait_for(row, column);
        else if (column > i)
            row->upper[row->uppers++] = column;
    }
    row->value[column] -= amount;
}

/* Bring the `most` columns with the largest entries, of `count`, to the front; how many are left.
 * Hoare's selection. */
static int32_t keep_largest(const double *value, int32_t *column, int32_t count, int32_t most)
{
    if (count <= most)
        return count;
    for (int32_t from = 0, to = count - 1; from < to;) {
        double middle = fabs(value[column[from + (to - from) / 2]]);
        int32_t i = from, j = to;
        while (i <= j) {
            while (fabs(value[column[i]]) > middle)
                i++;
            while (fabs(value[column[j]]) < middle)
                j--;
            if (i <= j) {
                int32_t swap = column[i];
                column[i++] = column[j];
                column[j--] = swap;
            }
        }
        if (most <= j)
            to = j;
        else if (most >= i)
            from = i;
        else
            break;
    }
    return most;
}

typedef struct {
    const Flow *flow;
    const Filling *filling;
    Ilu *out;
    Row row;
    int64_t count; /* entries so far */
    double uncut;  /* the same if no row were cut short */
    double work;   /* multiply-adds */
} Factoring;

/* How far a row of `own` entries may fill up. */
static int32_t longest(const Filling *filling, int32_t own)
{
    return filling->extra > INT32_MAX - own ? INT32_MAX : own + filling->extra;
}

/* Row i of I - P' within rows first .. end - 1: how many entries it has on either side of the
 * diagonal, and the least that is kept. */
static double scatter(Factoring *f, int32_t i, int32_t first, int32_t end, int32_t own[2])
{
    const Flow *flow = f->flow;
    int32_t state = f->out->order ? f->out->order[i] : i;
    double largest = 0;
    f->row.uppers = f->row.lowers = f->row.waiting = 0;
    f->row.heaped = false;
    f->row.there[i] = true;
    f->row.value[i] = 1;
    for (int64_t k = flow->row[state]; k < flow->row[state + 1]; k++) {
        int32_t j = flow->col[k];
        if (j < first || j >= end)
            continue;
        int32_t column = f->out->order ? f->row.place[j] : j;
        double chance = flow_val(flow, k);
        largest = fmax(largest, chance);
        subtract(&f->row, i, column, chance);
    }
    own[0] = f->row.waiting;
    own[1] = f->row.uppers;
    return f->filling->drop * largest;
}

/* Eliminate the entries below the diagonal, in order: row j of U times the factor is taken off. */
static void eliminate(Factoring *f, int32_t i, int32_t first, double least)
{
    const Ilu *out = f->out;
    Row *row = &f->row;
    while (row->waiting > 0) {
        int32_t j = next_column(row);
        double factor = row->value[j] * out->inverse[j];
        row->there[j] = false;
        if (fabs(factor) < least || factor == 0)
            continue;
        row->value[j] = factor;
        row->lower[row->lowers++] = j;
        f->work += (double)(out->row[j + 1] - out->upper[j]);
        for (int64_t u = out->upper[j]; u < out->row[j + 1]; u++)
            subtract(row, i, first + out->col[u], factor * out->val[u]);
    }
}

static void append(Factoring *f, const int32_t *column, int32_t count, int32_t first)
{
    for (int32_t k = 0; k < count; k++) {
        f->out->col[f->count] = column[k] - first;
        f->out->val[f->count++] = (float)f->row.value[column[k]];
    }
}

static PepaStatus factor_row(Factoring *f, int32_t i, int32_t first, int32_t end)
{
    Ilu *out = f->out;
    Row *row = &f->row;
    int32_t own[2], kept = 0;
    double least = scatter(f, i, first, end, own);
    eliminate(f, i, first, least);
    for (int32_t k = 0; k < row->uppers; k++) {
        int32_t column = row->upper[k];
        row->there[column] = false;
        if (fabs(row->value[column]) >= least && row->value[column] != 0)
            row->upper[kept++] = column;
    }
    row->there[i] = false;
    f->uncut += (double)row->lowers + kept;
    int32_t lowers = keep_largest(row->value, row->lower, row->lowers, longest(f->filling, own[0])),
            uppers = keep_largest(row->value, row->upper, kept, longest(f->filling, own[1]));
    size_t need = (size_t)f->count + (size_t)lowers + (size_t)uppers;
    if ((double)need > f->filling->most)
        return PEPA_ELIMIT;
    if (!mem_grow(out->col, out->cols, need) || !mem_grow(out->val, out->vals, need))
        return PEPA_ENOMEM;
    append(f, row->lower, lowers, first);
    out->upper[i] = f->count;
    append(f, row->upper, uppers, first);
    out->row[i + 1] = f->count;
    bool whole = i == f->flow->n - 1 && first == 0;
    out->inverse[i] = 1 / pivot_guard(f->flow, whole, row->value[i]);
    return PEPA_OK;
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* An order of states first .. end - 1 in which they fill up little. */
static PepaStatus order_block(Factoring *f, int32_t first, int32_t end)
{
    const Flow *flow = f->flow;
    int32_t start[MOST_BLOCK + 1], order[MOST_BLOCK], size = end - first, count = 0;
    int64_t most = flow->row[end] - flow->row[first];
    if (most > INT32_MAX / 8)
        return PEPA_ELIMIT;
    int32_t *col = mem_alloc((size_t)most, sizeof *col);
    if (!col)
        return PEPA_ENOMEM;
    for (int32_t i = 0; i < size; i++) {
        start[i] = count;
        for (int64_t k = flow->row[first + i]; k < flow->row[first + i + 1]; k++)
            if (flow->col[k] >= first && flow->col[k] < end)
                col[count++] = flow->col[k] - first;
    }
    start[size] = count;
    int done = amd_order(size, start, col, order, NULL, NULL);
    mem_free(col);
    if (done != AMD_OK)
        return done == AMD_OUT_OF_MEMORY ? PEPA_ENOMEM : PEPA_ELIMIT;
    for (int32_t k = 0; k < size; k++) {
        f->out->order[first + k] = first + order[k];
        f->row.place[first + order[k]] = first + k;
    }
    return PEPA_OK;
}

/* Looked at when few rows are done, which may fill up more than the rest, and when more are; but
 * factors that are finished are used, however full. */
static bool outgrown(const Factoring *f, int32_t rows)
{
    const int32_t n = f->flow->n;
    const Filling *filling = f->filling;
    const double slack = rows == n / 64 ? 2 : rows == n / 16 ? 1.4 : 1;
    const double entries = (double)f->flow->row[rows];
    if (rows != n / 64 && rows != n / 16 && rows != n / 4)
        return false;
    return (filling->growth > 0 && f->uncut > slack * filling->growth * entries) ||
           (filling->effort > 0 && f->work > slack * filling->effort * rows);
}

/* *effort: multiply-adds for a row, of those that were factored. */
static PepaStatus factor_rows(Factoring *f, double *effort)
{
    PepaStatus status = PEPA_OK;
    int32_t n = f->flow->n, block = f->out->block;
    for (int32_t first = 0, end; first < n && status == PEPA_OK; first = end) {
        end = block > 0 && n - first > block ? first + block : n;
        if (block > 0)
            status = order_block(f, first, end);
        for (int32_t i = first; i < end && status == PEPA_OK; i++) {
            status = factor_row(f, i, first, end);
            *effort = f->work / (i + 1);
            if (status == PEPA_OK && outgrown(f, i + 1))
                status = PEPA_ELIMIT;
        }
    }
    return status;
}

double ilu_filling_bytes(const Flow *flow, const Filling *filling)
{
    return (sizeof(float) + sizeof(int32_t)) * filling->most + 44.0 * flow->n;
}

PepaStatus ilu_factor_filling(Ilu *out, const Flow *flow, const Filling *filling, double *effort)
{
    size_t n = (size_t)flow->n;
    *out = (Ilu){.flow = flow, .block = filling->block};
    *effort = 0;
    Factoring f = {.flow = flow, .filling = filling, .out = out};
    bool ok = row_new(&f.row, n, filling->block > 0 ? MOST_BLOCK : n) && mem_new(out->row, n + 1) &&
              mem_new(out->upper, n) && mem_new(out->inverse, n) &&
              (filling->block == 0 || mem_new(out->order, n));
    PepaStatus status = ok ? PEPA_OK : PEPA_ENOMEM;
    if (ok) {
        out->row[0] = 0;
        status = factor_rows(&f, effort);
    }
    mem_free_all(f.row.value, f.row.there, f.row.queue, f.row.upper, f.row.lower, f.row.place);
    if (status != PEPA_OK)
        ilu_free(out);
    return status;
}
