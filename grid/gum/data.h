/* Data that stay with their owner until somebody fetches them. */
#ifndef GRID_GUM_DATA_H
#define GRID_GUM_DATA_H

#include "grid/gum/context.h"

void data_free(Gum *gum);
/* Messages.  0; -1: failed. */
int data_asked(Gum *gum, const Message *message);
int data_arrived(Gum *gum, const Message *message);

#endif
