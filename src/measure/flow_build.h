/* From a chain to the solvers' flow form, for a subset of its states in a given order. */
#ifndef PEPA_MEASURE_FLOW_BUILD_H
#define PEPA_MEASURE_FLOW_BUILD_H

#include "ctmc/chain.h"
#include "solvers/solver.h"

/* Owns what a Flow borrows.  Starts as {0}. */
typedef struct {
    int32_t n;
    int64_t *row;
    int32_t *col;
    double *val, *exit;
} FlowOwner;

/* The jump chain transposed, restricted to the states order[0 .. n): state order[i] is row i.
 *   place  per state of the chain: its i, or -1 outside
 * Room for it, that is: flow_fill puts the values in, as often as rates change.  exit[i] counts
 * every way out of the state, also those out of the subset; self-loops are left out.
 * O(transitions of the subset), both. */
PepaStatus flow_build(FlowOwner *out, const Chain *chain, const int32_t *order, int32_t n,
                      const int32_t *place, PepaError *err);
/* Columns and values, at the chain's rates of now.  end: n entries of scratch. */
void flow_fill(FlowOwner *flow, const Chain *chain, const int32_t *order, const int32_t *place,
               int64_t *end);
Flow flow_view(const FlowOwner *flow, const double *b);
void flow_free(FlowOwner *flow);

#endif
