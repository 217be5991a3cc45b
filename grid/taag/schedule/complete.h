/* Groups that each talk to each: bounds, and placements where each group is on one host, by the
 * minimum dispersion problem (dispersion.h). */
#ifndef TAAG_SCHEDULE_COMPLETE_H
#define TAAG_SCHEDULE_COMPLETE_H

#include "grid/taag/schedule/best.h"
#include "grid/taag/schedule/effort.h"
#include "grid/taag/schedule/tree.h"

/* Raise *bound, which holds for all sizes of the parts, and offer what is found to `best`.  What is
 * not better than `best` is not looked into.  Level 0: exact, but for sizes that are given and
 * differ, where it may be a bound.  The shape's sizes are lost where they are not given.  False:
 * out of memory. */
bool complete_solve(Cost *bound, const Hosts *hosts, const LatencyTree *tree, Shape *shape,
                    Best *best, Effort *effort);

#endif
