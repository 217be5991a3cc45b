/* The life of a session on one process: opened; prepared, run, released, once or more often; closed. */
#ifndef GRID_CORE_LIFECYCLE_H
#define GRID_CORE_LIFECYCLE_H

#include "grid/core/session.h"

/* Collective.  0; -1: failed, and session_close is legal. */
int session_open(Session *session, MPI_Comm comm, const Runtime *runtime);
/* Memory for a run, which may fail on some processes only: agree_same comes next.  No error of a run before is left.
 * 0; -1: failed. */
int session_prepare(Session *session);
/* Collective, after agree_start: the main loop with messages, the run-time's steps, timers, sleep.
 *   period  of signs of life, as of liveness_period
 *   failed  the run-time could not start on this process
 * Returns when the run has ended; session->error says how. */
void session_run(Session *session, double period, int failed);
/* Free what session_prepare made, whatever that returned: another run may follow, unless a process is lost. */
void session_release(Session *session);
/* Collective, unless a process is lost.  Releases as well. */
void session_close(Session *session);

#endif
