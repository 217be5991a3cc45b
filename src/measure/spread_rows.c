/* Rows from entries that have arrived in any order: nothing is there twice. */
#include "measure/spread_rows.h"

#include <string.h>

#include "base/bucket.h"

enum { MOST_BUCKETS = 1024 };

PepaStatus spread_agree(const SpreadBuilding *b, bool ok)
{
    return processes_agree(b->processes, ok ? PEPA_OK : error_memory(b->err), b->err);
}

/* ---- values ---------------------------------------------------------------------------------- */

bool entries_init(Entries *e, bool few)
{
    *e = (Entries){.few = few};
    return !few || chances_init(&e->chances);
}

void entries_free(Entries *e)
{
    chances_free(&e->chances);
    mem_free_all(e->row, e->col, e->val, e->code);
    *e = (Entries){0};
}

bool entries_widen(Entries *e)
{
    double *val = NULL;
    if (!e->few)
        return true;
    if (!mem_new(val, e->cap))
        return false;
    for (size_t k = 0; k < e->count; k++)
        val[k] = e->chances.value[e->code[k]];
    chances_free(&e->chances);
    mem_free(e->code);
    e->code = NULL;
    e->val = val;
    e->few = false;
    return true;
}

static double value_at(const Entries *e, int64_t k)
{
    return e->few ? e->chances.value[e->code[k]] : e->val[k];
}

static bool set_value(Entries *e, int64_t k, double value)
{
    const int32_t place = e->few ? chances_find(&e->chances, value) : -1;
    if (place >= 0) {
        e->code[k] = (uint16_t)place;
        return true;
    }
    if (!entries_widen(e))
        return false;
    e->val[k] = value;
    return true;
}

static void move(Entries *e, int64_t to, int64_t from)
{
    e->col[to] = e->col[from];
    if (e->few)
        e->code[to] = e->code[from];
    else
        e->val[to] = e->val[from];
}

/* ---- arriving -------------------------------------------------------------------------------- */

bool entries_add(Entries *e, int32_t row, int32_t col, double value)
{
    const MemColumn column[] = {{&e->row, sizeof *e->row},
                                {&e->col, sizeof *e->col},
                                {e->few ? (void *)&e->code : (void *)&e->val,
                                 e->few ? sizeof *e->code : sizeof *e->val}};
    if (!mem_reserve_columns(column, 3, &e->cap, e->count + 1))
        return false;
    e->row[e->count] = row;
    e->col[e->count] = col;
    if (!set_value(e, (int64_t)e->count, value))
        return false;
    e->count++;
    return true;
}

bool entries_make(Entries *e, size_t count)
{
    e->count = e->cap = count;
    return mem_new(e->col, count) &&
           (e->few ? mem_new_zeroed(e->code, count) : mem_new(e->val, count));
}

bool entries_set(Entries *e, int64_t k, int32_t col, double value)
{
    e->col[k] = col;
    return set_value(e, k, value);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* An entry on its way. */
typedef struct {
    int32_t row, col;
    uint16_t code;
    double val;
} Entry;

static Entry take(const Entries *e, int64_t k)
{
    return (Entry){.row = e->row ? e->row[k] : 0,
                   .col = e->col[k],
                   .code = e->few ? e->code[k] : 0,
                   .val = e->few ? 0 : e->val[k]};
}

static void put(Entries *e, int64_t k, const Entry *entry)
{
    e->col[k] = entry->col;
    if (e->few)
        e->code[k] = entry->code;
    else
        e->val[k] = entry->val;
}

/* Each to its bucket of 2^shift rows.  Those before the b-th are complete; the first of that one which has not arrived
 * yet is the place of another, until it is one of the b-th.  Source: McIlroy, Bostic, McIlroy, Computing Systems 6
 * (1993), American flag sort.
 *   row   where rows begin;  next: where the next entry of each bucket goes */
static void permute(Entries *e, int32_t rows, const int64_t *row, int32_t shift, int64_t *next)
{
    for (int64_t b = 0; b << shift < rows; b++) {
        const int64_t after = (b + 1) << shift, end = row[after < rows ? after : rows];
        while (next[b] < end) {
            const int64_t hole = next[b]++;
            Entry entry = take(e, hole);
            while (entry.row >> shift != b) {
                const int64_t to = next[entry.row >> shift]++;
                const Entry other = take(e, to);
                e->row[to] = entry.row;
                put(e, to, &entry);
                entry = other;
            }
            e->row[hole] = entry.row;
            put(e, hole, &entry);
        }
    }
}

/* By a thousand buckets first, since entries of a row that come from all over memory are slow. */
static void permute_all(Entries *e, int32_t rows, const int64_t *row, int64_t *next)
{
    int32_t shift = 0;
    while (rows >> shift > MOST_BUCKETS)
        shift++;
    for (int64_t b = 0; b << shift < rows; b++)
        next[b] = row[b << shift];
    permute(e, rows, row, shift, next);
    memcpy(next, row, (size_t)rows * sizeof *next);
    if (shift > 0)
        permute(e, rows, row, 0, next);
}

/* Ascending by column, in place: rows are short, as a rule.  Source: Shell, Comm. ACM 2 (1959); gaps
 * of Gonnet, Baeza-Yates, 1991. */
static void sort_row(Entries *e, int64_t first, int64_t end)
{
    const int64_t n = end - first;
    for (int64_t gap = n > 3 ? n * 5 / 11 : 1; n > 1; gap = gap > 3 ? gap * 5 / 11 : 1) {
        for (int64_t i = first + gap; i < end; i++) {
            const Entry entry = take(e, i);
            int64_t at = i;
            for (; at >= first + gap && e->col[at - gap] > entry.col; at -= gap)
                move(e, at, at - gap);
            put(e, at, &entry);
        }
        if (gap == 1)
            return;
    }
}

/* Columns of a sorted row that are there several times become one. */
static bool join(Entries *e, int64_t first, int64_t end, int64_t *at)
{
    const int64_t begin = *at;
    bool ok = true;
    for (int64_t k = first; k < end && ok; k++)
        if (*at > begin && e->col[k] == e->col[*at - 1])
            ok = set_value(e, *at - 1, value_at(e, *at - 1) + value_at(e, k));
        else
            move(e, (*at)++, k);
    return ok;
}

bool entries_tidy(Entries *e, int32_t rows, int64_t *row, bool sorted)
{
    int64_t at = 0, first = 0;
    bool ok = true;
    for (int32_t r = 0; r < rows && ok; r++) {
        const int64_t end = row[r + 1];
        if (!sorted)
            sort_row(e, first, end);
        ok = join(e, first, end, &at);
        row[r + 1] = at;
        first = end;
    }
    e->count = (size_t)at;
    mem_trim(e->col, at);
    if (e->few)
        mem_trim(e->code, at);
    else
        mem_trim(e->val, at);
    e->cap = e->count;
    return ok;
}

bool entries_line_up(Entries *e, int32_t rows, int64_t *row)
{
    int64_t *next = NULL;
    if (!mem_new_zeroed(next, (size_t)rows + 2))
        return false;
    for (size_t i = 0; i < e->count; i++)
        bucket_count(next, e->row[i]);
    bucket_starts(next, rows);
    memcpy(row, next + 1, ((size_t)rows + 1) * sizeof *row);
    permute_all(e, rows, row, next);
    mem_free_all(next, e->row);
    e->row = NULL;
    return entries_tidy(e, rows, row, false);
}
