/* The ways in which a host can have blocks of a ring. */
#include <criterion/criterion.h>

#include "grid/taag/schedule/ring_blocks_inner.h"

enum { GROUPS = 6, EXTRA = 12, WAYS = MOST_PIECES * KINDS * COVERS * (GROUPS + 1) };

/* The most that a host with so many places has above the least sizes with n groups in so many blocks of these kinds, or
 * fewer; -1: it cannot have them.  Groups have `most` processes at most. */
static int32_t most_extra(int32_t least, int32_t most, int32_t places, int32_t n, int32_t blocks,
                          uint8_t kinds)
{
    Way way[WAYS];
    Pieces any;
    int32_t extra = -1;
    RingBlocks b = {.groups = GROUPS,
                    .extra = EXTRA,
                    .least = least,
                    .widest = least + EXTRA,
                    .open = most,
                    .most = most,
                    .kinds = KINDS};
    ring_pieces_any(&b, true, &any);
    const int32_t count = ring_ways(&b, &any, places, way);
    cr_assert_leq(count, WAYS);
    for (int32_t i = 0; i < count; i++)
        if (way[i].groups == n && way[i].blocks <= blocks && (way[i].kinds & ~kinds) == 0)
            extra = way[i].extra > extra ? way[i].extra : extra;
    return extra;
}

/* Sizes from 3 to 6 on a host of 8: (6), (4,4) or (3,3); (5,3) in two blocks. */
Test(ring_ways, sizes_that_hardly_differ)
{
    cr_expect_eq(most_extra(3, 6, 8, 1, 1, 0), 3);
    cr_expect_eq(most_extra(3, 6, 8, 2, 1, 0), 2);
    cr_expect_eq(most_extra(3, 6, 8, 2, 2, 0), 2);
    cr_expect_eq(most_extra(3, 6, 8, 3, 3, 0), -1);
}

/* (4,3) on a host of 7 is where sizes come down to the least, or two blocks. */
Test(ring_ways, down_to_the_least)
{
    cr_expect_eq(most_extra(3, 6, 7, 2, 1, 0), 0);
    cr_expect_eq(most_extra(3, 6, 7, 2, 1, FALLS), 1);
    cr_expect_eq(most_extra(3, 6, 7, 2, 2, 0), 1);
}

/* A block that closes the ring has the largest group, beside one of the least size: (4,3) on a host of 7 does if no
 * group has more than four. */
Test(ring_ways, the_largest_group_closes_the_ring)
{
    cr_expect_eq(most_extra(3, 4, 7, 2, 1, CLOSES), 1);
    cr_expect_eq(most_extra(3, 5, 7, 2, 1, CLOSES), 0);
    cr_expect_eq(most_extra(3, 5, 11, 3, 1, CLOSES), 2);
    cr_expect_eq(most_extra(3, 5, 10, 3, 1, CLOSES), 0, "%d", most_extra(3, 5, 10, 3, 1, CLOSES));
}
