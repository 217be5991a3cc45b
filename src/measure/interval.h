/* Intervals that contain an exact number. */
#ifndef PEPA_MEASURE_INTERVAL_H
#define PEPA_MEASURE_INTERVAL_H

#include <stdbool.h>

typedef struct {
    double low, high;
} Interval;

/* One more double on each side; -inf .. +inf if one is NaN. */
Interval interval_outwards(double low, double high);

/* Whether its ends are within the tolerance of its middle, relative to the larger of them. */
bool interval_is_narrow(Interval x, double tolerance);

/* Operations on intervals, rounded outwards. */
Interval interval_of(double value);
Interval interval_add(Interval a, Interval b);
Interval interval_subtract(Interval a, Interval b);
Interval interval_multiply(Interval a, Interval b);
/* -inf .. +inf if b contains 0. */
Interval interval_divide(Interval a, Interval b);
Interval interval_min(Interval a, Interval b);
Interval interval_max(Interval a, Interval b);

#endif
