/* The generator of a chain explored as a diagram, in the form that its solver takes. */
#ifndef PEPA_MEASURE_BLOCKS_BUILD_H
#define PEPA_MEASURE_BLOCKS_BUILD_H

#include "ctmc/diagram/diagram.h"
#include "measure/flow_build.h"
#include "solvers/blocks/blocks.h"

/* At the rates of now; one block per upper state.  *out is freed by blocks_free.
 * Errors: PEPA_ENOMEM. */
PepaStatus blocks_build(Blocks *out, const Diagram *diagram, const double *value,
                        PepaError *err);

/* The bytes that they take, with what sweeps and aggregation take besides the vector.
 * blocks: not built yet if NULL, when only what is certain counts. */
double blocks_bytes(const Blocks *blocks, const Diagram *diagram);

/* The same, written out by rows; states in the order in which they are swept: state i of the blocks
 * is number i, or n - 1 - i if not blocks->up.  form, memory, errors: see flow_fill. */
PepaStatus flow_from_blocks(FlowOwner *out, PepaMatrixForm form, int64_t memory,
                            const Blocks *blocks, PepaError *err);

#endif
