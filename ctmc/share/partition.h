/* Which process has which chunks. */
#ifndef PEPA_CTMC_SHARE_PARTITION_H
#define PEPA_CTMC_SHARE_PARTITION_H

#include "ctmc/share/graph.h"

/* In so many rounds: in each, every process has one run of chunks, of about the same work.
 *   process  per chunk, out */
void share_deal(const ShareGraph *graph, int32_t processes, int32_t rounds, int32_t *process);

/* Chunks go to processes of chunks that they have links with as long as that leaves fewer states to
 * copy, and no process has much more than its share of the work.
 * O(passes x links x processes).  False: memory is out; process is as it was.
 * Source: Fiduccia, Mattheyses, A linear-time heuristic for improving network partitions, DAC 1982;
 * here without moves that lose. */
bool share_refine(const ShareGraph *graph, int32_t processes, int32_t *process);

/* States that are copied, each once for every process that does. */
double share_copies(const ShareGraph *graph, const int32_t *process);

#endif
