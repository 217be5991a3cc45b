/* Sites: sets of hosts that are alike but for their places.  Any two hosts of a site have the same
 * latency, and each has the same one to any host of another site.  Descriptions of clusters are of this
 * kind.  Source of the walks: Held, Karp, A dynamic programming approach to sequencing problems, 1962. */
#ifndef TAAG_SCHEDULE_SITES_H
#define TAAG_SCHEDULE_SITES_H

#include "grid/taag/schedule/hosts.h"

enum { MOST_SITES = 8 };

typedef struct {
    int32_t count;
    int32_t *of;                       /* of each host; -1: it has no places */
    int32_t hosts[MOST_SITES];         /* how many */
    int32_t widest[MOST_SITES];        /* places of one of them, at most */
    int64_t places[MOST_SITES];        /* of all */
    double ms[MOST_SITES][MOST_SITES]; /* within: 0 for a single host */
    /* By set of sites, a bit each: the least largest link of a closed walk through them, and the least
     * sum of links of such a walk, half of the latencies within taken off at both ends. */
    double longest[1 << MOST_SITES], walk[1 << MOST_SITES];
} Sites;

/* hosts x MOST_SITES x hosts at most, and 4^sites x sites^2 for walks.  count = 0: there are more sites.  False: out of memory. */
bool sites_find(Sites *out, const Hosts *hosts);
void sites_free(Sites *sites);

#endif
