/* Graphs of groups on sites: graph partitioning with capacities.
 *
 * Only some groups talk.  Where all latencies of two sites are equal, a connection costs that of its sites,
 * unless one host holds both groups.  Groups are placed on sites, depth first, next the one with most
 * connections to those that are placed.  The bound: connections of groups that are placed, the least of each
 * group that is not to these, and half of what its others cost at least; less what hosts can save: the connections
 * within bundles of groups that share a host (bundles.h), or a packing of connected sets where these do not suit
 * (subsets.h, pack_best.h).  When all groups have a site, what each site's hosts save is found, if all fit: bin packing.
 * The least largest latency comes first: limits of latencies are tried in ascending order, and the first that has
 * a placement is solved.
 * Where latencies differ, the least ones make it a bound. */
#ifndef TAAG_SCHEDULE_PARTITION_H
#define TAAG_SCHEDULE_PARTITION_H

#include "grid/taag/schedule/best.h"
#include "grid/taag/schedule/effort.h"
#include "grid/taag/schedule/sites.h"

/* Raise *bound, of a shape of given sizes with edges, and offer placements.  Level 0: each group is on one host;
 * else groups may be spread over the hosts of a site.  Exact as far as the effort goes, if all latencies of two
 * sites are equal.  False: out of memory. */
bool partition_solve(const Hosts *hosts, const Sites *sites, Shape *shape, Cost *bound, Best *best,
                     Effort *effort);

#endif
