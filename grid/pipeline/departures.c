/* When items left the pipeline. */
#include "grid/pipeline/departures.h"

void departures_add(Departures *departures, double time)
{
    if (departures->count == 0)
        departures->first = time, departures->stride = 1;
    departures->last = time;
    if (departures->count++ % departures->stride)
        return;
    if (departures->kept == DEPARTURE_TIMES) {
        for (int32_t i = 0; i < DEPARTURE_TIMES / 2; i++)
            departures->time[i] = departures->time[2 * i];
        departures->kept = DEPARTURE_TIMES / 2;
        departures->stride *= 2;
        /* DEPARTURE_TIMES is even: this item is a multiple of the new stride as well */
    }
    departures->time[departures->kept++] = time;
}

/* The interpolated time of a fractional item, 0 <= item <= count - 1. */
static double time_at(const Departures *departures, double item)
{
    double at = item / (double)departures->stride;
    int32_t low = (int32_t)at;
    low = low >= departures->kept ? departures->kept - 1 : low;
    double begin = (double)low * (double)departures->stride;
    int last = low == departures->kept - 1;
    double end = last ? (double)(departures->count - 1) : begin + (double)departures->stride;
    double after = last ? departures->last : departures->time[low + 1];
    if (end <= begin)
        return departures->time[low];
    return departures->time[low] + (after - departures->time[low]) * (item - begin) / (end - begin);
}

double departures_throughput(const Departures *departures)
{
    if (departures->count < 2)
        return 0;
    double last = (double)(departures->count - 1), begin = 0.1 * last, end = 0.9 * last;
    double seconds = time_at(departures, end) - time_at(departures, begin);
    return seconds > 0 ? (end - begin) / seconds : 0;
}
