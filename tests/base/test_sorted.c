/* Places in ascending numbers, against looking at each of them. */
#include <criterion/criterion.h>

#include "base/sorted.h"

enum { MOST = 70 };

static int32_t by_looking(const int32_t *numbers, int32_t at, int32_t count, int32_t number)
{
    while (at < count && numbers[at] < number)
        at++;
    return at;
}

Test(sorted, places)
{
    int32_t numbers[MOST];
    for (int32_t i = 0; i < MOST; i++)
        numbers[i] = 3 * i + (i % 4 == 0);
    for (int32_t count = 0; count <= MOST; count++) {
        for (int32_t number = -1; number <= 3 * count + 2; number++) {
            const int32_t at = by_looking(numbers, 0, count, number);
            cr_assert_eq(sorted_find(numbers, count, number),
                         at < count && numbers[at] == number ? at : -1);
            for (int32_t from = 0; from <= count; from += 1 + from / 3)
                cr_assert_eq(sorted_from(numbers, from, count, number),
                             by_looking(numbers, from, count, number));
        }
    }
}
