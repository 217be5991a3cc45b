/* Better placements near one in which each group is on one host: groups are moved to other hosts
 * and exchanged while that makes latencies less, first the largest one. */
#ifndef TAAG_SCHEDULE_EXCHANGE_H
#define TAAG_SCHEDULE_EXCHANGE_H

#include "grid/taag/schedule/best.h"
#include "grid/taag/schedule/effort.h"

/* Begin with the best placement, whose shape this is, and offer better ones.  Nothing is done if a
 * group is spread over hosts, or has to be near another that is not on its host.  Iterated local
 * search, of fixed choices.  False: out of memory. */
bool exchange_improve(const Hosts *hosts, const Shape *shape, Best *best, Effort *effort);
/* The same by simulated annealing, which takes longer: all of the effort, some runs. */
bool exchange_anneal(const Hosts *hosts, const Shape *shape, Best *best, Effort *effort);

#endif
