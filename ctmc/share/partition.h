/* Which process has which chunks. */
#ifndef PEPA_CTMC_SHARE_PARTITION_H
#define PEPA_CTMC_SHARE_PARTITION_H

#include "ctmc/share/graph.h"

/* In so many rounds: in each, every process has one run of chunks, of about its part of the work.
 *   process  per chunk, out */
void share_deal(const ShareGraph *graph, ShareParts parts, int32_t rounds, int32_t *process);

/* States that are copied, each once for every process that does. */
double share_copies(const ShareGraph *graph, const int32_t *process);

#endif
