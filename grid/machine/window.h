/* A sample window: the newest measurements of one quantity, their mean, and when it changed.
 *
 * Durations on shared machines are skewed: most are alike, some are a little longer, a few are very
 * much longer.  A median would ignore the few, but models are of means: the median of exponential
 * durations is 0.69 of their mean, that of constant ones all of it, so that medians of both do not
 * compare.  The estimate here is the mean of the values between a tenth and six times their median.
 * For exponential durations that is the mean to 0.1% (as much is cut off above as below), and it
 * holds as long as fewer than half of the values are outliers. */
#ifndef GRID_MACHINE_WINDOW_H
#define GRID_MACHINE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "grid/machine/tuning.h"

typedef struct {
    double time, value; /* seconds into the run; what was measured */
    double paused;      /* what came on top while it had no processor (speed.h) */
    double bytes;
    double unit_time; /* of the process: seconds per unit of work, as known then */
    int32_t process;
} Measurement;

/* A ring buffer with change detection.  The quantity has changed when the `run` newest values all
 * lie a fifth or more beyond nine tenths of the others, on one side, or the newest four lie
 * threefold above.  The others are dropped then.  By chance the former happens at most twice in
 * C(n, run) / C(run + (n - run) / 10, run) values, n = capacity, whatever their distribution (n =
 * 61 and run = 8: twice in 2 million), and never to values that vary less.  The latter happens to
 * exponential values once in 10^12, and where one in twenty is twenty times as long, once in
 * 160,000. */
typedef struct {
    Measurement *ring;
    int32_t capacity, first, count;
    int32_t run;  /* 0: no change detection */
    double since; /* time of the first value after the last change; -inf before any */
    double until; /* time of the last value before it */
} Window;

/* capacity > 0; -1: out of memory (free is legal).  Adding costs O(capacity). */
int window_new(Window *window, int32_t capacity, int32_t run);
void window_free(Window *window);
void window_add(Window *window, Measurement measurement);

/* The quantity has changed at `since`, by other evidence: older values are dropped. */
void window_restart(Window *window, double since);

/* The i-th oldest, 0 <= i < count. */
Measurement *window_at(const Window *window, int32_t i);
/* Time of the newest value, -inf: there is none. */
double window_newest(const Window *window);
/* Index of the oldest value that counts: one not older than the newest by more than max_age.  The
 * newest WINDOW_LEAST always count. */
int32_t window_recent(const Window *window, double max_age);

typedef struct {
    double mean;
    double error; /* relative standard error of the mean; 0: fewer than 2 values */
    int32_t count;
} Estimate;

/* The lower median of count > 0 values; permutes them.  O(count) on average. */
double median_of(double *values, int32_t count);
/* The mean as above of count > 0 positive values; permutes them.  whole: the largest count too. */
Estimate estimate_of(double *values, int32_t count, bool whole);

#endif
