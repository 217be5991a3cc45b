#include <criterion/criterion.h>

#include "serve/allowed.h"

Test(allowed, options_belong_to_commands)
{
    const AllowedCommand *solve = allowed_command("solve"), *graph = allowed_command("graph");
    cr_assert_not_null(solve);
    cr_assert_not_null(graph);
    cr_assert_not_null(allowed_option(solve, "certify"));
    cr_assert_null(allowed_option(graph, "certify"));
    cr_assert_not_null(allowed_option(graph, "format"));
    cr_assert_null(allowed_option(solve, "format"));
    cr_assert_null(allowed_command("optimise"));
}
