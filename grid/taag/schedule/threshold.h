/* The least largest latency of a graph of groups that are on one host each: at a latency, hosts are to be found
 * such that groups that talk are on one host or on two with a link no longer.
 *
 * That is a constraint satisfaction problem: subgraphs, with several groups on a host as far as places go.  The
 * hosts that a group can still have are a set of bits.  Left out are hosts without any neighbour that a neighbour of
 * the group can have (arc consistency); and those around which there is too little room: the groups at most r
 * connections away are on hosts at most r links away, and so are, for each size k, the sums of floor(size / k), since
 * groups are whole (dual feasible functions).  Depth first, next the group with the fewest hosts for how often
 * its connections failed.  Hosts that can be exchanged and are not used yet count as one.
 * A limit at which there is no placement is a lower bound; latencies are tried by bisection.
 * Source: Sabin, Freuder, Contradicting conventional wisdom in constraint satisfaction (maintaining arc
 * consistency); Boussemart et al., Boosting systematic search by weighting constraints; Fekete, Schepers (partition_inner.h). */
#ifndef TAAG_SCHEDULE_THRESHOLD_H
#define TAAG_SCHEDULE_THRESHOLD_H

#include "grid/taag/schedule/best.h"
#include "grid/taag/schedule/effort.h"

/* Raise bound->most, of level 0, for the sizes that the shape has, and offer the placements that are found.  A shape
 * with edges.  False: out of memory. */
bool threshold_solve(const Hosts *hosts, Shape *shape, Cost *bound, Best *best, Effort *effort);

#endif
