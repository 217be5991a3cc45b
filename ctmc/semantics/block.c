/* The buffers that states are expanded into. */
#include "ctmc/semantics/expand.h"

void block_free(Block *b)
{
    mem_free(b->begin);
    mem_free(b->length);
    mem_free(b->target);
    mem_free(b->kind);
    mem_free(b->id);
    mem_free(b->hash);
    mem_free(b->packed);
    *b = (Block){0};
}

bool block_begin(Block *b, int32_t first, int32_t count)
{
    b->first = first;
    b->count = b->numbered = 0;
    b->moves = 0;
    return mem_reserve(&b->begin, &b->state_cap, (size_t)count, sizeof *b->begin) &&
           mem_reserve(&b->length, &b->length_cap, (size_t)count, sizeof *b->length);
}

bool block_reserve(Block *b, size_t more, size_t words)
{
    size_t need = b->moves + more;
    if (need <= b->cap)
        return true;
    size_t cap = b->cap * 2 > need ? b->cap * 2 : need + 256;
    uint64_t *target = mem_resize(b->target, cap, words * sizeof *target);
    if (target)
        b->target = target;
    int32_t *kind = mem_resize(b->kind, cap, sizeof *kind);
    if (kind)
        b->kind = kind;
    int32_t *id = mem_resize(b->id, cap, sizeof *id);
    if (id)
        b->id = id;
    uint32_t *hash = mem_resize(b->hash, cap, sizeof *hash);
    if (hash)
        b->hash = hash;
    if (!target || !kind || !id || !hash)
        return false;
    b->cap = cap;
    return true;
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
