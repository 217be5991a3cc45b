/* Elimination of a sparse chain's states, front by front. */
#include "solvers/direct/elimination.h"

#include <math.h>
#include <string.h>

#include "base/bucket.h"
#include "base/mem.h"
#include "solvers/direct/tuning.h"

/* The same by targets: column i has the sources of state i. */
static bool transpose(const Jumps *jumps, Jumps *back)
{
    const int32_t rows = jumps->rows;
    const int64_t count = jumps->row[rows];
    *back = (Jumps){.rows = rows, .columns = rows};
    if (!mem_new_zeroed(back->row, (size_t)rows + 2) || !mem_new(back->col, count) ||
        !mem_new(back->val, count))
        return false;
    for (int64_t k = 0; k < count; k++)
        if (jumps->col[k] < rows)
            bucket_count(back->row, jumps->col[k]);
    bucket_starts(back->row, rows);
    for (int32_t i = 0; i < rows; i++)
        for (int64_t k = jumps->row[i]; k < jumps->row[i + 1]; k++)
            if (jumps->col[k] < rows) {
                const int64_t at = bucket_place(back->row, jumps->col[k]);
                back->col[at] = i;
                back->val[at] = jumps->val[k];
            }
    return true;
}

/* ---- room ---------------------------------------------------------------------------------- */

size_t elimination_visits(const Elimination *e, int32_t f)
{
    const size_t rows = (size_t)front_count(&e->fronts.row, f);
    return f == e->fronts.count - 1 ? 0 : rows * (size_t)e->fronts.pivots[f];
}

int32_t elimination_left(const Elimination *e, int32_t f)
{
    return front_count(&e->fronts.column, f) - e->fronts.absorbing[f] - e->fronts.pivots[f];
}

size_t elimination_later(const Elimination *e, int32_t f)
{
    return (size_t)e->fronts.pivots[f] * (size_t)elimination_left(e, f);
}

/* What is left of a front. */
static size_t update_size(const Elimination *e, int32_t f)
{
    const int32_t pivots = e->fronts.pivots[f];
    return (size_t)(front_count(&e->fronts.row, f) - pivots) *
           (size_t)(front_count(&e->fronts.column, f) - pivots);
}

static size_t front_size(const Elimination *e, int32_t f)
{
    return (size_t)front_count(&e->fronts.row, f) *
           (size_t)front_stride(front_count(&e->fronts.column, f));
}

/* How much of it there is at once. */
static void measure(Elimination *e)
{
    const Fronts *fronts = &e->fronts;
    size_t used = 0;
    int32_t waiting = 0;
    for (int32_t f = 0; f < fronts->count; f++) {
        for (; waiting > 0 && fronts->parent[e->waits[waiting - 1]] == f; waiting--)
            used -= update_size(e, e->waits[waiting - 1]);
        e->waits[waiting++] = f;
        used += update_size(e, f);
        e->deepest = used > e->deepest ? used : e->deepest;
        e->largest = front_size(e, f) > e->largest ? front_size(e, f) : e->largest;
    }
}

bool elimination_start(Elimination *e, const Jumps *jumps)
{
    *e = (Elimination){.jumps = jumps};
    if (!transpose(jumps, &e->back) || !fronts_new(&e->fronts, jumps, &e->back) ||
        !mem_new(e->row, jumps->rows) || !mem_new(e->column, jumps->columns) ||
        !mem_new(e->waits, e->fronts.count))
        return false;
    measure(e);
    return true;
}

void elimination_free(Elimination *e)
{
    jumps_free(&e->back);
    fronts_free(&e->fronts);
    mem_free_all(e->row, e->column, e->now.a, e->now.out, e->now.busy, e->update, e->waits);
    *e = (Elimination){0};
}

static bool reserve(Elimination *e)
{
    int32_t rows = 0;
    for (int32_t f = 0; f < e->fronts.count; f++)
        if (front_count(&e->fronts.row, f) > rows)
            rows = front_count(&e->fronts.row, f);
    return mem_new(e->update, e->deepest) &&
           (e->now.a || (mem_new(e->now.a, e->largest) && mem_new(e->now.out, rows) &&
                         mem_new(e->now.busy, rows)));
}

/* ---- elimination ---------------------------------------------------------------------------- */

/* Jumps from and to the pivots, but those from and to states that are eliminated. */
static void enter_jumps(Elimination *e, int32_t f)
{
    const Jumps *jumps = e->jumps, *back = &e->back;
    const int32_t *pivot = front_states(&e->fronts.row, f);
    const size_t stride = (size_t)e->now.stride;
    for (int32_t p = 0; p < e->fronts.pivots[f]; p++) {
        const int32_t i = pivot[p];
        for (int64_t k = jumps->row[i]; k < jumps->row[i + 1]; k++)
            if (jumps->col[k] > i)
                e->now.a[(size_t)p * stride + (size_t)e->column[jumps->col[k]]] += jumps->val[k];
        for (int64_t k = back->row[i]; k < back->row[i + 1]; k++)
            if (back->col[k] > i)
                e->now.a[(size_t)e->row[back->col[k]] * stride + (size_t)p] += back->val[k];
    }
}

