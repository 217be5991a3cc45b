/* When items came out, in memory that does not grow with their number. */
#ifndef GRID_RECORD_H
#define GRID_RECORD_H

#include <stdint.h>

enum { RECORD_TIMES = 2048 };

/* Every stride-th item's time: when there is no room, every other one is forgotten.  Starts as {0};
 * can be copied byte by byte. */
typedef struct {
    int64_t count; /* items */
    double first, last;
    int64_t stride;
    int32_t kept;
    double time[RECORD_TIMES];
} Record;

void record_put(Record *record, double time);
/* Items per second between the items at one tenth and at nine tenths, their times interpolated; 0:
 * fewer than two. */
double record_throughput(const Record *record);

#endif
