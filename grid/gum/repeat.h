/* Tasks that run on two processes (policy `predicted`): which of this process may, and what the others are
 * told of it.
 *
 * A task of a pure type that came from another process may be begun a second time elsewhere, until it has made
 * sparks, and once.  Every message says when the task began here that may, and a SCHEDULE how long such
 * tasks are, so that an idle process knows whom to ask (policy/predicted.h). */
#ifndef GRID_GUM_REPEAT_H
#define GRID_GUM_REPEAT_H

#include "grid/gum/context.h"

/* The task that runs here and ends most of all earlier if the origin of a FISH, which is idle, runs it as well;
 * NULL: none does.  O(live threads + processes). */
Record *repeat_for(const Gum *gum, int32_t origin);

/* May this task run elsewhere as well, if it has not ended and made no sparks?  O(1). */
int repeat_may(const Gum *gum, const Record *record);
/* Seconds that the task has run which may run elsewhere as well; of several the one that has run least; < 0: none
 * may.  O(live threads). */
double repeat_ran(const Gum *gum);

/* A task has ended that may have run twice: it had this work, seconds x speed. */
void repeat_learn(Gum *gum, double work);

/* Lengths of tasks, to and from the body of a SCHEDULE; nothing where no task runs twice.  0; -1: failed. */
int repeat_put_lengths(Gum *gum, GridBuffer *body);
int repeat_get_lengths(Gum *gum, Cursor *from);

#endif
