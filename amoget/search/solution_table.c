/* Stores mappings with their times, in a hash table. */
#include "amoget/search/solution_table.h"

#include <string.h>

void solution_table_init(SolutionTable *s, int32_t stages)
{
    *s = (SolutionTable){.stages = stages};
}

void solution_table_free(SolutionTable *s)
{
    mem_free(s->mapping);
    mem_free(s->time);
    mem_free(s->chain);
    mem_free(s->slots);
    *s = (SolutionTable){0};
}

static size_t probe(const SolutionTable *s, const int32_t *mapping)
{
    uint64_t hash = 0;
    size_t bytes = (size_t)s->stages * sizeof *mapping, mask = s->slot_count - 1;
    for (int32_t i = 0; i < s->stages; i++)
        hash = (hash ^ (uint64_t)mapping[i]) * 0x9e3779b97f4a7c15u;
    size_t slot = (size_t)(hash ^ hash >> 32) & mask;
    for (int32_t at; (at = s->slots[slot]) >= 0; slot = (slot + 1) & mask)
        if (memcmp(s->mapping + (size_t)at * (size_t)s->stages, mapping, bytes) == 0)
            break;
    return slot;
}

static bool grow(SolutionTable *s)
{
    size_t count = s->slot_count ? 2 * s->slot_count : 256;
    int32_t *slots = mem_alloc(count, sizeof *slots), *old = s->slots;
    if (!slots)
        return false;
    memset(slots, -1, count * sizeof *slots);
    s->slots = slots;
    s->slot_count = count;
    for (size_t i = 0; i < s->count; i++)
        slots[probe(s, s->mapping + i * (size_t)s->stages)] = (int32_t)i;
    mem_free(old);
    return true;
}

int32_t solution_table_find(const SolutionTable *s, const int32_t *mapping)
{
    return s->slot_count ? s->slots[probe(s, mapping)] : -1;
}

int32_t solution_table_put(SolutionTable *s, const int32_t *mapping, double time,
                           PepaChainInfo chain)
{
    size_t n = (size_t)s->stages;
    if (s->count == INT32_MAX - 1 || ((s->count + 1) * 2 > s->slot_count && !grow(s)))
        return -1;
    if (!mem_reserve(&s->mapping, &s->mapping_cap, (s->count + 1) * n, sizeof *s->mapping) ||
        !mem_reserve(&s->time, &s->time_cap, s->count + 1, sizeof *s->time) ||
        !mem_reserve(&s->chain, &s->chain_cap, s->count + 1, sizeof *s->chain))
        return -1;
    s->slots[probe(s, mapping)] = (int32_t)s->count;
    memcpy(s->mapping + s->count * n, mapping, n * sizeof *mapping);
    s->time[s->count] = time;
    s->chain[s->count] = chain;
    return (int32_t)s->count++;
}
