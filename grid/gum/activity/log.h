/* What a process did over time, in memory of fixed size.
 *
 * Time is cut into intervals of equal width.  When the run outgrows them, neighbours are joined two by
 * two and the width doubles, so that a run of any length has between half of ACTIVITY_CELLS and all of
 * them.  No MPI here. */
#ifndef GRID_GUM_ACTIVITY_LOG_H
#define GRID_GUM_ACTIVITY_LOG_H

#include <stdint.h>

enum { ACTIVITY_CELLS = 256 };
/* Seconds of the first intervals. */
#define ACTIVITY_WIDTH 1e-4

/* One interval: seconds of the process; of threads that are ready and that wait, thread-seconds; and
 * events. */
typedef struct {
    double running, fetching, idle; /* as in profile.h */
    double runnable, blocked;       /* ready but not running; waiting for results or data */
    double made, pruned;            /* sparks; forced here before anybody took them */
    double taken, given;            /* sparks that came from others; that went to others */
} ActivityCell;
enum { ACTIVITY_NUMBERS = sizeof(ActivityCell) / sizeof(double) };

typedef struct {
    double width; /* seconds */
    ActivityCell cell[ACTIVITY_CELLS];
} ActivityLog;

void activity_begin(ActivityLog *log);
/* Spread `what` evenly over the time from `from` to `to`, seconds since the run began, 0 <= from <= to.
 * Sums over all intervals are kept.  Cost: the intervals that it touches. */
void activity_add(ActivityLog *log, double from, double to, const ActivityCell *what);
/* Join neighbours until the intervals have this width, or more; widths are ACTIVITY_WIDTH 2^k. */
void activity_widen(ActivityLog *log, double width);

#endif
