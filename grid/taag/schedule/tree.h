/* Single-linkage clustering of hosts: for each latency, the sets of hosts that are joined by chains
 * of links no slower.  Latencies that never exceed the true ones follow from it (the subdominant
 * ultrametric): bounds of costs, and a guide to good placements. */
#ifndef TAAG_SCHEDULE_TREE_H
#define TAAG_SCHEDULE_TREE_H

#include "grid/taag/schedule/hosts.h"

/* A set of hosts: leaves[first] .. leaves[first + count - 1]. */
typedef struct {
    double height;                /* the latency at which it comes together; of a host 0 */
    int32_t first, count, parent; /* parent: -1: all hosts */
    int64_t capacity;
} Cluster;

typedef struct {
    int32_t hosts, nodes;
    Cluster *node;   /* the hosts first, then sets by height */
    int32_t *leaves; /* hosts so that each set is consecutive */
    /* Distinct heights in ascending order, from 0 on, and at each the capacities of the sets there
     * are, largest first, at most `most` each: capacity[i * hosts] .. */
    int32_t heights;
    double *height;
    int32_t *sets, *capacity;
    int32_t *needed;  /* at each height: the fewest sets with `most` places */
    int32_t *scratch; /* 2 x nodes, for whoever works with the tree */
} LatencyTree;

/* most: what no capacity has to exceed: the number of processes.  hosts^2 log hosts.  PEPA_ENOMEM. */
PepaStatus linkage_make(LatencyTree *out, const Hosts *hosts, int32_t most, PepaError *err);
/* The last height that is at most ms. */
int32_t linkage_at(const LatencyTree *tree, double ms);
void linkage_free(LatencyTree *tree);

#endif
