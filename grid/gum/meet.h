/* The processes before a run: their speeds and the latencies between them. */
#ifndef GRID_GUM_MEET_H
#define GRID_GUM_MEET_H

#include "grid/gum/context.h"

/* Process 0: is to be measured, as nothing ever was, or too long ago? */
int meet_measures(const Gum *gum);
/* Collective: speeds and latencies of all, on all.  Takes some round trips to the farthest process.  0; -1: failed. */
int meet_measure(Gum *gum);
/* From what was measured last, on each process the same: tables.fixed, tables.main and the latencies of
 * tables.communication. */
void meet(Gum *gum);

#endif
