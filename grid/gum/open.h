/* How a run opens: what processes have to know of each other, in two exchanges. */
#ifndef GRID_GUM_OPEN_H
#define GRID_GUM_OPEN_H

#include "grid/gum/context.h"

/* What all processes have said in an exchange: an array, NULL until open_new. */
typedef struct Word Word;

/* Memory for the exchanges of a program.  0; -1: out of memory, and nothing is to be freed. */
int open_new(Gum *gum);
void open_free(Gum *gum);

/* All are collective, and take one message from each process to each other one.  A process that makes another one of the
 * first two calls than the others ends all processes. */

/* After session_prepare, which may have failed: who is who, process 0's settings, and that all have the same tasks and
 * begin with `first`.  0; -1: session.error is set, on all. */
int open_meet(Gum *gum, GumType first);
/* The program ends. */
void open_end(Gum *gum);
/* The run begins, with time 0, if no process has an error since.  0; -1: all have the first one's. */
int open_begin(Gum *gum);

#endif
