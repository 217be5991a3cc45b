/* Costs that no placement can be below.
 *
 * In the sets of hosts that links of at most v join, two groups whose connection is at most v are
 * both wholly in one set (tree.h).  How many connections can be?  The processes fill at least q
 * sets, so that groups without a set of their own are spread over q of them; a set holds only so
 * many groups.  What is left crosses, at more than v.  Summed over v: a bound of the mean.  A group
 * that is spread over sets itself is possible up to the latency level allowed, and has no
 * connection of at most v. */
#ifndef TAAG_SCHEDULE_BOUND_H
#define TAAG_SCHEDULE_BOUND_H

#include "grid/taag/schedule/cost.h"
#include "grid/taag/schedule/tree.h"

/* sizes: the shape's sizes are meant; else any sizes of its parts.  level: none below it is possible.
 * Cost: heights x the sets that the processes need. */
Cost bound_of(const Hosts *hosts, const LatencyTree *tree, const Shape *shape, bool sizes,
              int32_t level);
/* About how many sets of hosts that looks at. */
int64_t bound_work(const LatencyTree *tree, const Shape *shape);

#endif
