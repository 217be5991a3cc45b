/* What the files of gum activity share. */
#ifndef GRID_GUM_CLI_GUM_ACTIVITY_H
#define GRID_GUM_CLI_GUM_ACTIVITY_H

#include "grid/gum/activity/read.h"
#include "tool.h"

/* gum activity, argv[0] of which is `activity`.  An exit status. */
int gum_activity(int argc, char **argv);
/* The picture of an activity in a file.  An exit status, with a message unless it is EXIT_SOLVED. */
int gum_activity_plot(const Activity *activity, const char *path);

#endif
