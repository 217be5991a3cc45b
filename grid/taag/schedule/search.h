/* The best placement of all: branch and bound over every partition and every placement (cost.h says
 * which there are).
 *
 * For each number of groups, then each partition, then each placement of the groups from the
 * largest on, host by host.  Left out is what cannot be better than the best: by single-linkage
 * bounds (bound.h) of numbers and partitions, by the minimum dispersion problem (complete.h) where
 * each group talks to each, and by the cost so far of placements.  Of placements
 * that differ by exchanging hosts that are alike, or groups of equal size that talk to all, only
 * the first in the order of hosts is tried. */
#ifndef TAAG_SCHEDULE_SEARCH_H
#define TAAG_SCHEDULE_SEARCH_H

#include "grid/taag/schedule/best.h"
#include "grid/taag/schedule/tree.h"

typedef struct {
    double deadline; /* on the clock; INFINITY: a fixed amount of work, some seconds */
    bool optimal;    /* result: no placement has a lower cost */
    Cost bound;      /* result: no placement has a lower one than this */
    int64_t nodes;   /* result: places tried */
} SearchSettings;

/* `best` may hold a placement already.  All processes fit on the hosts.  Errors: PEPA_ENOMEM. */
PepaStatus search_placements(const Hosts *hosts, const LatencyTree *tree,
                             const AmogetProgram *program, SearchSettings *settings, Best *best,
                             PepaError *err);

#endif
