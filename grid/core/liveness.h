/* Liveness: which processes still answer.
 *
 * Gives a run-time: a process that sends nothing for `patience` seconds ends the run with
 * GRID_ELOST.  Every message counts as a sign of life; where there is nothing else to send, each
 * process sends process 0 an empty one every `period` seconds, and process 0 sends one to all every
 * patience / 4. */
#ifndef GRID_CORE_LIVENESS_H
#define GRID_CORE_LIVENESS_H

#include "grid/core/session.h"

/* Memory.  0; -1: out of memory (free is legal). */
int liveness_new(Session *session);
void liveness_free(Session *session);
/* The longest period of signs of life that patience allows, at most `wanted`. */
double liveness_period(const Session *session, double wanted);
/* The run starts. */
void liveness_start(Session *session, double period);
/* Process 0 has just been sent another message: the next sign of life can wait for a period. */
void liveness_sent(Session *session, double now);
/* A message of this process has arrived. */
void liveness_heard(Session *session, int32_t from);
/* Send signs of life and look for lost processes.  1: sent something; 0; -1: failed or lost. */
int liveness_step(Session *session, double now);
double liveness_next(const Session *session); /* when the next sign is due */

#endif
