/* When items left the pipeline, in memory that does not grow with their number. */
#ifndef GRID_PIPELINE_DEPARTURES_H
#define GRID_PIPELINE_DEPARTURES_H

#include <stdint.h>

#include "grid/pipeline/tuning.h"

/* The times of every stride-th item; when the array is full, every other time is dropped.  Starts
 * as {0}; may be copied byte by byte. */
typedef struct {
    int64_t count; /* items */
    double first, last;
    int64_t stride;
    int32_t kept;
    double time[DEPARTURE_TIMES];
} Departures;

void departures_add(Departures *departures, double time);
/* Items per second between the items at one tenth and at nine tenths, their times interpolated; 0:
 * fewer than two. */
double departures_throughput(const Departures *departures);

#endif
