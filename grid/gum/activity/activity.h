/* The activity of all processes of a run over time, as a file: a text of lines, `#` begins a comment.
 *
 *     gum-activity 1
 *     run program queens policy busiest processes 4 makespan 1.2 width 0.0064
 *     # process interval running fetching idle runnable blocked made pruned taken given
 *     0 0 0.0064 0 0 2.1 0 41 12 0 3
 *     0 1 ...
 *
 * Interval k is the time from k width to (k + 1) width, the last one ends with the run.  There is a row
 * for each interval of process 0, then for those of process 1, and so on.  Columns are those of
 * ActivityCell.  At most ACTIVITY_CELLS rows for each process.
 *
 * No MPI, and nothing of libpepa: the run-time includes this header and write.c alone.  Reading is
 * read.h. */
#ifndef GRID_GUM_ACTIVITY_ACTIVITY_H
#define GRID_GUM_ACTIVITY_ACTIVITY_H

#include <stdio.h>

#include "grid/gum/activity/log.h"

enum { ACTIVITY_NAME = 64, ACTIVITY_MOST_PROCESSES = 65536 };

typedef struct {
    char program[ACTIVITY_NAME], policy[ACTIVITY_NAME]; /* words */
    int32_t processes;                                  /* 1 .. ACTIVITY_MOST_PROCESSES */
    int32_t intervals;                                  /* 1 .. ACTIVITY_CELLS */
    double makespan, width;                             /* seconds */
    ActivityCell *cell; /* processes x intervals, the process's own together */
} Activity;

/* How many intervals a run has. */
int32_t activity_intervals(double makespan, double width);
/* Write all of it.  Bytes of names that a word cannot have become '_'.  Numbers have 9 digits, whatever
 * the locale.  0, or -1 if writing failed (ferror(to)). */
int activity_write(const Activity *activity, FILE *to);

#endif
