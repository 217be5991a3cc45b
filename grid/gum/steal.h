/* Work stealing: FISH, and what comes of it. */
#ifndef GRID_GUM_STEAL_H
#define GRID_GUM_STEAL_H

#include "grid/gum/context.h"

/* Ask for work if this process has too little.  1: did; 0: not now; -1: failed. */
int steal_step(Gum *gum, double now);
/* When it should ask next; HUGE_VAL: nothing to ask for, or an answer is to come. */
double steal_next(const Gum *gum);
/* Has this process asked just now, so that it should look for the answer without sleeping? */
int steal_spins(const Gum *gum, double now);

/* Messages.  0; -1: failed. */
int steal_fish(Gum *gum, const Message *message);
int steal_schedule(Gum *gum, const Message *message);
int steal_null(Gum *gum, const Message *message);
/* Give a spark that is RECORD_HELD to a process that did not ask, where it begins at once. */
int steal_give(Gum *gum, int32_t to, Record *record);

#endif
