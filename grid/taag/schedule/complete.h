/* Groups that each talk to each: bounds, and placements where each group is on one host, by the
 * minimum dispersion problem (dispersion.h). */
#ifndef TAAG_SCHEDULE_COMPLETE_H
#define TAAG_SCHEDULE_COMPLETE_H

#include "grid/taag/schedule/best.h"
#include "grid/taag/schedule/effort.h"
#include "grid/taag/schedule/tree.h"

typedef struct Complete Complete;

/* For one program: groups is the largest number there can be.  NULL: out of memory. */
Complete *complete_new(const Hosts *hosts, const LatencyTree *tree, int32_t processes,
                       int32_t groups);
void complete_free(Complete *complete);
/* Raise *bound, which holds for all sizes of the parts, and offer what is found to `best`.  What is
 * not better than `best` is not looked into.  Level 0: exact, but for sizes that are given and
 * differ, where it may be a bound.  The shape's sizes are lost where they are not given.  False:
 * out of memory. */
bool complete_solve(Complete *complete, Cost *bound, Shape *shape, Best *best, Effort *effort);

#endif
