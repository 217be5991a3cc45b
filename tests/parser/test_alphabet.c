#include <criterion/criterion.h>

#include "parser/alphabet.h"

static void expect_set(Alphabet *set, int32_t count, const int32_t *wanted)
{
    cr_expect_eq(set->count, count);
    cr_expect_arr_eq(set->actions, wanted, (size_t)count * sizeof *wanted);
    alphabet_free(set);
}

Test(alphabet, operations)
{
    int32_t x[] = {1, 3, 5, 9}, y[] = {2, 3, 9, 10}, none[1];
    const Alphabet a = {x, 4}, b = {y, 4}, empty = {none, 0};
    Alphabet out;
    cr_assert(alphabet_union(&a, &b, &out));
    expect_set(&out, 6, (int32_t[]){1, 2, 3, 5, 9, 10});
    cr_assert(alphabet_intersect(&a, &b, &out));
    expect_set(&out, 2, (int32_t[]){3, 9});
    cr_assert(alphabet_minus(&a, &b, &out));
    expect_set(&out, 2, (int32_t[]){1, 5});
    cr_assert(alphabet_minus(&empty, &b, &out));
    expect_set(&out, 0, none);
    cr_assert(alphabet_union(&a, &empty, &out));
    expect_set(&out, 4, x);
}

Test(alphabet, membership)
{
    int32_t x[] = {1, 3, 5, 9};
    const Alphabet set = {x, 4}, empty = {x, 0};
    for (int32_t action = 0; action < 12; action++) {
        bool in = action == 1 || action == 3 || action == 5 || action == 9;
        cr_expect_eq(alphabet_has(&set, action), in);
        cr_expect(!alphabet_has(&empty, action));
    }
}

Test(alphabet, sorting)
{
    int32_t x[] = {5, 1, 5, 3, 1};
    Alphabet set = {x, 5};
    alphabet_sort(&set);
    cr_expect_eq(set.count, 3);
    cr_expect_arr_eq(x, ((int32_t[]){1, 3, 5}), 3 * sizeof *x);
}
