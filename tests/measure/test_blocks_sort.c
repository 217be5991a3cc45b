/* Entries sorted by counting stand as sorted by comparing. */
#include "measure/blocks_private.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static int by_row(const void *a, const void *b)
{
    const BlockEntry *x = a, *y = b;
    int32_t rows = (x->to > y->to) - (x->to < y->to),
            cols = (x->from > y->from) - (x->from < y->from);
    return rows ? rows : cols ? cols : (x->rate > y->rate) - (x->rate < y->rate);
}

static int by_diagonal(const void *a, const void *b)
{
    const BlockEntry *x = a, *y = b;
    int32_t dx = x->to - x->from, dy = y->to - y->from;
    return dx != dy ? (dx > dy) - (dx < dy) : (x->to > y->to) - (x->to < y->to);
}

static bool same(const BlockEntry *a, const BlockEntry *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i].to != b[i].to || a[i].from != b[i].from || a[i].rate != b[i].rate)
            return false;
    return true;
}

/* The rate tells the order in which entries came: that of equals has to stay. */
static size_t fill(BlocksBuild *b, int32_t rows, size_t wanted, unsigned seed)
{
    cr_assert(block_entries_reserve(b, wanted));
    for (size_t i = 0; i < wanted; i++) {
        seed = seed * 1103515245u + 12345u;
        int32_t to = (int32_t)(seed >> 8) % rows;
        seed = seed * 1103515245u + 12345u;
        b->entries[i] = (BlockEntry){to, (int32_t)(seed >> 8) % rows, (double)i};
    }
    return wanted;
}

Test(blocks_sort, as_by_comparing)
{
    static const int32_t rows[] = {1, 2, 5, 64, 1000};
    static const size_t counts[] = {0, 1, 2, 17, 300, 5000};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            BlocksBuild b = {0};
            size_t count = fill(&b, rows[r], counts[k], (unsigned)(10 * r + k)), kept = 0;
            BlockEntry *want = calloc(count + 1, sizeof *want);
            for (size_t i = 0; i < count; i++)
                want[i] = b.entries[i];
            qsort(want, count, sizeof *want, by_row);
            cr_assert(block_entries_by_row(&b, count, rows[r]));
            cr_expect(same(b.entries, want, count), "%d rows, %zu entries", rows[r], count);
            for (size_t i = 0; i < count; i++) /* all different */
                if (!kept || b.entries[kept - 1].to != b.entries[i].to ||
                    b.entries[kept - 1].from != b.entries[i].from)
                    b.entries[kept++] = b.entries[i];
            for (size_t i = 0; i < kept; i++)
                want[i] = b.entries[i];
            qsort(want, kept, sizeof *want, by_diagonal);
            cr_assert(block_entries_by_diagonal(&b, kept, rows[r]));
            cr_expect(same(b.entries, want, kept), "%d rows, %zu entries", rows[r], kept);
            free(want);
            mem_free(b.entries);
            mem_free(b.sorted);
            mem_free(b.place);
        }
}
