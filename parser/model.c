/* Evaluates rate expressions of a model, and their derivatives. */
#include "parser/model.h"

#include <math.h>

static double operate(ExprOp op, double a, double b)
{
    switch (op) {
    case EXPR_ADD:
        return a + b;
    case EXPR_SUB:
        return a - b;
    case EXPR_MUL:
        return a * b;
    case EXPR_DIV:
        return a / b;
    case EXPR_MIN:
        return fmin(a, b);
    case EXPR_MAX:
        return fmax(a, b);
    case EXPR_POW:
        return pow(a, b);
    case EXPR_LESS:
        return a < b;
    case EXPR_LESS_EQUAL:
        return a <= b;
    case EXPR_GREATER:
        return a > b;
    case EXPR_GREATER_EQUAL:
        return a >= b;
    case EXPR_EQUAL:
        return !(a < b) && !(a > b);
    case EXPR_UNEQUAL:
        return a < b || a > b;
    case EXPR_AND:
        return a != 0 && b != 0;
    case EXPR_OR:
        return a != 0 || b != 0;
    case EXPR_NEG:
        return -a;
    case EXPR_NOT:
        return a == 0;
    case EXPR_EXP:
        return exp(a);
    case EXPR_LOG:
        return log(a);
    case EXPR_SQRT:
        return sqrt(a);
    case EXPR_PRIORITY:
        return a;
    default:
        return NAN;
    }
}

/* A value that is not finite stays so, although min, max, pow or division could return a number. */
double model_operate(ExprOp op, double a, double b)
{
    double result = isfinite(a) && isfinite(b) ? operate(op, a, b) : NAN;
    return isfinite(result) ? result : NAN;
}

/* The operand of a conditional expression that counts, given the value of the first; -1: neither. */
static int32_t counting(const Model *model, const Expr *e, double first)
{
    const Expr *branches = &model->exprs[e->b];
    return isnan(first) ? -1 : first != 0 ? branches->a : branches->b;
}

/* Whether the second operand has no say. */
static bool is_decided(ExprOp op, double first)
{
    return isnan(first) || (op == EXPR_AND && first == 0) || (op == EXPR_OR && first != 0);
}

/* model_eval, which also stores the value of each subexpression in `each` unless that is NULL.
 * Depth is bounded when a model is read: CHECK_MAX_DEPTH. */
static Value evaluate(const Model *model, int32_t expr, const Value *values, const int64_t *counts,
                      double *each)
{
    const Expr *e = &model->exprs[expr];
    Value v = {.value = NAN}, b = {.value = 0};
    switch (e->op) {
    case EXPR_NUMBER:
        v.value = e->number;
        break;
    case EXPR_RATE:
        v = e->functional ? evaluate(model, model->rates[e->a].expr, values, counts, each)
                          : values[e->a];
        break;
    case EXPR_COUNT:
        v.value = counts ? (double)counts[e->a] : NAN;
        break;
    case EXPR_PASSIVE:
        v = (Value){1, LEVEL_PASSIVE, PRIORITY_UNSTATED};
        break;
    case EXPR_IMMEDIATE:
        v = (Value){1, LEVEL_IMMEDIATE, PRIORITY_UNSTATED};
        break;
    case EXPR_FILE:
        break;
    default:
        v = evaluate(model, e->a, values, counts, each);
        if (e->op == EXPR_IF) {
            const int32_t of = counting(model, e, v.value);
            v = of < 0 ? (Value){.value = NAN} : evaluate(model, of, values, counts, each);
            break;
        }
        if (e->b >= 0 && !is_decided(e->op, v.value))
            b = evaluate(model, e->b, values, counts, each);
        v.value = model_operate(e->op, v.value, b.value);
        v.level = v.level > b.level ? v.level : b.level;
        if (e->op == EXPR_PRIORITY)
            v.priority = (int32_t)e->number;
    }
    if (each)
        each[expr] = v.value;
    return v;
}

Value model_eval(const Model *model, int32_t expr, const Value *values, const int64_t *counts)
{
    return evaluate(model, expr, values, counts, NULL);
}

bool model_is_duration(const Model *model, int32_t expr)
{
    const ExprOp op = model->exprs[expr].op;
    return op >= EXPR_DET && op <= EXPR_TRACE;
}

bool model_action_has_duration(const Model *model, int32_t action)
{
    int32_t k = 0;
    while (k < model->activity_count && !(model->activities[k].action == action &&
                                          model_is_duration(model, model->activities[k].expr)))
        k++;
    return k < model->activity_count;
}

