/* The beginning of a run: arguments checked, the same everywhere, and who is who. */
#ifndef GRID_AGREE_H
#define GRID_AGREE_H

#include "grid/run.h"

/* What can be checked without the others, into run->ending.error.  Bad settings leave the run with
 * as few parts as agree_all needs. */
void agree_check(Run *run);
/* Collective.  If some process has an error, all have the first one's.  Errors: -1. */
int agree_all(Run *run);

#endif
