/* Blocks: the buffers that states are expanded into. */
#ifndef PEPA_CTMC_SEMANTICS_BLOCK_H
#define PEPA_CTMC_SEMANTICS_BLOCK_H

#include "base/hash.h"
#include "ctmc/system/table.h"

/* Moves of consecutive states, those of one state side by side and no two of them alike in
 * action and
 * target.  A kind is the id of hash_pair(action, term) in a table. */
typedef struct {
    int32_t first, count; /* states first .. first + count - 1 */
    int32_t numbered;     /* of how many the targets are numbered and the rows known */
    size_t *begin;        /* where each one's moves begin ... */
    int32_t *length;      /* ... and how many there are; -1: it was left out */
    size_t state_cap;     /* of these two */
    size_t moves;
    size_t cap; /* of the next four arrays */
    uint64_t *target;
    int32_t *kind, *id; /* id: the target's number, once known */
    uint32_t *hash;
} Block;

void block_free(Block *block);
/* Empty the block, for up to `count` states from `first` on. */
bool block_begin(Block *block, int32_t first, int32_t count);
bool block_reserve(Block *block, size_t more, size_t words); /* moves */
double block_bytes(const Block *block, size_t words);
/* The next state has the moves from `begin` on; or is left out. */
static inline void block_add(Block *block, size_t begin, bool expanded)
{
    block->begin[block->count] = begin;
    block->length[block->count++] = expanded ? (int32_t)(block->moves - begin) : -1;
}
/* Put the moves in the order of states, none of which is left out; spare: a block to exchange it
 * for.  False when memory is out. */
bool block_sort(Block *block, Block *spare, size_t words);
/* Fill in the hashes of the targets of moves `from` and later ones. */
void block_hash(Block *block, const Table *states, size_t from);

static inline int32_t kind_action(const Table *kinds, int32_t kind)
{
    return (int32_t)(kinds->state[kind] >> 32);
}
static inline int32_t kind_term(const Table *kinds, int32_t kind)
{
    return (int32_t)(uint32_t)kinds->state[kind];
}

#endif
