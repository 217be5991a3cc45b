/* What this process has to do: its entry of the tables. */
#ifndef GRID_GUM_LOAD_H
#define GRID_GUM_LOAD_H

#include "grid/gum/context.h"

/* The entry is up to date. */
void load_note(Gum *gum);

/* Where tasks may run twice, the entry as it is when this process goes on: a spark that begins then counts as a
 * thread, or others would take this for a process with sparks.  And when the task began that may run elsewhere as
 * well.  After load_note, before the entry is sent.  O(live threads). */
void load_foresee(Gum *gum);

/* Is it better to wait for data than to begin another task?  What has begun nobody else can take: only where data take
 * long for a task, as many tasks wait for them as keep the process busy until they come, and one more.
 * O(live threads). */
int load_waits(const Gum *gum);

#endif
