/* The newest values of one thing that is measured over and over, and what they say together.
 *
 * Durations on shared machines are skewed: many are about the same, some are a little longer, a few
 * are out of all proportion.  Medians would ignore the few, but models are of means: the median of
 * exponential durations is 0.69 of their mean, that of constant ones all of it, so that medians of
 * both do not compare.  An estimate here is the mean of the values that are between a tenth and six
 * times their median: of exponential durations that is the mean to 0.1% (as much is cut off above
 * as below), and it stands as long as fewer than half of the values are wild. */
#ifndef GRID_SERIES_H
#define GRID_SERIES_H

#include <stdint.h>

typedef struct {
    double time, value; /* seconds into the run; what was measured */
    double size;        /* bytes */
    double pace;        /* seconds per unit of work, where it was measured */
    int32_t where;      /* that is: the process */
} GridValue;

/* A ring.  When the `turn` newest values all lie a fifth and more beyond nine tenths of the others,
 * on one side, or the newest four threefold above, then what is measured has changed, and the
 * others are dropped.  By chance the former happens at most twice in
 * C(n, turn) / C(turn + (n - turn) / 10, turn) values, n = room, whatever their distribution (with
 * n = 61 and turn = 8 twice in 2 million), and never to those that vary less; the latter to
 * exponential ones once in 10^12, and where one in twenty is twenty times as long, once in 160,000.
 */
typedef struct {
    GridValue *ring;
    int32_t room, first, count;
    int32_t turn; /* 0: never */
    double since; /* time of the first value after the last change; -inf before any */
    double until; /* time of the last value before it */
} GridSeries;

/* room > 0 values; -1: out of memory (free is legal).  Costs of add: O(room). */
int series_new(GridSeries *series, int32_t room, int32_t turn);
void series_free(GridSeries *series);
void series_add(GridSeries *series, GridValue value);

/* It has changed at `since`, as other things tell: older values are dropped. */
void series_change(GridSeries *series, double since);

/* The i-th oldest, 0 <= i < count. */
GridValue *series_at(const GridSeries *series, int32_t i);
/* The oldest that counts: not older than the newest by more than max_age; but of the newest ones
 * SERIES_LEAST always count. */
enum { SERIES_LEAST = 4 };
int32_t series_recent(const GridSeries *series, double max_age);

typedef struct {
    double mean;
    double error; /* relative standard error of the mean; 0: fewer than 2 values */
    int32_t count;
} GridEstimate;

/* The lower median of count > 0 values, which get another order.  O(count) in the mean. */
double median_of(double *values, int32_t count);
/* See above; count > 0 positive values, which get another order. */
GridEstimate estimate_of(double *values, int32_t count);

#endif
