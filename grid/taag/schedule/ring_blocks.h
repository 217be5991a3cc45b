/* Rings of groups that are on one host each, on sites: walks through sites (ring_walk.h), and which hosts have which
 * groups.
 *
 * A block is a run of neighbours in the ring on one host; a walk costs its links and, for each block, the latency
 * within its site.  Sizes fall along the ring, so the j-th visit of a walk that starts at its largest group has groups
 * of t_j to t_(j-1) processes, for thresholds t_0 >= t_1 >= ...; the first one has those above t_0, and may have those
 * below the last threshold too, where the ring closes.  Thresholds are enumerated depth first; then a knapsack over
 * hosts, groups and processes chooses blocks.  The bound: what sites without thresholds cost if any sizes will do.
 *
 * A block with groups of the least size and larger ones is where sizes come down to the least, so there is one at
 * most; another one may close the ring: it has the largest group, and so no group has more than what its host has
 * beside one of the least size.  Blocks of other different sizes may be as many as they like, which makes it a bound
 * where hosts hold so much that it matters. */
#ifndef TAAG_SCHEDULE_RING_BLOCKS_H
#define TAAG_SCHEDULE_RING_BLOCKS_H

#include "grid/taag/schedule/best.h"
#include "grid/taag/schedule/effort.h"
#include "grid/taag/schedule/sites.h"

/* Raise *bound, of level 0, of the shape's number of parts, three at least, and offer placements; the shape's sizes are
 * lost.  Sites are those of the first level; nothing is done for more than MOST_WALK_SITES, where one host holds all, or
 * if tables were too large.  Exact as far as the effort goes where all latencies of two sites are equal, but for blocks
 * of different sizes above the least, which make it a bound.  False: out of memory. */
bool ring_blocks_solve(const Hosts *hosts, const Sites *sites, Shape *shape, Cost *bound,
                       Best *best, Effort *effort);

#endif
