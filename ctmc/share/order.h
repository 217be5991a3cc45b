/* In which order a process sweeps its chunks, so that none waits long for another: sweeps give the
 * same bits in every such order, since each chunk reads what it reads in the sweep of one process. */
#ifndef PEPA_CTMC_SHARE_ORDER_H
#define PEPA_CTMC_SHARE_ORDER_H

#include "ctmc/share/graph.h"

/* What it takes to have copies, in the time of an entry of the generator: of each state and for each message,
 * for the one that sends and for the one that receives; and until a message arrives, during which
 * both can work. */
typedef struct {
    double copy, message, latency;
} ShareCosts;

/* Of processes on one machine. */
extern const ShareCosts share_costs;
/* Of machines between which a message takes `latency` seconds, and each byte `byte` more. */
ShareCosts share_costs_between(double latency, double byte);

/* Simulates some sweeps, in which every process takes, of its chunks that may be swept, the one that another process
 * wants first, or something that follows it.  One whose part is twice as large is twice as quick.
 *   process  per chunk
 *   turn     per chunk, out: those of a process are swept in ascending order
 *   time     out: what the sweeps take, in entries
 * O(sweeps x chunks x (links + processes)).  False: memory is out. */
bool share_order(const ShareGraph *graph, const int32_t *process, ShareParts parts,
                 const ShareCosts *costs, int32_t *turn, double *time);

#endif
