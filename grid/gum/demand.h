/* Results of tasks that another process has: who waits, asks; who is done, tells. */
#ifndef GRID_GUM_DEMAND_H
#define GRID_GUM_DEMAND_H

#include "grid/gum/context.h"

/* This process has nothing to run: ask for those tasks that its threads wait for and that another
 * process may not have begun; it returns them, and they are run here.  So a task that is waited for is
 * begun somewhere, whatever the limits of threads are.  1: asked; 0; -1: failed. */
int demand_step(Gum *gum);

/* Messages.  0; -1: failed. */
int demand_ack(Gum *gum, const Message *message);
int demand_fetch(Gum *gum, const Message *message);
int demand_return(Gum *gum, const Message *message);
int demand_resume(Gum *gum, const Message *message);

#endif
