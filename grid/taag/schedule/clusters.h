/* Latency clusters: hosts alone (level 0), and for each latency level the maximal sets of hosts
 * between any two of which no link has a higher level.  Sets may overlap; a set is listed at its
 * lowest level.  By level, on a level by capacity, largest first.
 * Source: Bosa, Schreiner, section 6.1, step 2; maximal cliques by Bron and Kerbosch with pivots,
 * where levels are not transitive. */
#ifndef TAAG_SCHEDULE_CLUSTERS_H
#define TAAG_SCHEDULE_CLUSTERS_H

#include "grid/taag/schedule/effort.h"
#include "grid/taag/schedule/tree.h"

enum { MOST_CLUSTERS = 20000 };

typedef struct {
    int32_t level, count;
    int64_t capacity;
    int32_t *hosts; /* ascending */
} LatencyCluster;

typedef struct {
    int32_t count;
    size_t cap;
    LatencyCluster *each;
} Clusters;

/* deadline: on the clock.  Errors: PEPA_ELIMIT (more than MOST_CLUSTERS, or the deadline),
 * PEPA_ENOMEM. */
PepaStatus clusters_find(Clusters *out, const Hosts *hosts, const LatencyTree *tree,
                         double deadline, PepaError *err);
void clusters_free(Clusters *clusters);

#endif
