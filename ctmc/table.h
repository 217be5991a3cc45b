/* Insert-only set of packed state vectors.  A state's id is its place in order of insertion, so the
 * table is at once the set of states seen and the queue of a breadth-first search. */
#ifndef PEPA_CTMC_TABLE_H
#define PEPA_CTMC_TABLE_H

#include "base/mem.h"

typedef struct {
    size_t words;    /* 64-bit words per state */
    uint64_t *state; /* state[id * words ..] */
    size_t cap;      /* words allocated */
    int32_t count;
    uint64_t *slots;   /* 0: free; else hash << 32 | id + 1 */
    size_t slot_count; /* a power of two, at least 4/3 of count */
} Table;

bool table_init(Table *table, size_t words);
void table_free(Table *table);
/* Give back what only insertion needs; the states stay. */
void table_seal(Table *table);

static inline uint32_t table_hash(const Table *table, const uint64_t *state)
{
    uint64_t h = 0;
    for (size_t i = 0; i < table->words; i++) {
        h = (h ^ state[i]) * 0x9e3779b97f4a7c15u;
        h ^= h >> 32;
    }
    return (uint32_t)(h * 0xd6e8feb86659fd93u >> 32);
}

/* Bring the slot of a hash nearer while other work goes on. */
static inline void table_prefetch(const Table *table, uint32_t hash)
{
    __builtin_prefetch(&table->slots[hash & (table->slot_count - 1)]);
}

/* The state's id, added if new; -1 when memory is out or ids are. */
int32_t table_put(Table *table, const uint64_t *state, uint32_t hash);

#endif
