/* The mappings whose time per item is known. */
#ifndef AMOGET_SOLUTION_TABLE_H
#define AMOGET_SOLUTION_TABLE_H

#include "amoget/description/description.h"
#include "base/memo.h"

typedef struct {
    int32_t stages;
    Lists mappings;       /* count, in order of solution */
    double *time;         /* count: seconds per item; NaN: not yet */
    PepaChainInfo *chain; /* count: that it was found with */
    size_t count, time_cap, chain_cap;
} SolutionTable;

void solution_table_init(SolutionTable *solved, int32_t stages);
void solution_table_free(SolutionTable *solved);
/* The mapping of an entry. */
static inline const int32_t *solution_table_mapping(const SolutionTable *solved, size_t entry)
{
    return solved->mappings.items + solved->mappings.first[entry];
}
/* The entry of a mapping, or -1. */
int32_t solution_table_find(const SolutionTable *solved, const int32_t *mapping);
/* A new entry for a mapping that is not there; -1: out of memory. */
int32_t solution_table_put(SolutionTable *solved, const int32_t *mapping, double time,
                           PepaChainInfo chain);

#endif
