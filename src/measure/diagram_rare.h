/* Do rare jumps alone join groups of states?  What the sets of a diagram can tell. */
#ifndef PEPA_MEASURE_DIAGRAM_RARE_H
#define PEPA_MEASURE_DIAGRAM_RARE_H

#include "ctmc/diagram/diagram.h"
#include "solvers/blocks/blocks.h"

/* *out: the chain does not fall apart (see flow_nearly_decomposable), for no jump is rare, or the initial
 * state can be reached from everywhere by jumps that are not: then only one group is never left.
 * Where whole edges have to be taken for rare because some of their jumps are, that may go unseen,
 * and *out is false though the chain holds together.
 *   blocks  of the diagram, at the same rates
 * Where no jump is rare, O(edges); else about as long as diagram_irreducible takes.
 * Errors: PEPA_ENOMEM. */
PepaStatus diagram_holds_together(const Diagram *diagram, const double *value,
                                  const Blocks *blocks, bool *out, PepaError *err);

#endif
