/* Better placements where the best is not proved: from those of other schedulers and greedy ones, with every number of
 * groups, by annealing of hosts and sizes. */
#ifndef TAAG_SCHEDULE_IMPROVE_H
#define TAAG_SCHEDULE_IMPROVE_H

#include "grid/taag/schedule/search.h"

/* Offer placements to `best`, which has one, until it costs as little as settings->bound, or the deadline has come;
 * without one a fixed amount of work, about a second.  Sets settings->optimal.  Errors: PEPA_ENOMEM. */
PepaStatus improve_placements(const Hosts *hosts, const LatencyTree *tree,
                              const AmogetProgram *program, SearchSettings *settings, Best *best,
                              PepaError *err);

#endif
