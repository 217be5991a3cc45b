/* The long run of a chain by rows that processes have explored together. */
#ifndef PEPA_MEASURE_SHARED_ROWS_H
#define PEPA_MEASURE_SHARED_ROWS_H

#include "measure/steady.h"

/* job->pi: of own states, out.  All processes call it, and agree.  *copies: states of others that it
 * had copies of.
 * Errors: as pepa_shared_solve; PEPA_ELIMIT (PEPA_LIMIT_MATRIX): the chain ends in one of several
 * components, or in a state that nothing leaves. */
PepaStatus shared_rows_solve(const SteadyJob *job, int64_t *copies);

#endif
