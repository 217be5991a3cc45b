/* Full stacks of tasks are named. */
#ifndef GRID_GUM_OVERFLOW_H
#define GRID_GUM_OVERFLOW_H

/* From now on the guard (grid/core/guard.h) says of which task the stack was full, where a process is killed for that.
 * A program that handles SIGSEGV itself keeps its handler.  Not in simulated time. */
void overflow_watch(void);

#endif
