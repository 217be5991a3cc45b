/* Stores mappings with their times. */
#include "amoget/search/solution_table.h"

void solution_table_init(SolutionTable *s, int32_t stages)
{
    *s = (SolutionTable){.stages = stages};
}

void solution_table_free(SolutionTable *s)
{
    lists_free(&s->mappings);
    mem_free_all(s->time, s->chain);
    *s = (SolutionTable){0};
}

int32_t solution_table_find(const SolutionTable *s, const int32_t *mapping)
{
    return lists_find(&s->mappings, mapping, (size_t)s->stages);
}

int32_t solution_table_put(SolutionTable *s, const int32_t *mapping, double time,
                           PepaChainInfo chain)
{
    if (s->count == INT32_MAX - 1 || !mem_grow(s->time, s->time_cap, s->count + 1) ||
        !mem_grow(s->chain, s->chain_cap, s->count + 1))
        return -1;
    int32_t entry = lists_put(&s->mappings, mapping, (size_t)s->stages);
    if (entry < 0)
        return -1;
    s->time[entry] = time;
    s->chain[entry] = chain;
    s->count++;
    return entry;
}
