/* Sites: sets of hosts that links of a level, or of lower ones, join.  A group of that level is within one
 * site, and between two sites, or two hosts of one, no latency is below the least one.  In descriptions of
 * clusters all latencies of two sites are equal.  Source of the walks: Held, Karp, A dynamic programming
 * approach to sequencing problems, 1962. */
#ifndef TAAG_SCHEDULE_SITES_H
#define TAAG_SCHEDULE_SITES_H

#include "grid/taag/schedule/tree.h"

enum { MOST_SITES = 24, MOST_WALK_SITES = 12 };

typedef struct {
    int32_t count;
    int32_t *of;                       /* of each host; -1: it has no places */
    int32_t hosts[MOST_SITES];         /* how many */
    int32_t widest[MOST_SITES];        /* places of one of them, at most */
    int64_t places[MOST_SITES];        /* of all */
    double ms[MOST_SITES][MOST_SITES]; /* the least latencies; within: 0 for a single host */
    /* By set of sites, a bit each, if they are at most MOST_WALK_SITES: the least largest link of a closed walk through them, and the least
     * sum of links of such a walk, half of the latencies within taken off at both ends. */
    double *longest, *walk;
} Sites;

/* Of sites, at most MOST_WALK_SITES, by links that are allowed, half of the latencies within taken off at both ends. */
typedef struct {
    int32_t n;
    double way[MOST_WALK_SITES][MOST_WALK_SITES]; /* shortest */
    /* By set and site of it: the least sum of a walk from the set's first site through all of it to that site; to the
     * first one only if there are no others. */
    double least[1 << MOST_WALK_SITES][MOST_WALK_SITES];
} SiteWalks;

/* 2^sites x sites^2. */
void sites_measure(SiteWalks *walks, const Sites *sites, double allowed);
/* The least sum of a closed walk through a set. */
double sites_closed_walk(const SiteWalks *walks, int32_t set);

/* hosts^2, and 2^sites x sites^4 for walks, if there are any.  count = 0: there are more sites.  False: out of
 * memory, and nothing is held. */
bool sites_find(Sites *out, const Hosts *hosts, const LatencyTree *tree, int32_t level);
/* Sites for groups that are on one host each, whatever the levels of links are: the fewest sets, at most `most`, that
 * links up to some latency join and whose least latencies are close to those of their hosts: by a tenth, or by twice as
 * much as those of the most sets are.  Those of the first level where there are no such sets.  most <= MOST_SITES;
 * most x hosts^2, and walks.  False: out of memory, and nothing is held. */
bool sites_closest(Sites *out, const Hosts *hosts, const LatencyTree *tree, int32_t most);
void sites_free(Sites *sites);
/* Places of the host of all sites that has most. */
int32_t sites_widest(const Sites *sites);
/* The least latency of two sites, or within one, that is more than this; INFINITY: none is.  sites^2. */
double sites_next_limit(const Sites *sites, double ms);

#endif
