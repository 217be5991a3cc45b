/* Amounts of memory and what is left of them. */
#include <criterion/criterion.h>

#include "base/budget.h"

Test(room, what_is_left)
{
    cr_expect_eq(budget_left(0, 1e12), 0, "no limit stays none");
    cr_expect_eq(budget_left(1000, 0), 1000);
    cr_expect_eq(budget_left(1000, 400), 600);
    cr_expect_eq(budget_left(1000, 1000), 1, "nothing left is not the same as no limit");
    cr_expect_eq(budget_left(1000, 1e30), 1);
    cr_expect(budget_allows(0, 1e30) && budget_allows(1000, 1000) && !budget_allows(1000, 1001));
}

Test(room, words)
{
    static const struct {
        double bytes;
        const char *text;
    } sizes[] = {{0, "0 bytes"},   {999, "999 bytes"}, {999.9, "1.0 kB"},  {1234, "1.2 kB"},
                 {9960, "10 kB"},  {123456, "123 kB"}, {999600, "1.0 MB"}, {2.5e9, "2.5 GB"},
                 {4e12, "4.0 TB"}, {5e15, "5000 TB"}};
    char text[BUDGET_TEXT];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        cr_expect_str_eq(budget_bytes(sizes[i].bytes, text), sizes[i].text);
}
