/* Sorts the entries of a block by rows or by diagonals. */
#include "measure/blocks_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/bucket.h"

bool block_entries_reserve(BlocksBuild *b, size_t need)
{
    const MemColumn both[] = {{&b->entries, sizeof *b->entries}, {&b->sorted, sizeof *b->sorted}};
    return mem_reserve_columns(both, 2, &b->entry_cap, need);
}

bool block_entry_follows(const BlockEntry *a, const BlockEntry *next)
{
    return next->to == a->to + 1 && next->from == a->from + 1;
}

typedef enum { BY_FROM, BY_TO, BY_DIAGONAL } Order;

static int32_t key_of(const BlockEntry *e, int32_t rows, Order order)
{
    return order == BY_FROM ? e->from : order == BY_TO ? e->to : e->to - e->from + rows;
}

/* By counting; the order of equals stays. */
static bool sort_by(BlocksBuild *b, size_t count, int32_t rows, Order order)
{
    const int32_t keys = 2 * rows;
    if (!mem_grow(b->place, b->place_cap, keys + 2))
        return false;
    memset(b->place, 0, ((size_t)keys + 2) * sizeof *b->place);
    for (size_t i = 0; i < count; i++)
        bucket_count(b->place, key_of(&b->entries[i], rows, order));
    bucket_starts(b->place, keys);
    for (size_t i = 0; i < count; i++)
        b->sorted[bucket_place(b->place, key_of(&b->entries[i], rows, order))] = b->entries[i];
    BlockEntry *entries = b->sorted;
    b->sorted = b->entries;
    b->entries = entries;
    return true;
}

bool block_entries_by_row(BlocksBuild *b, size_t count, int32_t rows)
{
    return sort_by(b, count, rows, BY_FROM) && sort_by(b, count, rows, BY_TO);
}

static int compare(const void *a, const void *b)
{
    const BlockEntry *x = a, *y = b;
    int32_t dx = x->to - x->from, dy = y->to - y->from;
    if (dx != dy)
        return dx < dy ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

bool block_entries_by_diagonal(BlocksBuild *b, size_t count, int32_t rows)
{
    const size_t few = (size_t)rows / 16;
    size_t sorted = 1;
    while (sorted < count && compare(&b->entries[sorted - 1], &b->entries[sorted]) <= 0)
        sorted++;
    if (sorted >= count)
        return true;
    if (count > few)
        return sort_by(b, count, rows, BY_DIAGONAL);
    qsort(b->entries, count, sizeof *b->entries, compare);
    return true;
}
