/* The mappings whose time per item is known. */
#ifndef AMOGET_SOLUTION_TABLE_H
#define AMOGET_SOLUTION_TABLE_H

#include <stdbool.h>

#include "amoget/description/description.h"

typedef struct {
    int32_t stages;
    int32_t *mapping;     /* count x stages, in order of solution */
    double *time;         /* count: seconds per item; NaN: not yet */
    PepaChainInfo *chain; /* count: that it was found with */
    size_t count, mapping_cap, time_cap, chain_cap;
    int32_t *slots; /* open addressing: entry or -1 */
    size_t slot_count;
} SolutionTable;

void solution_table_init(SolutionTable *solved, int32_t stages);
void solution_table_free(SolutionTable *solved);
/* The entry of a mapping, or -1. */
int32_t solution_table_find(const SolutionTable *solved, const int32_t *mapping);
/* A new entry for a mapping that is not there; -1: out of memory. */
int32_t solution_table_put(SolutionTable *solved, const int32_t *mapping, double time,
                           PepaChainInfo chain);

#endif
