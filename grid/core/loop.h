/* The main loop of a process: messages, the run-time's steps, timers, sleep. */
#ifndef GRID_CORE_LOOP_H
#define GRID_CORE_LOOP_H

#include "grid/core/session.h"

/* Collective, after agree_start.  period: of signs of life, as of
 * liveness_period.  `failed`: the run-time could not start here.  Returns when the run has ended;
 * session->error says how. */
void session_run(Session *session, double period, int failed);

#endif
