/* Groups that are spread over the hosts of a site: bounds, and placements.
 *
 * Where groups are larger than hosts, a group is within one site of its level, and a connection has at
 * least the latency of the two sites; where all latencies of two sites are equal, exactly that, wherever
 * within them the groups are.  So the cost depends on how many groups each site has (of a tree, on the
 * root's site too).  These numbers are enumerated depth first, with the
 * cost of those that are chosen, and of the connections that the others have with them, as the bound.
 *   Each to each: groups that fit on a host with another may share one; as many as can are counted.
 *   Numbers are possible if sites have the places; of given sizes, if the packing that they are says
 *   so, and all sets of sites can hold as many of the smallest groups.
 *   Trees of three levels: managers that fit are on the root's host.
 *   Rings: closed walks through sites (ring_walk.h).
 */
#ifndef TAAG_SCHEDULE_SPREAD_H
#define TAAG_SCHEDULE_SPREAD_H

#include "grid/taag/schedule/best.h"
#include "grid/taag/schedule/effort.h"
#include "grid/taag/schedule/sites.h"

/* Raise *bound, of the shape's number of parts, and offer placements on its level, of which the sites are.
 * Exact where all latencies of two sites are equal, but where groups share hosts.  (parts + sites over sites) numbers, 2^sites of work for each at most, unless the effort
 * ends before: then nothing is raised.  False: out of memory. */
bool spread_solve(const Hosts *hosts, const Sites *sites, Shape *shape, Cost *bound, Best *best,
                  Effort *effort);

#endif
