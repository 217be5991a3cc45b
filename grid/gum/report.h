/* What a run did: a summary on standard error, and a profile in a file. */
#ifndef GRID_GUM_REPORT_H
#define GRID_GUM_REPORT_H

#include "grid/gum/context.h"

/* What measuring needs.  0; -1: out of memory. */
int report_new(Gum *gum);
void report_free(Gum *gum);
/* The run begins: speeds are known. */
void report_start(Gum *gum);
/* Collective, after a run that succeeded: process 0 writes what the settings ask for.  0; -1: failed,
 * session.error is set on all processes. */
int report(Gum *gum);

#endif
