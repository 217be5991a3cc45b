/* Checks rates: gives every expression an id and, if it does not depend on the state, a value. */
#include <math.h>
#include <string.h>

#include "parser/checking.h"
#include "base/number.h"

_Static_assert((int)AST_NUMBER == (int)EXPR_NUMBER && (int)AST_COUNT == (int)EXPR_COUNT &&
                   (int)AST_ADD == (int)EXPR_ADD && (int)AST_IF == (int)EXPR_IF &&
                   (int)AST_PAIR == (int)EXPR_PAIR && (int)AST_FILE == (int)EXPR_FILE,
               "expressions are numbered alike in tree and model");

/* ---- order ------------------------------------------------------------------------------- */

static bool names_rate(const Check *check, int32_t rate, int32_t node)
{
    return !check->defined[rate] && check->ast->nodes[node].kind == AST_RATE;
}

/* Rates on a reported cycle are `size` -1 until they are evaluated, which they never are. */
static void report_cycle(void *user, const int32_t *vertices, int32_t count)
{
    Check *check = user;
    for (int32_t i = count - 1; i >= 0; i--)
        if (check->rate[vertices[i]].size < 0)
            return;
    for (int32_t i = 0; i < count; i++)
        check->rate[vertices[i]].size = -1;
    int32_t first;
    const char *cycle = check_cycle_text(check, vertices, count, &check->rates, &first);
    diag_error(check->diags, check->rate_def[first]->span,
               "rate `%s` is defined through itself: %s", check->rates.names[first], cycle);
}

static bool order_rates(Check *check)
{
    Graph graph;
    int32_t count = (int32_t)check->rates.count;
    for (int32_t i = 0; i < count; i++)
        check->rate[i].bad = true; /* until evaluated */
    if (!check_graph(check, &graph, check->rate_def, count, names_rate))
        return false;
    if (!graph_order(&graph, check->rate_order, report_cycle, check))
        check->no_memory = true;
    return !check->no_memory;
}

/* ---- values ------------------------------------------------------------------------------ */

static Meaning bad(void)
{
    return (Meaning){.bad = true, .value = NAN, .depth = 1, .size = 1};
}

static void report_value(Check *check, int32_t i, double a, double b)
{
    const AstNode *node = &check->ast->nodes[i];
    char x[NUMBER_SIZE], y[NUMBER_SIZE];
    number_write(a, x);
    number_write(b, y);
    if (node->kind == AST_DIV && b == 0)
        diag_error(check->diags, node->span, "division by zero");
    else if (node->kind == AST_LOG)
        diag_error(check->diags, node->span, "log of %s, which is not > 0", x);
    else if (node->kind == AST_SQRT)
        diag_error(check->diags, node->span, "sqrt of %s, which is negative", x);
    else if (node->kind == AST_POW)
        diag_error(check->diags, node->span, "pow(%s, %s) is not a finite number", x, y);
    else
        diag_error(check->diags, node->span, "the value is not a finite number");
}

/* An immediate or passive operand: legal only with a weight as the other factor. */
static Meaning weigh(Check *check, int32_t i, Meaning a, Meaning b)
{
    const AstNode *node = &check->ast->nodes[i];
    const bool first = a.level != LEVEL_TIMED, both = first && b.level != LEVEL_TIMED;
    const AstNode *levelled = &check->ast->nodes[first ? node->a : node->b];
    const AstNode *weight = &check->ast->nodes[first ? node->b : node->a];
    const RateLevel level = first ? a.level : b.level;
    if (node->kind != AST_MUL || both) {
        diag_error(check->diags, levelled->span,
                   "%s %s rate stands alone or is multiplied by a weight; nothing else",
                   level == LEVEL_IMMEDIATE ? "an" : "a", level_name(level));
        return bad();
    }
    Meaning factor = first ? b : a;
    Meaning result = {.level = level,
                      .functional = a.functional || b.functional,
                      .value = a.value * b.value};
    if (!factor.functional && !(factor.value > 0)) {
        char text[NUMBER_SIZE];
        number_write(factor.value, text);
        diag_error(check->diags, weight->span, "the weight of %s %s rate must be > 0, not %s",
                   level == LEVEL_IMMEDIATE ? "an" : "a", level_name(level), text);
        return bad();
    }
    if (!result.functional && !(result.value > 0 && isfinite(result.value))) {
        diag_error(check->diags, node->span, "the weight is too %s",
                   result.value > 0 ? "large" : "small");
        return bad();
    }
    return result;
}

