/* The mappings whose time per item is known. */
#ifndef AMOGET_SOLVED_H
#define AMOGET_SOLVED_H

#include <stdbool.h>

#include "amoget/description.h"

typedef struct {
    int32_t stages;
    int32_t *mapping;     /* count x stages, in order of solution */
    double *time;         /* count: seconds per item; NaN: not yet */
    PepaChainInfo *chain; /* count: that it was found with */
    size_t count, mapping_cap, time_cap, chain_cap;
    int32_t *slots; /* open addressing: entry or -1 */
    size_t slot_count;
} Solved;

void solved_init(Solved *solved, int32_t stages);
void solved_free(Solved *solved);
/* The entry of a mapping, or -1. */
int32_t solved_find(const Solved *solved, const int32_t *mapping);
/* A new entry for a mapping that is not there; -1: out of memory. */
int32_t solved_put(Solved *solved, const int32_t *mapping, double time, PepaChainInfo chain);

#endif
