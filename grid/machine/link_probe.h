/* The links between all pairs of processes, measured before a run. */
#ifndef GRID_MACHINE_LINK_PROBE_H
#define GRID_MACHINE_LINK_PROBE_H

#include "grid/machine/sampler.h"

/* Collective, after agree_start, if samples are to be taken in this run.  Samples: the times of
 * small and larger messages between all pairs.  Also the offsets of clocks; and then the run begins
 * anew (agree_restart).  Takes about 10 times as long as a message to the farthest process, times
 * the number of processes.  With injected times the samples are the platform's, without messages.
 * -1: failed. */
int link_probe(Sampler *sampler);
/* The same where measuring is all that processes do: they look for messages all the time, so that
 * none waits between two looks, and make more round trips.  Without injected times. */
int link_probe_alone(Sampler *sampler);

#endif