/* An operator that has no value, although its operands do. */
static void report_operator(Check *check, int32_t i)
{
    const AstNode *node = &check->ast->nodes[i];
    report_value(check, i, node->a < 0 ? NAN : check->meaning[node->a].value,
                 node->b < 0 ? NAN : check->meaning[node->b].value);
}

/* What may have either value: both are rates, or both weights. */
static Meaning branch(Check *check, int32_t i, Meaning a, Meaning b)
{
    if (a.level == b.level)
        return (Meaning){.functional = true, .level = a.level, .value = NAN};
    diag_error(check->diags, check->ast->nodes[i].span,
               "one of the rates after `then` and `else` is %s, the other is not",
               level_name(a.level > b.level ? a.level : b.level));
    return bad();
}

/* A condition that does not depend on the state leaves one rate, and the other has no say. */
static Meaning choose(Check *check, int32_t i, Meaning condition)
{
    const AstNode *node = &check->ast->nodes[i], *branches = &check->ast->nodes[node->b];
    const Meaning a = check->meaning[branches->a], b = check->meaning[branches->b];
    if (condition.level != LEVEL_TIMED) {
        diag_error(check->diags, check->ast->nodes[node->a].span, "a condition cannot be %s",
                   level_name(condition.level));
        return bad();
    }
    if (condition.functional)
        return branch(check, i, a, b);
    if (isnan(condition.value))
        return (Meaning){.value = NAN};
    const Meaning chosen = condition.value != 0 ? a : b;
    if (chosen.functional || isfinite(chosen.value) || check->guarded[i])
        return chosen;
    report_operator(check, condition.value != 0 ? branches->a : branches->b);
    return bad();
}

/* Whether the value of a node may have no say: it is not reported if there is none. */
static void find_guarded(Check *check, const AstDef *def)
{
    for (int32_t i = def->body; i >= def->first; i--) {
        const AstNode *node = &check->ast->nodes[i];
        const int operands = ast_is_rate(node->kind) ? ast_operands(node->kind) : 0;
        if (operands > 0)
            check->guarded[node->a] = check->guarded[i];
        if (operands > 1)
            check->guarded[node->b] = check->guarded[i] || node->kind == AST_IF ||
                                      node->kind == AST_AND || node->kind == AST_OR;
    }
}

/* The value of an operator on what does not depend on the state. */
static Meaning compute(Check *check, int32_t i, Meaning a, Meaning b)
{
    const AstNode *node = &check->ast->nodes[i];
    Meaning result = {.value = model_operate((ExprOp)node->kind, a.value, b.value)};
    if (node->kind == AST_AND && a.value == 0)
        result.value = 0;
    if (node->kind == AST_OR && a.value != 0 && !isnan(a.value))
        result.value = 1;
    if (isfinite(result.value) || check->guarded[i])
        return result;
    report_value(check, i, a.value, b.value);
    return bad();
}

static Meaning misplaced(Check *check, int32_t i)
{
    const AstNode *node = &check->ast->nodes[i];
    diag_error(check->diags, node->span,
               "a %s is the whole rate of an activity: it cannot be part of an expression "
               "or have a name",
               ast_is_duration(node->kind) ? "duration" : "phase type");
    return bad();
}

static bool is_whole(AstKind kind)
{
    return ast_is_phases(kind) || ast_is_duration(kind);
}

/* A phase type, a duration, or a part of one; what its arguments have to be is checked by phases.c and
 * durations.c. */
