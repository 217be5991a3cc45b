#include <criterion/criterion.h>

#include <string.h>

#include "base/memo.h"

enum { COUNT = 5000, MOST = 16 };

/* Keys that differ in one part only; places that are left free do no harm. */
Test(memo, values_stay_with_their_keys)
{
    Memo memo = {0};
    cr_assert_eq(memo_find(&memo, 1, 2), -1);
    for (int32_t i = 0; i < COUNT; i++) {
        int32_t *one = memo_at(&memo, (uint64_t)i, 7),
                *other = memo_at(&memo, 7, (uint64_t)i << 32);
        cr_assert(one && other && *other == -1);
        *memo_at(&memo, (uint64_t)i, 7) = i;
        *memo_at(&memo, 7, (uint64_t)i << 32) = i % 3 ? COUNT + i : -1;
    }
    for (int32_t i = 0; i < COUNT; i++) {
        cr_assert_eq(memo_find(&memo, (uint64_t)i, 7), i);
        cr_assert_eq(memo_find(&memo, 7, (uint64_t)i << 32), i % 3 ? COUNT + i : -1);
    }
    memo_free(&memo);
}

/* List i holds the binary digits of i, the last one first; list 0 is empty. */
static size_t list_of(int32_t i, int32_t list[MOST])
{
    size_t length = 0;
    for (; i > 0; i /= 2)
        list[length++] = i % 2;
    return length;
}

Test(lists, each_is_stored_once)
{
    Lists lists = {0};
    int32_t list[MOST];
    for (int32_t i = 0; i < COUNT; i++) {
        size_t length = list_of(i, list);
        cr_assert_eq(lists_find(&lists, list, length), -1);
        cr_assert_eq(lists_put(&lists, list, length), i);
    }
    for (int32_t i = 0; i < COUNT; i++) {
        size_t length = list_of(i, list);
        cr_assert_eq(lists_find(&lists, list, length), i);
        cr_assert_eq(lists_put(&lists, list, length), i);
        cr_assert_eq(lists.first[i + 1] - lists.first[i], length);
        cr_assert_eq(memcmp(lists.items + lists.first[i], list, length * sizeof *list), 0);
    }
    cr_assert_eq(lists.count, COUNT);
    lists_free(&lists);
}
