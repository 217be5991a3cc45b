/* Processes that exit before gum_init: they do not keep the others waiting. */
#ifndef GRID_GUM_ABSENT_H
#define GRID_GUM_ABSENT_H

/* Collective, from gum_init: ends the run with an error if gumrun has started it and some process has exited before. */
void absent_meet(const char *call);

#endif
