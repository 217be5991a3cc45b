/* What the processes of `taag probe` find: how fast they are, and how far from each other. */
#ifndef TAAG_PROBE_FINDINGS_H
#define TAAG_PROBE_FINDINGS_H

#include <stdio.h>

#include "grid/machine/sampler.h"

/* On process 0; elsewhere all is NULL. */
typedef struct {
    int32_t processes;
    double *speed; /* by process: seconds for the fixed piece of work, the shortest of several */
    GridSample *samples; /* transfers between all pairs */
    size_t count;
} Findings;

/* Collective, after agree_start.  All processes compute at the same time; then all pairs exchange
 * messages in n - 1 rounds (link_probe.h).  0; -1: failed, and findings_free is legal. */
int findings_make(Findings *findings, Session *session);
void findings_free(Findings *findings);

/* Write them in the format that descriptions include: "time,what,from,to,value".
 *   names      of the processes
 *   reference  seconds per unit of work of process 0: the others' times are measured against its
 *   now        seconds since 1970
 * Errors: PEPA_EARG (a name twice, no positive reference), PEPA_ENOMEM. */
PepaStatus findings_write(const Findings *findings, char *const *names, double reference,
                          double now, FILE *to, PepaError *err);

#endif
