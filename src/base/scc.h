/* Strongly connected components of a directed graph in compressed rows. */
#ifndef PEPA_BASE_SCC_H
#define PEPA_BASE_SCC_H

#include "base/error.h"

/* Edges row[s] .. row[s+1]-1 go from s to target[edge]; borrowed. */
typedef struct {
    int32_t n;
    const int64_t *row;    /* n + 1 */
    const int32_t *target; /* row[n] */
} Graph;

/* component[s] for each of n states, numbered so that edges between different components go from
 * larger to smaller numbers: 0 is a bottom one.  *count: how many.
 * Tarjan 1972 without recursion; O(n + edges) time, 24 n bytes of scratch. */
PepaStatus scc_find(const Graph *graph, int32_t *component, int32_t *count, PepaError *err);

#endif
