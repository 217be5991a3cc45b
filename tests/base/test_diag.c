#include <criterion/criterion.h>

#include "base/diag.h"
#include "base/error.h"

Test(diag, sorts_by_place_keeping_the_order_of_equals)
{
    DiagList list = {0};
    diag_warning(&list, (Span){SPAN_NOWHERE, SPAN_NOWHERE}, "whole");
    diag_error(&list, (Span){9, 10}, "second %d", 2);
    diag_error(&list, (Span){3, 4}, "first");
    diag_warning(&list, (Span){9, 12}, "third");
    diag_sort(&list);
    static const char *const expected[] = {"first", "second 2", "third", "whole"};
    cr_assert_eq(list.count, 4);
    cr_assert_eq(list.errors, 2);
    for (size_t i = 0; i < 4; i++)
        cr_assert_str_eq(list.items[i].message, expected[i]);
    diag_free(&list);
}

Test(error, fills_in_what_is_given_and_returns_the_code)
{
    PepaError err = {.line = 7, .column = 8};
    cr_assert_eq(error_set(&err, PEPA_EARG, "no %s", "rate"), PEPA_EARG);
    cr_assert_str_eq(err.message, "no rate");
    cr_assert_eq(err.code, PEPA_EARG);
    cr_assert_eq(err.line, 0);
    cr_assert_eq(error_set(NULL, PEPA_EIO, "x"), PEPA_EIO);
    for (int s = PEPA_OK; s <= PEPA_ECANCEL; s++)
        cr_assert_str_neq(pepa_status_text((PepaStatus)s), "unknown status");
    cr_assert_str_eq(pepa_status_text((PepaStatus)99), "unknown status");
}
