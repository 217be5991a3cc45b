/* The matrix by rows of a chain of sets that processes share: each has the rows of its own states. */
#ifndef PEPA_MEASURE_SHARED_FLOW_H
#define PEPA_MEASURE_SHARED_FLOW_H

#include "measure/blocks_build.h"
#include "measure/steady.h"

typedef struct {
    Flow flow; /* borrows what follows */
    FlowShare share;
    FlowOwner inner, outer; /* jumps from own states, and from those of others */
    int32_t *place, *sent;  /* of share */
    PepaExchange exchange;  /* of it */
    PepaPiece *piece;       /* of that */
    const double *read;     /* of share */
    const Blocks *blocks;
} SharedFlow; /* starts as {0}, and stays where it is once it is made */

/* All processes call it, and agree.  Borrows the blocks, whose share is set.
 *   states   the exchange of all that is copied: blocks->share->everything is opened for it
 *   control  memory: bytes that entries may take
 * O(entries).  Errors: PEPA_ELIMIT (memory; or compact form is requested, and some process has too many values),
 * PEPA_ENOMEM, PEPA_ECANCEL.  To be freed in every case. */
PepaStatus shared_flow_new(SharedFlow *out, const Blocks *blocks, const PepaExchange *states,
                           PepaMatrixForm form, const Control *control, PepaError *err);
void shared_flow_free(SharedFlow *flow);

/* The steady state, from sweeps over sets that would take long: by BiCGSTAB with incomplete factors of each process's own
 * states, as `auto` chooses them.  All processes call it, and agree.
 *   job      pi, own states and copies: in: a guess; out: the best found, sum 1.  The report is that of this
 *            method
 *   control  left: sweeps that seemed to be left; keeper: of vectors like pi
 * Errors: as solve_flow and shared_flow_new. */
PepaStatus shared_flow_solve(const SteadyJob *job, const Blocks *blocks, const PepaExchange *states,
                             const Control *control);
/* Bytes that this takes, about, in this process. */
double shared_flow_bytes(const Blocks *blocks);

#endif
