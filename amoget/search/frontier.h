/* The partial mappings that a search has yet to look at, the most promising first. */
#ifndef AMOGET_FRONTIER_H
#define AMOGET_FRONTIER_H

#include <stdbool.h>

#include "amoget/description/description.h"

/* A heap by bound.  When the heap is full, new entries go to a stack.  The search then proceeds
 * depth-first, and memory hardly grows. */
typedef struct {
    int32_t stages;
    size_t stride; /* bytes of an entry */
    char *heap, *stack;
    size_t heap_count, heap_cap, stack_count, stack_cap, most;
} Frontier;

void frontier_init(Frontier *frontier, int32_t stages, size_t bytes);
/* Do new entries go to the stack? */
bool frontier_is_full(const Frontier *frontier);
void frontier_free(Frontier *frontier);
/* False: out of memory. */
bool frontier_push(Frontier *frontier, double bound, const int32_t *mapping, int32_t depth);
/* Entry i of the heap, whose parent is entry (i - 1) / 2; false: there are not so many. */
bool frontier_at(const Frontier *frontier, size_t i, double *bound, int32_t *mapping,
                 int32_t *depth);
/* False: nothing is left. */
bool frontier_pop(Frontier *frontier, double *bound, int32_t *mapping, int32_t *depth);
/* The least bound of all entries; +inf: there are none. */
double frontier_least(const Frontier *frontier);
/* The bound of the entry that frontier_pop would give; +inf: there is none. */
double frontier_next(const Frontier *frontier);

#endif
