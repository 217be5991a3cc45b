/* Rules out, from the sets of a diagram, that its chain is nearly completely decomposable. */
#ifndef PEPA_MEASURE_DIAGRAM_DECOMPOSABLE_H
#define PEPA_MEASURE_DIAGRAM_DECOMPOSABLE_H

#include "ctmc/diagram/diagram.h"
#include "solvers/blocks/blocks.h"

/* *out: the chain is not nearly completely decomposable (see flow_nearly_decomposable): no jump is
 * rare, or every state can reach the initial state by jumps that are not, so that only one group of
 * states is never left.  An edge counts as rare if one of its jumps is; so *out may be false
 * although the chain is not decomposable.
 *   blocks  of the diagram, at the same rates
 * Where no jump is rare, O(edges); else the work of diagram_irreducible.  Errors: PEPA_ENOMEM. */
PepaStatus diagram_not_decomposable(const Diagram *diagram, const double *value,
                                    const Blocks *blocks, bool *out, PepaError *err);

#endif
