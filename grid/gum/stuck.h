/* Tasks that wait for each other in a circle over several processes, by futures in global variables, would
 * wait for ever: process 0 finds that nothing can happen any more, and ends the run with an error.
 *
 * Process 0, when it has had nothing to do for a while, asks all processes whether they have, and how many
 * messages they have sent and received.  If all have nothing to do, twice, and all that was ever sent had
 * been received the first time and nothing was sent since, then no task will run again.  Requests for work
 * and their refusals do not count: they go on for ever.  Source: Mattern, Algorithms for distributed
 * termination detection, 1987, the four-counter method. */
#ifndef GRID_GUM_STUCK_H
#define GRID_GUM_STUCK_H

#include "grid/gum/context.h"

void stuck_begin(Gum *gum, double now);
/* Process 0: ask, if it is time to.  `busy`: this step did something.  1: asked; 0; -1: failed. */
int stuck_step(Gum *gum, int busy, double now);
/* What a process has to say; what process 0 makes of it.  0; -1: failed, or the run is stuck. */
int stuck_asked(Gum *gum, const Message *message);
int stuck_told(Gum *gum, const Message *message);

#endif
