/* What sweeps over sets leave that the residual does not show. */
#ifndef PEPA_MEASURE_SETS_LEFT_H
#define PEPA_MEASURE_SETS_LEFT_H

#include "measure/blocks_build.h"
#include "measure/steady.h"

/* What sweeps that met the tolerance have left to do, "" if nothing; the caution for it becomes that of job->info.  Of several
 * processes the same in all, which call it together; x is theirs.
 *   x       shares of states, in: the answer; out: after some more sweeps
 *   jumps   rare ones may hide how slowly sweeps change rare states
 *   memory  bytes that it may take, beyond which it looks less closely; 0: any */
const char *sets_left_to_do(const SteadyJob *job, const Blocks *blocks, double *x, int64_t memory,
                            RareJumps jumps);

#endif
