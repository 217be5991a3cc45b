/* Numbers in files and settings of the run-times: a point, whatever the locale. */
#include "tests/commas.h"
#include "grid/core/decimal.h"

Test(decimal, has_a_point)
{
    char text[DECIMAL_SIZE], *end;
    use_decimal_commas();
    cr_expect_str_eq(decimal_text(0.1, 9, text), "0.1");
    cr_expect_str_eq(decimal_text(0.1, DECIMAL_EXACT, text), "0.10000000000000001");
    cr_expect_str_eq(decimal_text(-1.25e-300, 3, text), "-1.25e-300");
    cr_expect_eq(decimal_read("2.5;", &end), 2.5);
    cr_expect_str_eq(end, ";");
    cr_expect_eq(decimal_read("x", &end), 0);
    cr_expect_str_eq(end, "x");
    (void)snprintf(text, sizeof text, "%g", 0.5);
    cr_expect_str_eq(text, "0,5");
}
