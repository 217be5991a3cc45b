/* The heuristic of the paper: partitions with a group that fits a latency cluster exactly, groups
 * from the largest on into the lowest cluster with room.  Where several clusters of that level have
 * room, each is tried; of hosts and clusters that are alike, the first one.
 * Source: Bosa, Schreiner, section 6.1, steps 3 and 4; sections 6.2 and 6.3. */
#ifndef TAAG_SCHEDULE_PAPER_H
#define TAAG_SCHEDULE_PAPER_H

#include "grid/taag/schedule/best.h"
#include "grid/taag/schedule/clusters.h"
#include "grid/taag/schedule/effort.h"

typedef struct {
    bool exact_fit; /* only partitions of one group, or with a group that fills a cluster */
    Effort effort;  /* in clusters looked at: beyond its limit only the first of several is tried,
                       beyond its deadline nothing */
    bool whole;     /* result: the effort sufficed */
} PaperSettings;

/* Offer all its placements to `best`.  A group in no cluster, because too little is left, makes a
 * partition impossible.  Errors: PEPA_ENOMEM. */
PepaStatus paper_schedule(const Hosts *hosts, const Clusters *clusters,
                          const AmogetProgram *program, PaperSettings *settings, Best *best,
                          PepaError *err);

#endif
