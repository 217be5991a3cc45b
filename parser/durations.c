/* Checks durations: their numbers, and that no rate of the model has a priority that they could not be
 * compared with.
 *
 * What is timed has priority 1 where a duration is: a duration would be interrupted, or interrupt, where
 * timed activities have others. */
#include <math.h>

#include "base/number.h"
#include "parser/checking.h"

static bool is_known(const Check *check, int32_t node)
{
    return !check->meaning[node].bad && !check->meaning[node].functional;
}

/* Report a number of a duration unless `ok`. */
static void require(Check *check, int32_t node, bool ok, const char *what)
{
    char text[NUMBER_SIZE];
    if (ok || !is_known(check, node))
        return;
    number_write(check->meaning[node].value, text);
    diag_error(check->diags, check->ast->nodes[node].span, "%s, not %s", what, text);
}

static void check_numbers(Check *check, const AstNode *node)
{
    const double a = check->meaning[node->a].value;
    const double b = node->b < 0 ? 0 : check->meaning[node->b].value;
    if (node->kind == AST_DET)
        require(check, node->a, a > 0 && isfinite(a),
                "a duration must be finite and > 0 (what takes no time is `immediate`)");
    if (node->kind == AST_UNIFORM) {
        require(check, node->a, a >= 0 && isfinite(a), "the least duration must be >= 0");
        require(check, node->b, b > a && isfinite(b),
                "the largest duration must be finite and larger than the least one");
    }
    if (node->kind == AST_LOGNORMAL) {
        const double most = 300; /* of the logarithm of the mean: a double has it */
        require(check, node->a, fabs(a) <= most,
                "the mean of the logarithm of a duration must be from -300 to 300");
        require(check, node->b, b > 0 && b * b <= most,
                "the standard deviation of the logarithm of a duration must be > 0, and its square "
                "at most 300");
    }
}

void check_durations(Check *check)
{
    const Ast *ast = check->ast;
    bool any = false;
    for (int32_t i = 0; i < ast->node_count; i++) {
        if (!ast_is_duration(ast->nodes[i].kind) || check->meaning[i].bad)
            continue;
        any = true;
        check_numbers(check, &ast->nodes[i]);
    }
    for (int32_t i = 0; i < ast->node_count && any; i++)
        if (ast->nodes[i].kind == AST_PRIORITY && !check->meaning[i].bad &&
            check->meaning[i].level != LEVEL_IMMEDIATE)
            diag_error(check->diags, ast->nodes[i].span,
                       "where some activities have durations such as `det(d)`, only immediate ones "
                       "have priorities");
}