static Meaning compose(Check *check, int32_t i, Meaning a, Meaning b)
{
    const AstNode *node = &check->ast->nodes[i];
    const bool part = node->kind == AST_LIST || node->kind == AST_PAIR;
    if (is_whole(check->ast->nodes[node->a].kind))
        return misplaced(check, node->a);
    if (ast_operands(node->kind) == 2 && is_whole(check->ast->nodes[node->b].kind))
        return misplaced(check, node->b);
    if (a.level != LEVEL_TIMED || b.level != LEVEL_TIMED || a.functional || b.functional) {
        diag_error(check->diags, node->span,
                   "the numbers of a %s cannot be passive, immediate or depend on the state",
                   ast_is_duration(node->kind) ? "duration" : "phase type");
        return bad();
    }
    return (Meaning){.phases = true, .value = part ? NAN : 1};
}

static Meaning operate(Check *check, int32_t i)
{
    const AstNode *node = &check->ast->nodes[i];
    Meaning none = {0}, a = check->meaning[node->a];
    Meaning b = ast_operands(node->kind) == 2 ? check->meaning[node->b] : none;
    Meaning result;
    if (a.bad || b.bad)
        result = bad();
    else if (node->kind >= AST_ERLANG)
        result = compose(check, i, a, b);
    else if (node->kind != AST_PRIORITY && (a.phases || b.phases))
        result = misplaced(check, a.phases ? node->a : node->b);
    else if (node->kind == AST_ELSE)
        result = (Meaning){.functional = a.functional || b.functional, .value = NAN};
    else if (node->kind == AST_IF)
        result = choose(check, i, a);
    else if (node->kind == AST_PRIORITY)
        result = a;
    else if (a.level != LEVEL_TIMED || b.level != LEVEL_TIMED)
        result = weigh(check, i, a, b);
    else if (a.functional || b.functional)
        result = (Meaning){.functional = true, .value = NAN};
    else
        result = compute(check, i, a, b);
    result.depth = 1 + (a.depth > b.depth ? a.depth : b.depth);
    result.size = 1 + a.size + b.size;
    return result;
}

static Meaning named(const Check *check, int32_t rate)
{
    if (rate < 0)
        return bad();
    Meaning result = check->rate[rate];
    /* model_eval follows the definitions of functional rates only */
    result.depth = result.functional ? result.depth + 1 : 1;
    result.size = result.functional ? result.size + 1 : 1;
    return result;
}

static void evaluate(Check *check, int32_t i)
{
    const AstNode *node = &check->ast->nodes[i];
    Meaning result = {.depth = 1, .size = 1};
    if (node->kind == AST_NUMBER)
        result.value = node->number;
    else if (node->kind == AST_RATE)
        result = named(check, check->ref[i]);
    else if (node->kind == AST_COUNT && check->ref[i] < 0)
        result = bad();
    else if (node->kind == AST_COUNT)
        result = (Meaning){.functional = true, .value = NAN, .depth = 1, .size = 1};
    else if (node->kind == AST_FILE)
        result.value = 1;
    else if (node->kind == AST_PASSIVE)
        result = (Meaning){.level = LEVEL_PASSIVE, .value = 1, .depth = 1, .size = 1};
    else if (node->kind == AST_IMMEDIATE)
        result = (Meaning){.level = LEVEL_IMMEDIATE, .value = 1, .depth = 1, .size = 1};
    else
        result = operate(check, i);
    if (!result.bad && result.depth > CHECK_MAX_DEPTH) {
        diag_error(check->diags, node->span, "the rate expression is nested too deeply");
        result = bad();
    } else if (!result.bad && result.functional && result.size > CHECK_MAX_UNFOLDED) {
        diag_error(check->diags, node->span,
                   "the functional rate is too large: more than %d operands with all rate names "
                   "unfolded",
                   CHECK_MAX_UNFOLDED);
        result = bad();
    }
    if (result.bad)
        result.depth = result.size = 1;
    check->meaning[i] = result;
}

