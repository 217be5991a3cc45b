/* Checks the values of rates where they are used: in activities and as numbers of copies. */
#include <float.h>
#include <math.h>

#include "parser/checking.h"
#include "base/number.h"

/* ---- activities -------------------------------------------------------------------------- */

static void check_activity(Check *check, int32_t i, bool *reported)
{
    const Ast *ast = check->ast;
    const AstNode *prefix = &ast->nodes[i], *rate = &ast->nodes[prefix->a];
    const Meaning *meaning = &check->meaning[prefix->a];
    if (meaning->bad || meaning->functional || meaning->value >= DBL_MIN)
        return;
    const char *action = ast->words[prefix->word].name;
    char value[NUMBER_SIZE];
    number_write(meaning->value, value);
    if (meaning->value > 0) {
        diag_warning(
            check->diags, rate->span,
            "the rate of `%s` is %.3g, so small that doubles lose its digits; use a larger "
            "unit of time",
            action, meaning->value);
        return;
    }
    if (rate->kind != AST_RATE) {
        diag_error(check->diags, rate->span, "the rate of `%s` is %s; a rate must be > 0", action,
                   value);
        return;
    }
    int32_t id = check->ref[prefix->a];
    if (!reported[id])
        diag_error(check->diags, check->rate_def[id]->span,
                   "rate `%s` is %s, but activity `(%s, %s)` in line %u needs a rate > 0",
                   rate->name, value, action, rate->name, check_line(check, prefix->mark));
    reported[id] = true;
}

/* ---- copies ------------------------------------------------------------------------------ */

static void check_copies(Check *check, int32_t i)
{
    const AstNode *number = &check->ast->nodes[check->ast->nodes[i].b];
    const Meaning *meaning = &check->meaning[check->ast->nodes[i].b];
    if (meaning->bad)
        return;
    if (meaning->level != LEVEL_TIMED || meaning->functional || meaning->phases) {
        diag_error(check->diags, number->span, "the number of copies cannot be %s",
                   ast_is_duration(number->kind) ? "a duration"
                   : meaning->phases             ? "a phase type"
                   : meaning->functional         ? "functional"
                                                 : level_name(meaning->level));
        return;
    }
    double whole = nearbyint(meaning->value);
    if (whole >= 1 && whole <= MODEL_MOST_COPIES && fabs(meaning->value - whole) <= CHECK_WHOLE)
        return;
    char value[NUMBER_SIZE];
    number_write(meaning->value, value);
    diag_error(check->diags, number->span,
               "the number of copies must be a whole number from 1 to 10^15, not %s", value);
}

/* If node i names a rate, that decides a structure; whole: how many of something there are. */
static void mark(Check *check, int32_t i, bool whole)
{
    const int32_t rate = check->ast->nodes[i].kind == AST_RATE ? check->ref[i] : -1;
    if (rate < 0)
        return;
    check->structural[rate] = true;
    check->whole[rate] = check->whole[rate] || whole;
}

/* The same of the rates named in an expression. */
static void mark_below(Check *check, int32_t i, bool whole)
{
    const AstNode *node = &check->ast->nodes[i];
    mark(check, i, whole);
    if (ast_operands(node->kind) > 0)
        mark_below(check, node->a, whole);
    if (ast_operands(node->kind) > 1)
        mark_below(check, node->b, whole);
}

/* The same of those named in nodes first .. last. */
static void mark_all(Check *check, int32_t first, int32_t last, bool whole)
{
    for (int32_t i = first; i <= last; i++)
        mark(check, i, whole);
}

/* Of a phase type, what decides how many phases there are, and which: the number of phases, the
 * probabilities to go on, and all of a hyperexponential one, whose phases are in the order of rates. */
static void mark_phases(Check *check, int32_t i)
{
    const AstNode *nodes = check->ast->nodes, *node = &nodes[i];
    int32_t list = node->a, at = 0;
    if (node->kind == AST_ERLANG) {
        mark_below(check, node->a, true);
        return;
    }
    while (nodes[list].kind ==
           AST_LIST) { /* from the last item backwards: of odd number in a cox */
        if (node->kind == AST_HYPER || at % 2)
            mark_below(check, nodes[list].b, false);
        list = nodes[list].a;
        at++;
    }
    if (node->kind == AST_HYPER)
        mark_below(check, list, false);
}

void check_values(Check *check)
{
    const Ast *ast = check->ast;
    size_t rates = check->rates.count;
    bool *reported = check_alloc(check, rates, sizeof *reported);
    check->structural = check_alloc(check, rates, sizeof *check->structural);
    check->whole = check_alloc(check, rates, sizeof *check->whole);
    if (check->no_memory)
        return;
    for (int32_t i = 0; i < ast->node_count; i++) {
        if (ast->nodes[i].kind == AST_PREFIX)
            check_activity(check, i, reported);
        if (ast_is_phases(ast->nodes[i].kind))
            mark_phases(check, i);
        if (ast->nodes[i].kind != AST_COPIES)
            continue;
        check_copies(check, i);
        mark_all(check, ast->nodes[i].a + 1, ast->nodes[i].b, true);
    }
    for (size_t k = rates; k-- > 0;) {
        int32_t rate = check->rate_order[k];
        const AstDef *def = check->rate_def[rate];
        if (check->structural[rate] && !check->defined[rate])
            mark_all(check, def->first, def->body, check->whole[rate]);
    }
}