bool model_is_immediate(const Model *model, int32_t expr)
{
    const Expr *e = &model->exprs[expr];
    if (e->op == EXPR_RATE)
        return model_is_immediate(model, model->rates[e->a].expr);
    if (e->op < EXPR_ADD)
        return e->op == EXPR_IMMEDIATE;
    return model_is_immediate(model, e->a) ||
           (expr_is_binary(e->op) && model_is_immediate(model, e->b));
}

bool model_action_is_immediate(const Model *model, int32_t action)
{
    for (int32_t k = 0; k < model->activity_count; k++)
        if (model->activities[k].action == action &&
            model_is_immediate(model, model->activities[k].expr))
            return true;
    return false;
}

void model_rate_values(const Model *model, const double *forced, Value *values)
{
    for (int32_t k = 0; k < model->rate_count; k++) {
        int32_t rate = model->rate_order[k];
        if (forced && !isnan(forced[rate]))
            values[rate] = (Value){.value = forced[rate]};
        else
            values[rate] = model_eval(model, model->rates[rate].expr, values, NULL);
    }
}

/* ---- derivatives ------------------------------------------------------------------------- */

Slopes model_slopes(ExprOp op, double a, double b)
{
    switch (op) {
    case EXPR_ADD:
        return (Slopes){1, 1};
    case EXPR_SUB:
        return (Slopes){1, -1};
    case EXPR_MUL:
        return (Slopes){b, a};
    case EXPR_DIV:
        return (Slopes){1 / b, -a / b / b};
    case EXPR_MIN:
        return a < b ? (Slopes){1, 0} : b < a ? (Slopes){0, 1} : (Slopes){0.5, 0.5};
    case EXPR_MAX:
        return a > b ? (Slopes){1, 0} : b > a ? (Slopes){0, 1} : (Slopes){0.5, 0.5};
    case EXPR_POW:
        return (Slopes){b == 0 ? 0 : b * pow(a, b - 1), a == 0 && b > 0 ? 0 : pow(a, b) * log(a)};
    case EXPR_NEG:
        return (Slopes){-1, 0};
    case EXPR_LESS:
    case EXPR_LESS_EQUAL:
    case EXPR_GREATER:
    case EXPR_GREATER_EQUAL:
    case EXPR_EQUAL:
    case EXPR_UNEQUAL:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_NOT:
        return (Slopes){0, 0};
    case EXPR_EXP:
        return (Slopes){exp(a), 0};
    case EXPR_LOG:
        return (Slopes){1 / a, 0};
    case EXPR_SQRT:
        return (Slopes){0.5 / sqrt(a), 0};
    case EXPR_PRIORITY:
        return (Slopes){1, 0};
    default:
        return (Slopes){NAN, NAN};
    }
}

/* `each` as of evaluate.  A zero slope is not followed: 0 x infinity is not a number. */
static void descend(const Model *model, int32_t expr, double slope, const double *each,
                    double *by_rate)
{
    const Expr *e = &model->exprs[expr];
    if (slope == 0)
        return;
    switch (e->op) {
    case EXPR_NUMBER:
    case EXPR_COUNT:
    case EXPR_PASSIVE:
    case EXPR_IMMEDIATE:
    case EXPR_FILE:
        return;
    case EXPR_RATE:
        if (e->functional)
            descend(model, model->rates[e->a].expr, slope, each, by_rate);
        else
            by_rate[e->a] += slope;
        return;
    default:
        break;
    }
    if (e->op == EXPR_IF) {
        const int32_t of = counting(model, e, each[e->a]);
        if (of >= 0)
            descend(model, of, slope, each, by_rate);
        return;
    }
    Slopes by = model_slopes(e->op, each[e->a], e->b >= 0 ? each[e->b] : 0);
    descend(model, e->a, slope * by.a, each, by_rate);
    if (e->b >= 0)
        descend(model, e->b, slope * by.b, each, by_rate);
}

void model_expr_slopes(const Model *model, int32_t expr, double slope, const Value *values,
                       const int64_t *counts, double *each, double *by_rate)
{
    (void)evaluate(model, expr, values, counts, each);
    descend(model, expr, slope, each, by_rate);
}

void model_rate_slopes(const Model *model, const double *forced, const Value *values, double *each,
                       double *by_rate)
{
    for (int32_t k = model->rate_count; k-- > 0;) {
        int32_t rate = model->rate_order[k];
        const Rate *r = &model->rates[rate];
        bool definite = isnan(forced[rate]) && !model->exprs[r->expr].functional;
        if (definite && by_rate[rate] != 0)
            model_expr_slopes(model, r->expr, by_rate[rate], values, NULL, each, by_rate);
    }
}

void model_free(Model *model)
{
    if (!model)
        return;
    arena_free(&model->arena);
    mem_free(model);
}
