/* Latency clusters: which hosts are near to each other. */
#ifndef GRID_CORE_CLUSTERS_H
#define GRID_CORE_CLUSTERS_H

#include <stdint.h>

/* Latencies from a factor CLUSTER_GAP above the next smaller one on are far.  4: links of one kind
 * differ by a factor of 2 or so, local from metropolitan and these from wide-area networks by 7 and
 * more (Al Zain, Trinder, Michaelson, Table 2: 0.13 to 0.27, 2.03, 32.8 to 35.8 ms). */
#define CLUSTER_GAP 4.0
/* Where there is no such gap, latencies from here on are all far: no building has them. */
#define CLUSTER_FAR 5e-3

/* The longest near latency: sorts the latencies between different hosts, and stops at the first
 * that is CLUSTER_GAP times the one before.  The first gap, not the largest: all far messages of a
 * collective go at the same time, so more clusters cost nothing, and a slow link within a cluster
 * is used several times in a row.  Without a gap: HUGE_VAL, or 0 if all latencies are CLUSTER_FAR at least.
 *   latency  n x n, symmetric, seconds, 0 on the diagonal
 * -1: out of memory. */
double cluster_threshold(int32_t n, const double *latency);
/* cluster_of[host], numbered by their first hosts: hosts joined by latencies up to the threshold,
 * directly or through others.  Returns how many; -1: out of memory. */
int32_t cluster_hosts(int32_t n, const double *latency, double threshold, int32_t *cluster_of);

#endif
