/* When items came out. */
#include "grid/record.h"

void record_put(Record *record, double time)
{
    if (record->count == 0)
        record->first = time, record->stride = 1;
    record->last = time;
    if (record->count++ % record->stride)
        return;
    if (record->kept == RECORD_TIMES) {
        for (int32_t i = 0; i < RECORD_TIMES / 2; i++)
            record->time[i] = record->time[2 * i];
        record->kept = RECORD_TIMES / 2;
        record->stride *= 2;
        /* RECORD_TIMES is even: this item is a multiple of the new stride as well */
    }
    record->time[record->kept++] = time;
}

/* The time at a place between two items, 0 <= item <= count - 1. */
static double time_at(const Record *record, double item)
{
    double at = item / (double)record->stride;
    int32_t low = (int32_t)at;
    low = low >= record->kept ? record->kept - 1 : low;
    double begin = (double)low * (double)record->stride;
    int last = low == record->kept - 1;
    double end = last ? (double)(record->count - 1) : begin + (double)record->stride;
    double after = last ? record->last : record->time[low + 1];
    if (end <= begin)
        return record->time[low];
    return record->time[low] + (after - record->time[low]) * (item - begin) / (end - begin);
}

double record_throughput(const Record *record)
{
    if (record->count < 2)
        return 0;
    double last = (double)(record->count - 1), begin = 0.1 * last, end = 0.9 * last;
    double seconds = time_at(record, end) - time_at(record, begin);
    return seconds > 0 ? (end - begin) / seconds : 0;
}