/* What is left of the child that was eliminated last. */
static void enter_update(Elimination *e)
{
    const Fronts *fronts = &e->fronts;
    const int32_t child = e->waits[--e->waiting], pivots = fronts->pivots[child];
    const int32_t *row = front_states(&fronts->row, child) + pivots;
    const int32_t *column = front_states(&fronts->column, child) + pivots;
    const int32_t rows = front_count(&fronts->row, child) - pivots;
    const int32_t columns = front_count(&fronts->column, child) - pivots;
    e->used -= update_size(e, child);
    const double *from = e->update + e->used;
    for (int32_t i = 0; i < rows; i++, from += columns) {
        double *to = e->now.a + (size_t)e->row[row[i]] * (size_t)e->now.stride;
        for (int32_t j = 0; j < columns; j++)
            to[e->column[column[j]]] += from[j];
    }
}

static void assemble(Elimination *e, int32_t f)
{
    const Fronts *fronts = &e->fronts;
    const int32_t rows = front_count(&fronts->row, f), columns = front_count(&fronts->column, f);
    const int32_t *row = front_states(&fronts->row, f), *column = front_states(&fronts->column, f);
    e->now.rows = rows;
    e->now.stride = front_stride(columns);
    memset(e->now.a, 0, front_size(e, f) * sizeof *e->now.a);
    for (int32_t i = 0; i < rows; i++)
        e->row[row[i]] = i;
    for (int32_t j = 0; j < columns; j++)
        e->column[column[j]] = j;
    enter_jumps(e, f);
    while (e->waiting > 0 && fronts->parent[e->waits[e->waiting - 1]] == f)
        enter_update(e);
}

/* What is left waits for its parent; what others want is kept. */
static void keep(Elimination *e, int32_t f, double **visits, double **later)
{
    const Fronts *fronts = &e->fronts;
    const int32_t pivots = fronts->pivots[f], rows = front_count(&fronts->row, f);
    const size_t all = (size_t)pivots, others = (size_t)elimination_left(e, f);
    const size_t left = others + (size_t)fronts->absorbing[f];
    const double *row = e->now.a;
    for (int32_t i = 0; i < rows; i++, row += e->now.stride) {
        if (*visits) {
            memcpy(*visits, row, all * sizeof *row);
            *visits += all;
        }
        if (i < pivots && *later) {
            memcpy(*later, row + pivots, others * sizeof *row);
            *later += others;
        } else if (i >= pivots) {
            memcpy(e->update + e->used, row + pivots, left * sizeof *row);
            e->used += left;
        }
    }
    e->waits[e->waiting++] = f;
}

static bool is_way_out(double chance)
{
    return chance >= LEAST_OUT && isfinite(chance);
}

/* closed: the last state has no other */
static PepaStatus eliminate_front(Elimination *e, int32_t f, Monitor *monitor, bool closed)
{
    const int32_t pivots = e->fronts.pivots[f], last = e->jumps->rows - 1;
    const int32_t *pivot = front_states(&e->fronts.row, f);
    for (int32_t begin = 0, end; begin < pivots; begin = end) {
        end = begin + GTH_PIVOTS < pivots ? begin + GTH_PIVOTS : pivots;
        front_eliminate(&e->now, begin, end);
        for (int32_t p = begin; p < end; p++) {
            if (!(closed && pivot[p] == last) && !is_way_out(e->now.out[p]))
                return PEPA_ENOCONV;
            if (e->out)
                e->out[pivot[p]] = e->now.out[p];
        }
        const int64_t work =
            (int64_t)(end - begin) * (e->now.rows - begin) * (e->now.stride - begin);
        if (monitor && monitor_cancels(monitor, work, 0, 1))
            return PEPA_ECANCEL;
    }
    return PEPA_OK;
}

PepaStatus elimination_run(Elimination *e, Monitor *monitor, bool closed)
{
    PepaStatus status = reserve(e) ? PEPA_OK : PEPA_ENOMEM;
    double *visits = e->visits, *later = e->later;
    e->used = 0;
    e->waiting = 0;
    for (int32_t f = 0; status == PEPA_OK && f < e->fronts.count; f++) {
        assemble(e, f);
        status = eliminate_front(e, f, monitor, closed);
        if (f < e->fronts.count - 1)
            keep(e, f, &visits, &later);
    }
    mem_free(e->update);
    e->update = NULL;
    return status;
}
