/* What the machines and the links between them can do, tried out. */
#ifndef GRID_PROBE_H
#define GRID_PROBE_H

#include "grid/run.h"

/* Seconds for a fixed piece of work, about a millisecond. */
double probe_work(void);
/* Collective: what small and larger messages take between all pairs of processes, as samples; and
 * how their clocks differ; the run begins with its end.  Takes about 10 times as long as a message
 * to the farthest process, times the number of processes.  Errors: -1 after run_fail. */
int probe_links(Run *run);

#endif
