/* Better placements of groups that are spread over hosts: processes are moved to other hosts, and exchanged with those
 * of other groups, or go over to these, while the level within groups stays.
 *
 * Simulated annealing; links above a limit cost more.  With a limit just below the largest latency the search looks
 * for placements that have a smaller one.
 * Source: Kirkpatrick, Gelatt, Vecchi, Optimization by simulated annealing. */
#ifndef TAAG_SCHEDULE_SHIFT_H
#define TAAG_SCHEDULE_SHIFT_H

#include "grid/taag/schedule/best.h"
#include "grid/taag/schedule/effort.h"

/* Begin with the best placement, of so many parts as the shape has, and offer better ones.  A fixed number of steps;
 * choices are those of the turn.  Nothing is done where there are many groups and hosts.
 *   resizes  sizes that can be chosen change, too; if not, they are those of the shape
 * False: out of memory. */
bool shift_improve(const Hosts *hosts, Shape *shape, bool resizes, int32_t turn, Best *best,
                   Effort *effort);

#endif
