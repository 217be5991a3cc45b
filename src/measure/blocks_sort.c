/* Sorts the entries of a block by rows or by diagonals. */
#include "measure/blocks_private.h"

#include <stdlib.h>
#include <string.h>

bool block_entries_reserve(BlocksBuild *b, size_t need)
{
    return mem_grow(b->entries, b->entry_cap, need);
}

bool block_entry_follows(const BlockEntry *a, const BlockEntry *next)
{
    return next->to == a->to + 1 && next->from == a->from + 1;
}

typedef enum { BY_FROM, BY_TO, BY_DIAGONAL } Order;

static size_t key_of(const BlockEntry *e, int32_t rows, Order order)
{
    return (size_t)(order == BY_FROM ? e->from : order == BY_TO ? e->to : e->to - e->from + rows);
}

/* By counting; the order of equals stays. */
static bool sort_by(BlocksBuild *b, size_t count, int32_t rows, Order order)
{
    size_t keys = 2 * (size_t)rows, at = 0;
    if (!mem_grow(b->sorted, b->sorted_cap, count) || !mem_grow(b->place, b->place_cap, keys))
        return false;
    memset(b->place, 0, keys * sizeof *b->place);
    for (size_t i = 0; i < count; i++)
        b->place[key_of(&b->entries[i], rows, order)]++;
    for (size_t key = 0; key < keys; key++) {
        size_t here = b->place[key];
        b->place[key] = at;
        at += here;
    }
    for (size_t i = 0; i < count; i++)
        b->sorted[b->place[key_of(&b->entries[i], rows, order)]++] = b->entries[i];
    BlockEntry *other = b->entries;
    size_t cap = b->entry_cap;
    b->entries = b->sorted;
    b->entry_cap = b->sorted_cap;
    b->sorted = other;
    b->sorted_cap = cap;
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
