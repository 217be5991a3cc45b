/* Strongly connected components of a directed graph in compressed rows. */
#ifndef PEPA_BASE_SCC_H
#define PEPA_BASE_SCC_H

#include "base/error.h"

/* component[s] for each of n states, numbered so that edges between different components go from
 * larger to smaller numbers: 0 is a bottom one.  *count: how many.
 *   val  one per edge: edges with less than `least` are not there; NULL: all are
 * Tarjan 1972 without recursion; O(n + edges) time, 24 n bytes of scratch. */
PepaStatus scc_find(int32_t n, const int64_t *row, const int32_t *target, const double *val,
                    double least, int32_t *component, int32_t *count, PepaError *err);

#endif
