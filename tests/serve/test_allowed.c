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
    cr_assert_null(allowed_command("report"));
    const AllowedCommand *export = allowed_command("export"), *fit = allowed_command("fit");
    cr_assert_not_null(export);
    cr_assert_not_null(fit);
    cr_assert_not_null(allowed_option(export, "label"));
    cr_assert_null(allowed_option(export, "output")); /* would write a file */
    cr_assert_null(allowed_option(export, "json"));
    cr_assert_null(allowed_option(fit, "plot"));
    cr_assert_null(allowed_option(fit, "define"));
    cr_assert_not_null(allowed_option(allowed_command("optimise"), "within"));
}
