/* Merges moves that are alike in action and target: they are one transition. */
#include <stdlib.h>
#include <string.h>

#include "ctmc/semantics/expand.h"

struct Ordered {
    const uint64_t *target;
    size_t words, at;
    int32_t label, term;
};

static int compare_moves(const struct Ordered *x, const struct Ordered *y)
{
    if (x->label != y->label)
        return x->label < y->label ? -1 : 1;
    for (size_t w = 0; w < x->words; w++)
        if (x->target[w] != y->target[w])
            return x->target[w] < y->target[w] ? -1 : 1;
    return 0;
}

static int compare_ordered(const void *a, const void *b)
{
    const struct Ordered *x = a, *y = b;
    int by_move = compare_moves(x, y);
    return by_move ? by_move : (x->term > y->term) - (x->term < y->term);
}

static void sort_moves(struct Ordered *items, size_t count)
{
    if (count > 32) {
        qsort(items, count, sizeof *items, compare_ordered);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        struct Ordered moved = items[i];
        size_t k = i;
        for (; k > 0 && compare_ordered(&items[k - 1], &moved) > 0; k--)
            items[k] = items[k - 1];
        items[k] = moved;
    }
}

/* Of moves alike in action and target, the first stands for all, at the sum of their rates. */
static void add_up(Expander *e, const struct Ordered *items, size_t count, Block *block)
{
    size_t first = items[0].at;
    int32_t sum = items[0].term;
    for (size_t i = 1; i < count; i++) {
        sum = rates_sum(e->moves.rates, sum, items[i].term);
        first = items[i].at < first ? items[i].at : first;
    }
    for (size_t i = 0; i < count; i++)
        block->kind[items[i].at] = -1;
    block->kind[first] = expand_kind(e, items[0].label, sum);
}

void expand_merge(Expander *e, Block *block, size_t begin)
{
    const size_t words = e->moves.system->words, count = block->moves - begin;
    if (!mem_grow(e->ordered, e->ordered_cap, count)) {
        e->no_memory = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        int32_t kind = block->kind[begin + i];
        e->ordered[i] = (struct Ordered){block->target + (begin + i) * words, words, begin + i,
                                         kind_action(e->kinds, kind), kind_term(e->kinds, kind)};
    }
    sort_moves(e->ordered, count);
    for (size_t i = 0, n; i < count; i += n) {
        for (n = 1; i + n < count && compare_moves(&e->ordered[i], &e->ordered[i + n]) == 0;)
            n++;
        if (n > 1)
            add_up(e, e->ordered + i, n, block);
    }
    size_t kept = begin;
    for (size_t i = begin; i < block->moves; i++) {
        if (block->kind[i] < 0)
            continue;
        block->kind[kept] = block->kind[i];
        memmove(block->target + kept * words, block->target + i * words, words * sizeof(uint64_t));
        kept++;
    }
    block->moves = kept;
}
