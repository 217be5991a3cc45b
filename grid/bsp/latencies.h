/* Which of the processes of a group are near to each other, as messages between them measure it. */
#ifndef GRID_BSP_LATENCIES_H
#define GRID_BSP_LATENCIES_H

#include "grid/bsp/transport.h"

/* Divides the members into clusters of hosts (grid/core/clusters.h).  Collective among them: takes LATENCY_ROUNDS
 * round trips and a latency, and messages of O(hosts^2) numbers.
 *   members  pids, ascending; those of this process's cluster when it returns
 *   count    how many; the same
 * 0; -1: out of memory. */
int latencies_cluster(const Transport *transport, int *members, int *count);

#endif
