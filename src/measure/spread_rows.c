/* Rows from entries that have arrived in any order. */
#include "measure/spread_rows.h"

#include "base/bucket.h"

PepaStatus spread_agree(const SpreadBuilding *b, bool ok)
{
    return processes_agree(b->processes, ok ? PEPA_OK : error_memory(b->err), b->err);
}

/* Ascending by column, in place: rows are short, as a rule.  Source: Shell, Comm. ACM 2 (1959); gaps
 * of Gonnet, Baeza-Yates, 1991. */
static void sort_row(int32_t *col, double *val, int64_t n)
{
    for (int64_t gap = n > 3 ? n * 5 / 11 : 1; n > 1; gap = gap > 3 ? gap * 5 / 11 : 1) {
        for (int64_t i = gap; i < n; i++) {
            const int32_t c = col[i];
            const double v = val[i];
            int64_t at = i;
            for (; at >= gap && col[at - gap] > c; at -= gap) {
                col[at] = col[at - gap];
                val[at] = val[at - gap];
            }
            col[at] = c;
            val[at] = v;
        }
        if (gap == 1)
            return;
    }
}

bool spread_make_rows(Entry *entry, size_t count, int32_t rows, int64_t *row, int32_t **col,
                      double **val)
{
    int64_t *start = NULL, at = 0;
    const bool ok =
        mem_new_zeroed(start, (size_t)rows + 2) && mem_new(*col, count) && mem_new(*val, count);
    for (size_t i = 0; i < count && ok; i++)
        bucket_count(start, entry[i].row);
    if (ok)
        bucket_starts(start, rows);
    for (size_t i = 0; i < count && ok; i++) {
        const int64_t to = bucket_place(start, entry[i].row);
        (*col)[to] = entry[i].col;
        (*val)[to] = entry[i].chance;
    }
    mem_free(entry);
    row[0] = 0;
    for (int32_t r = 0; r < rows && ok; r++) {
        const int64_t from = start[r], to = start[r + 1];
        sort_row(*col + from, *val + from, to - from);
        for (int64_t k = from; k < to; k++)
            if (k > from && (*col)[k] == (*col)[at - 1]) {
                (*val)[at - 1] += (*val)[k];
            } else {
                (*col)[at] = (*col)[k];
                (*val)[at++] = (*val)[k];
            }
        row[r + 1] = at;
    }
    mem_free(start);
    if (ok) {
        mem_trim(*col, at);
        mem_trim(*val, at);
    }
    return ok;
}
