/* Fewer states to copy: chunks move to other processes. */
#ifndef PEPA_CTMC_SHARE_REFINE_H
#define PEPA_CTMC_SHARE_REFINE_H

#include "ctmc/share/graph.h"

/* For both: copies do not become more; and no process has more than its part of the work by much,
 * unless it had as much before, or one of more for its part.  False: memory is out; process is as it was. */

/* Chunks move one by one, in the order of a sweep, as long as each move leaves fewer states to copy.
 * O(passes x links x links of a chunk). */
bool share_refine(const ShareGraph *graph, ShareParts parts, int32_t *process);

/* Chunks move, the one first that gains most, also where that loses for a while.
 * O(passes x links x (links of a chunk)^2).
 * Sources: Fiduccia, Mattheyses, A linear-time heuristic for improving network partitions, DAC
 * 1982; Sanchis, Multiple-way network partitioning, IEEE Transactions on Computers 38, 1989. */
bool share_climb(const ShareGraph *graph, ShareParts parts, int32_t *process);

#endif
