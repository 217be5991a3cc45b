/* Blocks: the buffers that states are expanded into. */
#include "ctmc/semantics/block.h"

void block_free(Block *b)
{
    mem_free_all(b->begin, b->length, b->target, b->kind, b->id, b->hash);
    *b = (Block){0};
}

bool block_begin(Block *b, int32_t first, int32_t count)
{
    b->first = first;
    b->count = b->numbered = 0;
    b->moves = 0;
    const MemColumn columns[] = {{&b->begin, sizeof *b->begin}, {&b->length, sizeof *b->length}};
    return mem_reserve_columns(columns, 2, &b->state_cap, (size_t)count);
}

bool block_reserve(Block *b, size_t more, size_t words)
{
    const MemColumn columns[] = {{&b->target, words * sizeof *b->target},
                                 {&b->kind, sizeof *b->kind},
                                 {&b->id, sizeof *b->id},
                                 {&b->hash, sizeof *b->hash}};
    return mem_reserve_columns(columns, 4, &b->cap, b->moves + more);
}

double block_bytes(const Block *b, size_t words)
{
    size_t move = words * sizeof *b->target + sizeof *b->kind + sizeof *b->id + sizeof *b->hash;
    return (double)b->cap * (double)move;
}

bool block_sort(Block *b, Block *spare, size_t words)
{
    if (!block_begin(spare, b->first, b->count) || !block_reserve(spare, b->moves, words))
        return false;
    for (int32_t i = 0; i < b->count; i++) {
        size_t from = b->begin[i], to = spare->moves, count = (size_t)b->length[i];
        for (size_t k = 0; k < count; k++)
            spare->kind[to + k] = b->kind[from + k];
        for (size_t k = 0; k < count * words; k++)
            spare->target[to * words + k] = b->target[from * words + k];
        spare->moves += count;
        block_add(spare, to, true);
    }
    Block sorted = *spare;
    *spare = *b;
    *b = sorted;
    return true;
}

void block_hash(Block *b, const Table *states, size_t from)
{
    for (size_t i = from; i < b->moves; i++)
        b->hash[i] = table_hash(states, b->target + i * states->words);
}
