/* What a placement costs, and which of two is better.
 *
 * A placement gives every process a host, no host more processes than it has places.  A group may
 * use any hosts.  Its cost, compared in this order:
 *   level  the largest latency level between two hosts of a group; a manager of leaves counts as
 * one of their group most   the largest latency, in milliseconds, of a connection mean   the mean
 * latency of the connections A connection is a pair of groups that talk to each other: the declared
 * edges, or all pairs.  Its latency is the largest one between a host of the one and a host of the
 * other, 0 within a host. Among equal costs, fewer groups are better, then a larger first group.
 * Source: Bosa, Schreiner, sections 6.1 to 6.3, which leaves the weights open. */
#ifndef TAAG_SCHEDULE_COST_H
#define TAAG_SCHEDULE_COST_H

#include "grid/taag/schedule/hosts.h"
#include "grid/taag/schedule/shape.h"

typedef struct {
    int32_t level;
    double most, mean;
} Cost;

/* -1, 0, 1 as a is less than, as good as, more than b; means that differ by rounding are equal. */
int cost_compare(Cost a, Cost b);
/* The number of connections. */
double cost_connections(const Shape *shape);
/* host_of: by rank; ranks of a group are consecutive, group 0 first.  used, start: scratch of
 * processes and groups + 1.  At most processes^2. */
Cost cost_of(const Hosts *hosts, const Shape *shape, const int32_t *host_of, int32_t *used,
             int32_t *start);
/* About how many latencies it looks at. */
int64_t cost_work(const Hosts *hosts, const Shape *shape);

#endif
