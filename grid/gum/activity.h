/* What this process did over time, and the file that says it of all: activity/activity.h.  Without
 * GUM_ACTIVITY nothing is recorded.  With it each step of the event loop adds to an interval. */
#ifndef GRID_GUM_ACTIVITY_H
#define GRID_GUM_ACTIVITY_H

#include "grid/gum/context.h"

/* 0; -1: out of memory. */
int activity_new(Gum *gum);
void activity_end(Gum *gum);
/* The time from gum->activity_since to now was spent on this counter, one of running, fetching, idle. */
void activity_note(Gum *gum, double now, const double *what);
/* Collective, after a run without an error: process 0 writes the file.  0; -1: failed. */
int activity_report(Gum *gum);

#endif
