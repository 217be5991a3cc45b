#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/budget.h"
#include "base/diag.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/trail.h"
#include "tests/commas.h"

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

/* A locale with decimal commas does not matter, nor is it changed. */
Test(number, ignores_the_locale)
{
    use_decimal_commas();
    char text[NUMBER_SIZE];
    number_write(1.5, text);
    cr_expect_str_eq(text, "1.5");
    cr_expect_eq(number_read("1.5"), 1.5);
    cr_expect_eq(number_print(text, sizeof text, "%.2f of %d", 0.25, 2), 9);
    cr_expect_str_eq(text, "0.25 of 2");
    (void)snprintf(text, sizeof text, "%.2f", 0.25);
    cr_expect_str_eq(text, "0,25");
}

/* Neither do the words of the library. */
Test(number, words_ignore_the_locale)
{
    PepaError err = {0};
    DiagList diags = {0};
    Text made = {0};
    char trail[64] = "", bytes[BUDGET_TEXT];
    use_decimal_commas();
    (void)error_set(&err, PEPA_EARG, "%.1f", 2.5);
    cr_expect_str_eq(err.message, "2.5");
    diag_error(&diags, (Span){0}, "%.1f", 3.5);
    cr_expect_str_eq(diags.items[0].message, "3.5");
    text_add(&made, "%.1f", 4.5);
    cr_expect_str_eq(made.text, "4.5");
    trail_add(trail, sizeof trail, "%.1f", 5.5);
    cr_expect_str_eq(trail, "5.5");
    cr_expect_str_eq(budget_bytes(1500, bytes), "1.5 kB");
    (void)budget_exceeded(&err, 1e6, 1000, "%.1f", 6.5);
    cr_expect(strstr(err.message, "6.5 needs"), "%s", err.message);
    diag_free(&diags);
    text_free(&made);
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
