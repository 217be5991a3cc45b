/* Running a task in place, and what its end means to those who wait for it. */
#ifndef GRID_GUM_EVALUATE_H
#define GRID_GUM_EVALUATE_H

#include "grid/gum/context.h"

/* Run a task that is not in the pool, in the current thread; afterwards it is RECORD_DONE, its argument
 * is cleared, and who waits for it is ready. */
void evaluate(Gum *gum, Record *record);
/* The body of a thread: its task; then the result goes to the process that made the spark. */
void evaluate_thread(struct Thread *thread);
/* The budget is used up: look at the clock, at messages, and yield if it is time to. */
void evaluate_pause(Gum *gum);
/* A future is given up: its record is freed, now or when its task ends. */
void evaluate_drop(Gum *gum, Record *record);
/* Wait until something has happened to a record that does not run in this thread. */
void evaluate_wait(Gum *gum, Record *record);
/* Wait until threads_wake is called for this list. */
void evaluate_wait_for(Gum *gum, struct Thread **waiting);

#endif
