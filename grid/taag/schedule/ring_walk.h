/* Rings whose groups are spread over the hosts of sites: closed walks through sites.
 *
 * A ring is a closed walk with one group or more for each visit of a site.  With half of the latencies within taken
 * off both ends of each link between sites, it costs the links of the walk and, for each group, the latency within its
 * site.  For each set of sites with the places, walks are enumerated depth first; what is not visited yet costs the
 * shortest walk through it (Held-Karp, sites.h).  Limits of the cost are tried in ascending order, so that what is
 * below the first placement is known to have none.
 *
 * Sizes fall along the ring from a visit on: which numbers of groups have them?  If the last group of the j-th visit
 * has b_j processes, all of it have b_j to b_(j-1), and any sum between is possible.  So numbers and b decide: those
 * of a site take at least the sum of b_j on it, and reach the lesser of its places and the sum of b_(j-1).  The largest
 * b_j is the best, but where the site is visited again. */
#ifndef TAAG_SCHEDULE_RING_WALK_H
#define TAAG_SCHEDULE_RING_WALK_H

#include "grid/taag/schedule/best.h"
#include "grid/taag/schedule/effort.h"
#include "grid/taag/schedule/sites.h"

/* Raise *bound, of the shape's number of parts, three at least, and offer placements; the shape's sizes are lost.  Sites
 * are those of the bound's level, at most MOST_WALK_SITES, and no host has room for two groups.  Exact as far as the
 * effort goes, where all latencies of two sites are equal.  False: out of memory. */
bool ring_walk_solve(const Hosts *hosts, const Sites *sites, Shape *shape, Cost *bound, Best *best,
                     Effort *effort);

#endif
