/* From what processes saw to the numbers of a description: no MPI here.
 *
 * Estimates are means that hold against outliers (series.h), over windows of recent samples:
 *   availability of a process  from probes and from service times (paces.h), against what they were
 *                              when the description was made or the run began; of a process that is
 *                              faster than then, availability is 1 and its time is lowered
 *   work of a stage            service time / seconds per unit of work of its process then
 *   latency and bandwidth      of a pair, in both directions: from moves (links.h)
 * What was never measured keeps the description's value. */
#ifndef GRID_MONITOR_H
#define GRID_MONITOR_H

#include <amoget.h>
#include <stdio.h>

#include "grid/samples.h"

typedef struct GridMonitor GridMonitor;

typedef struct {
    int32_t window;  /* samples kept per stage, process and pair; 0: 61 */
    double max_age;  /* seconds that samples count; older ones if there are no newer ones; 0: 60 */
    int adjust_work; /* stages' work and output are measured (else the description's stand) */
} GridMonitorSettings;

/* desc: the caller's, who neither frees it nor changes its numbers as long as there is a monitor;
 * grid_monitor_update changes them.  settings may be NULL.  NULL: out of memory. */
GridMonitor *grid_monitor_new(AmogetDescription *desc, const GridMonitorSettings *settings);
void grid_monitor_free(GridMonitor *monitor);
/* Samples of what there is not, or of durations that are not positive and finite, do not count.
 * O(window) per sample; allocates when a pair of processes is seen for the first time. */
void grid_monitor_observe(GridMonitor *monitor, const GridSample *samples, size_t count);
/* Put what is known at `time` into the description.  O(window) per stage, process and pair.
 * Errors: PEPA_ENOMEM, of an observation since the last update, which then does not count; what
 * could be measured nonetheless is there. */
PepaStatus grid_monitor_update(GridMonitor *monitor, double time, PepaError *err);

/* Standard error of ln(throughput under b / throughput under a), as far as it comes from those of
 * the estimates; b NULL: of ln(throughput under a).  The shares are those of AmogetExplanation.  Of
 * n services or moves with relative standard deviation s the mean has the relative standard error
 *     sqrt(((n - 1) s^2 + 1) / n) / sqrt(n):
 * until they show otherwise they are taken to be exponential, as in the model, which counts as one
 * degree of freedom.  So a few that are alike by chance do not make it certain. */
double grid_monitor_doubt(const GridMonitor *monitor, const int32_t *a, const double *a_share,
                          const int32_t *b, const double *b_share);

/* What a mapping has been measured on: of its stages, the fewest services kept that one has made on
 * its process since that has been as fast as it is now. */
int32_t grid_monitor_samples(const GridMonitor *monitor, const int32_t *mapping);

/* The measurements in the format that amoget includes, with `epoch` (seconds since 1970) as the
 * beginning of the run; only what is new since the last call.  What the format has no word for,
 * works, outputs and processes that have become faster, is in comments.  -1: `to` has an error. */
int grid_monitor_write(GridMonitor *monitor, double epoch, FILE *to);

#endif
