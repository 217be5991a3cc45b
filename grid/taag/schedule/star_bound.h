/* Bounds for trees of three levels whose units, leaves with their manager, may be spread over hosts.
 *
 * For a root on host r, and a host x on which a unit has a process: its manager is on some host m, and no link
 * within the unit is longer than the level allows.  So the longer one of the unit's two connections takes at least
 *
 *     e(x) = min { max(ms(r, m), ms(m, x)) : ms(m, x) allowed }
 *
 * and both together at least d(x), the same with the sum.  All processes need places: the largest latency is at
 * least the e within which there are enough.  The units whose connections take at most y in all are on hosts with
 * d(x) <= y, so that there are no more of them than have places there; and one of all units has a process where
 * the places end.  The least over all roots is a bound. */
#ifndef TAAG_SCHEDULE_STAR_BOUND_H
#define TAAG_SCHEDULE_STAR_BOUND_H

#include "grid/taag/schedule/cost.h"
#include "grid/taag/schedule/effort.h"

/* Raise lower[parts] of a tree of three levels, for each number of parts whose bound has a level above 0.
 * O(roots that differ x hosts^2) for each such level; where that is too much, or the effort ends, nothing is raised.
 * False: out of memory. */
bool star_bound(const Hosts *hosts, const AmogetProgram *program, Cost *lower, Effort *effort);

#endif
