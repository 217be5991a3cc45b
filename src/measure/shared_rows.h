/* The long run of a chain by rows that processes have explored together. */
#ifndef PEPA_MEASURE_SHARED_ROWS_H
#define PEPA_MEASURE_SHARED_ROWS_H

#include "measure/spread_ends.h"
#include "measure/steady.h"

/* job->pi: of own states, out.  All processes call it, and agree.
 *   ends     out: where the chain ends; to be freed in every case
 *   *bottom  out: per own state, its bottom component, or -1: it is left for ever; NULL: all states are one.  The
 *            caller frees it in any case
 *   *copies  states of others that it had copies of
 * Errors: as pepa_shared_solve. */
PepaStatus shared_rows_solve(const SteadyJob *job, SpreadEnds *ends, int32_t **bottom,
                             int64_t *copies);

#endif
