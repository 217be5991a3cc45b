/* The event loop's part that is GUM's: messages, threads, sparks, and asking for work. */
#ifndef GRID_GUM_LOOP_H
#define GRID_GUM_LOOP_H

#include "grid/gum/context.h"

/* The functions of a Runtime (session.h); self is a Gum. */
int loop_handle(void *self, Message *message);
int loop_step(void *self, double now);
double loop_next(const void *self, double now);

#endif
