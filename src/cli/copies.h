/* Components that stand side by side and could be counted as copies. */
#ifndef PEPA_CLI_COPIES_H
#define PEPA_CLI_COPIES_H

#include <pepa.h>

/* A line on stderr for each of the first three places where the model has P || P || ..., which says how to write that as
 * P[n]: chains tell the ones apart, and count the others.  Nothing when memory is out. */
void copies_show(const PepaModel *model);

#endif
