#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/number.h"

Test(number, reads)
{
    cr_expect_eq(number_read("1.5"), 1.5);
    cr_expect_eq(number_read(".5e1"), 5);
    cr_expect_eq(number_read("2."), 2);
    cr_expect(isinf(number_read("1e999")));
    cr_expect_eq(number_read("1e-999"), 0);
}

Test(number, writes_the_fewest_digits)
{
    static const struct {
        double number;
        const char *text;
    } cases[] = {{0.1, "0.1"},
                 {1, "1"},
                 {1e20, "1e+20"},
                 {100000, "100000"},
                 {-2.5, "-2.5"},
                 {1.0 / 3, "0.3333333333333333"},
                 {5e-324, "4.94065645841247e-324"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[NUMBER_SIZE];
        number_write(cases[i].number, text);
        cr_expect_str_eq(text, cases[i].text);
    }
}

Test(number, reads_what_it_writes)
{
    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < 10000; i++) {
        bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
        double number;
        memcpy(&number, &bits, sizeof number);
        if (!isfinite(number))
            continue;
        char text[NUMBER_SIZE];
        number_write(number, text);
        cr_expect_eq(number_read(text), number, "%s", text);
    }
}

/* A locale with decimal commas must not matter (where there is one to try). */
Test(number, ignores_the_locale)
{
    static const char *const commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    for (size_t i = 0; i < sizeof commas / sizeof *commas; i++)
        if (setlocale(LC_ALL, commas[i]))
            break;
    char text[NUMBER_SIZE];
    number_write(1.5, text);
    cr_expect_str_eq(text, "1.5");
    cr_expect_eq(number_read("1.5"), 1.5);
}

Test(number, groups_digits_by_three)
{
    static const struct {
        int64_t count;
        const char *text;
    } cases[] = {{0, "0"}, {999, "999"}, {1000, "1,000"}, {12345678, "12,345,678"}};
    char text[NUMBER_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_str_eq(number_grouped(cases[i].count, text), cases[i].text);
}
