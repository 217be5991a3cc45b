/* The generator of a diagram as the matrix of blocks that solvers/blocks sweeps, or by rows. */
#ifndef PEPA_MEASURE_BLOCKS_BUILD_H
#define PEPA_MEASURE_BLOCKS_BUILD_H

#include "ctmc/diagram/diagram.h"
#include "measure/flow_build.h"
#include "solvers/blocks/blocks.h"

/* At the rates `value`, per term; one block per upper state.  *out is freed by blocks_free.
 * Errors: PEPA_ENOMEM. */
PepaStatus blocks_build(Blocks *out, const Diagram *diagram, const double *value, PepaError *err);

/* Bytes of the blocks, and of sweeps and aggregation without the vector.
 *   blocks  NULL: not built yet; the result is then a lower bound */
double blocks_bytes(const Blocks *blocks, const Diagram *diagram);

/* The matrix by rows, states in the order of sweeps: state i of the blocks is row i, or n - 1 - i
 * if not blocks->up.  form, control, errors: see flow_fill. */
PepaStatus flow_from_blocks(FlowOwner *out, PepaMatrixForm form, const Control *control,
                            const Blocks *blocks, PepaError *err);

#endif
