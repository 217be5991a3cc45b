#include <criterion/criterion.h>

#include "parser/cons.h"

Test(cons, equal_things_are_one)
{
    Cons cons = {0};
    enum { COUNT = 1000 };
    for (int round = 0; round < 2; round++)
        for (int32_t i = 0; i < COUNT; i++)
            cr_expect_eq(cons_put(&cons, (ConsKey){i % 7, i, -i, i / 2, i * 0.5}), i);
    cr_expect_eq(cons.count, COUNT);
    lists_free(&cons);
}

Test(cons, every_part_counts)
{
    Cons cons = {0};
    const ConsKey keys[] = {{0, 0, 0, 0, 0}, {1, 0, 0, 0, 0}, {0, 1, 0, 0, 0},
                            {0, 0, 1, 0, 0}, {0, 0, 0, 1, 0}, {0, 0, 0, 0, 1}};
    for (int32_t i = 0; i < 6; i++)
        cr_expect_eq(cons_put(&cons, keys[i]), i);
    lists_free(&cons);
}
