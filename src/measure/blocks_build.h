/* The generator of a diagram as the matrix of blocks that solvers/blocks sweeps, or by rows. */
#ifndef PEPA_MEASURE_BLOCKS_BUILD_H
#define PEPA_MEASURE_BLOCKS_BUILD_H

#include "ctmc/share/share.h"
#include "measure/flow_build.h"
#include "solvers/blocks/blocks.h"

/* At the rates `value`, per term; one block per upper state.  *out is freed by blocks_free.
 * Errors: PEPA_ENOMEM. */
PepaStatus blocks_build(Blocks *out, const Diagram *diagram, const double *value, PepaError *err);

/* The same for what one process has of it: its own upper states, and copies.  blocks->share is
 * the caller's to set. */
PepaStatus blocks_build_share(Blocks *out, const DiagramShare *share, const double *value,
                              PepaError *err);

/* Bytes of the blocks, and of sweeps and aggregation without the vector.
 *   blocks  NULL: not built yet; the result is then a lower bound */
double blocks_bytes(const Blocks *blocks, const Diagram *diagram);

/* The matrix by rows, states in the order of sweeps: state i of the blocks is row i, or n - 1 - i
 * if not blocks->up.  form, control, errors: see flow_fill.  Where processes share the blocks, it has
 * the jumps from own states. */
PepaStatus flow_from_blocks(FlowOwner *out, PepaMatrixForm form, const Control *control,
                            const Blocks *blocks, PepaError *err);
/* The same rows with the jumps from copies of states of others in place of those from own states: column
 * k is the k-th state of the copies, with exit rate exit[k]. */
PepaStatus flow_from_copies(FlowOwner *out, PepaMatrixForm form, const Control *control,
                            const Blocks *blocks, const double *exit, PepaError *err);

typedef enum {
    NO_RARE_JUMPS,
    RARE_WITHIN, /* none separates groups of states */
    RARE_BETWEEN /* they may: the chain may be nearly completely decomposable */
} RareJumps;

/* What rare jumps do (see flow_nearly_decomposable).  Where every state can reach the initial state by
 * jumps that are not rare, only one group of states is never left.  An edge counts as rare if one of its
 * jumps is; so *out may be RARE_BETWEEN although the chain is not decomposable.
 *   blocks  of the diagram, at the same rates
 * Where no jump is rare, O(edges); else the work of diagram_irreducible.  Errors: PEPA_ENOMEM. */
PepaStatus diagram_rare_jumps(const Diagram *diagram, const double *value,
                                    const Blocks *blocks, RareJumps *out, PepaError *err);

#endif
