/* Agreement at the start of a run: nobody has an error, all have the same settings, everybody knows
 * everybody, and time begins.
 *
 * Gives a run-time: three collective calls, in this order.  Their waiting does not spin.
 * Errors: -1, and session->error. */
#ifndef GRID_CORE_AGREE_H
#define GRID_CORE_AGREE_H

#include "grid/core/session.h"

/* If some process has an error, all get the first one's.  Else `fingerprint`, a hash >= 0 of the
 * settings, must be the same everywhere; `message` says so if not. */
int agree_same(Session *session, int64_t fingerprint, const char *message);
/* All get the error of a process that has one.  -1. */
int agree_error(Session *session, int process);
/* Who is who: session->peers. */
int agree_meet(Session *session);
/* The run begins now.  patience (0: 10 s) and *term, the run-time's, become process 0's. */
int agree_start(Session *session, double patience, double *term);
/* The run begins now, once more: when the last process has arrived here. */
int agree_restart(Session *session);

#endif
