/* Counting sort of items into buckets, such as the edges of a graph by their targets: two passes
 * over the items; the only memory is the starts of the buckets.
 *
 *     int64_t row[buckets + 2], all 0;
 *     for each item:  bucket_count(row, bucket of the item);
 *     bucket_starts(row, buckets);                        the number of items is row[buckets + 1]
 *     for each item:  sorted[bucket_place(row, bucket of the item)] = item;
 *
 * Bucket b then has places row[b] .. row[b + 1] - 1, in the order of the second pass. */
#ifndef PEPA_BASE_BUCKET_H
#define PEPA_BASE_BUCKET_H

#include <stdint.h>

static inline void bucket_count(int64_t *row, int32_t bucket)
{
    row[(int64_t)bucket + 2]++;
}

static inline void bucket_starts(int64_t *row, int32_t buckets)
{
    for (int64_t b = 0; b < buckets; b++)
        row[b + 2] += row[b + 1];
}

static inline int64_t bucket_place(int64_t *row, int32_t bucket)
{
    return row[(int64_t)bucket + 1]++;
}

#endif
