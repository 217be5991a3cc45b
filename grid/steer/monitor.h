/* The monitor of a pipeline: from the samples of a run to the numbers of its description.  No MPI.
 *
 * Speeds and links are those of the machine monitor (grid/machine/monitor.h).  Besides,
 *   work of a stage   service time / seconds per unit of work of its process at that time
 * All estimates are robust means over windows of recent samples (grid/machine/window.h). */
#ifndef GRID_STEER_MONITOR_H
#define GRID_STEER_MONITOR_H

#include <amoget.h>
#include <stdio.h>

#include "grid/machine/samples.h"

typedef struct GridMonitor GridMonitor;

typedef struct {
    int32_t window;  /* samples kept per stage, process and pair; 0: 61 */
    double max_age;  /* seconds for which samples count; older ones if there are no newer; 0: 60 */
    int adjust_work; /* measure work and output of stages; else the description's count */
} GridMonitorSettings;

/* A monitor of a description, which the caller owns, and neither frees nor changes while the
 * monitor exists; grid_monitor_update changes its numbers.  settings: NULL: defaults.  NULL: out of
 * memory. */
GridMonitor *grid_monitor_new(AmogetDescription *desc, const GridMonitorSettings *settings);
void grid_monitor_free(GridMonitor *monitor);
/* Add samples.  Those of unknown stages or processes, and those whose durations are not positive
 * and finite, are ignored.  O(window) per sample; allocates for the first sample of a pair of
 * processes. */
void grid_monitor_observe(GridMonitor *monitor, const GridSample *samples, size_t count);
/* Put what is known at `time` into the description.  O(window) per stage, process and pair.
 * Errors: PEPA_ENOMEM: an observation since the last update was lost; all else is done. */
PepaStatus grid_monitor_update(GridMonitor *monitor, double time, PepaError *err);

/* Which services count.  At first those that take more than six times the median do not, nor, where
 * works are measured, the time in which services waited for a processor if that is most of it: these
 * are disturbances.  Where a run is slower than its model says, they count (whole): a process may
 * have only a share of a processor (grid/machine/speed.h). */
void grid_monitor_count_whole(GridMonitor *monitor, int whole);

/* The standard error of ln(throughput under b / throughput under a) that comes from the errors of
 * the estimates; b NULL: of ln(throughput under a).  a_share and b_share: AmogetExplanation's
 * shares.  The mean of n services or moves with relative standard deviation s has the relative
 * standard error
 *     sqrt(((n - 1) s^2 + 1) / n) / sqrt(n).
 * That is, durations count as exponential, as in the model, until they show otherwise: this prior
 * is worth one degree of freedom.  So a few that are alike by chance do not look certain. */
double grid_monitor_error(const GridMonitor *monitor, const int32_t *a, const double *a_share,
                          const int32_t *b, const double *b_share);

/* How well a mapping is measured: the smallest number, over its stages, of services that the stage
 * has made on its process since the last change of that process. */
int32_t grid_monitor_samples(const GridMonitor *monitor, const int32_t *mapping);

/* Write the new measurements in the format that amoget includes, with `epoch` (seconds since 1970)
 * as the beginning of the run.  Works, outputs and processes that have become faster, for which the
 * format has no line, are comments.  -1: `to` has an error. */
int grid_monitor_write(GridMonitor *monitor, double epoch, FILE *to);

#endif
