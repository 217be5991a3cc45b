#include <criterion/criterion.h>

#include <string.h>

#include "base/bucket.h"

/* Every edge arrives at its target, in the order in which the sources come. */
Test(bucket, edges_by_target)
{
    enum { BUCKETS = 5, ITEMS = 9 };
    static const int32_t target[ITEMS] = {3, 0, 3, 4, 0, 0, 3, 4, 1};
    static const int32_t expected[ITEMS] = {1, 4, 5, 8, 0, 2, 6, 3, 7};
    static const int64_t starts[BUCKETS + 1] = {0, 3, 4, 4, 7, 9};
    int64_t row[BUCKETS + 2] = {0};
    int32_t sorted[ITEMS];
    for (int32_t i = 0; i < ITEMS; i++)
        bucket_count(row, target[i]);
    bucket_starts(row, BUCKETS);
    cr_assert_eq(row[BUCKETS + 1], ITEMS);
    for (int32_t i = 0; i < ITEMS; i++)
        sorted[bucket_place(row, target[i])] = i;
    cr_expect_eq(memcmp(row, starts, sizeof starts), 0);
    cr_expect_eq(memcmp(sorted, expected, sizeof expected), 0);
}