static void evaluate_range(Check *check, const AstDef *def)
{
    find_guarded(check, def);
    for (int32_t i = def->first; i <= def->body; i++)
        if (ast_is_rate(check->ast->nodes[i].kind))
            evaluate(check, i);
}

static void evaluate_all(Check *check)
{
    for (size_t k = 0; k < check->rates.count; k++) {
        int32_t rate = check->rate_order[k];
        if (check->defined[rate]) {
            check->rate[rate] = (Meaning){.value = check->define[rate], .depth = 1, .size = 1};
        } else if (check->rate[rate].size >= 0) {
            evaluate_range(check, check->rate_def[rate]);
            check->rate[rate] = check->meaning[check->rate_def[rate]->body];
            if (check->rate[rate].phases)
                check->rate[rate] = misplaced(check, check->rate_def[rate]->body);
        }
    }
    for (int32_t i = 0; i < check->ast->def_count; i++)
        if (check->ast->defs[i].process)
            evaluate_range(check, &check->ast->defs[i]);
    evaluate_range(check, &check->ast->system);
}

/* ---- identities -------------------------------------------------------------------------- */

static int32_t check_file(Check *check, const AstNode *node)
{
    const size_t before = check->files.count;
    const int32_t id = intern_put(&check->files, node->name, strlen(node->name));
    if (id >= 0 && check->files.count > before &&
        !mem_reserve(&check->file_span, &check->file_cap, check->files.count,
                     sizeof *check->file_span))
        check->no_memory = true;
    else if (id >= 0 && check->files.count > before)
        check->file_span[id] = node->span;
    check->no_memory = check->no_memory || id < 0;
    return id;
}

/* `infty * w` is the same rate as `w * infty`. */
static void share(Check *check, int32_t i)
{
    const AstNode *node = &check->ast->nodes[i];
    ConsKey key = {(int32_t)node->kind, -1, -1, -1, node->number};
    int operands = ast_operands(node->kind);
    if (node->kind == AST_RATE || node->kind == AST_COUNT)
        key.a = check->ref[i];
    if (node->kind == AST_FILE)
        key.a = check_file(check, node);
    if (operands > 0)
        key.a = check->expr[node->a];
    if (operands > 1)
        key.b = check->expr[node->b];
    if (node->kind == AST_MUL && check->meaning[node->a].level != LEVEL_TIMED) {
        key.a = check->expr[node->b];
        key.b = check->expr[node->a];
    }
    check->expr[i] = cons_put(&check->exprs, key);
    check->no_memory = check->no_memory || check->expr[i] < 0;
}

static void share_all(Check *check)
{
    for (int32_t i = 0; i < check->ast->node_count && !check->no_memory; i++)
        if (ast_is_rate(check->ast->nodes[i].kind))
            share(check, i);
    for (size_t r = 0; r < check->rates.count && !check->no_memory; r++) {
        check->rate_expr[r] = check->expr[check->rate_def[r]->body];
        if (!check->defined[r])
            continue;
        ConsKey number = {EXPR_NUMBER, -1, -1, -1, check->define[r]};
        check->rate_expr[r] = cons_put(&check->exprs, number);
        check->no_memory = check->rate_expr[r] < 0;
    }
}

void check_rates(Check *check)
{
    size_t rates = check->rates.count, nodes = (size_t)check->ast->node_count;
    check->rate = check_alloc(check, rates, sizeof *check->rate);
    check->rate_order = check_alloc(check, rates, sizeof *check->rate_order);
    check->rate_expr = check_alloc(check, rates, sizeof *check->rate_expr);
    check->meaning = check_alloc(check, nodes, sizeof *check->meaning);
    check->guarded = check_alloc(check, nodes, sizeof *check->guarded);
    check->expr = check_alloc(check, nodes, sizeof *check->expr);
    if (check->no_memory || !order_rates(check))
        return;
    evaluate_all(check);
    share_all(check);
}
