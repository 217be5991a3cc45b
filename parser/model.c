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
    case EXPR_NEG:
        return -a;
    case EXPR_EXP:
        return exp(a);
    case EXPR_LOG:
        return log(a);
    case EXPR_SQRT:
        return sqrt(a);
    default:
        return NAN;
    }
}

/* What is not finite stays so: min, max, pow and division could make a number of it again. */
double model_operate(ExprOp op, double a, double b)
{
    double result = isfinite(a) && isfinite(b) ? operate(op, a, b) : NAN;
    return isfinite(result) ? result : NAN;
}

/* Depth is bounded when a model is read: CHECK_MAX_DEPTH. */
Value model_eval(const Model *model, int32_t expr, const Value *values, const int32_t *counts)
{
    const Expr *e = &model->exprs[expr];
    switch (e->op) {
    case EXPR_NUMBER:
        return (Value){e->number, false};
    case EXPR_RATE:
        if (e->functional)
            return model_eval(model, model->rates[e->a].expr, values, counts);
        return values[e->a];
    case EXPR_COUNT:
        return (Value){counts ? (double)counts[e->a] : NAN, false};
    case EXPR_PASSIVE:
        return (Value){1, true};
    default:
        break;
    }
    Value a = model_eval(model, e->a, values, counts), b = {0, false};
    if (e->b >= 0)
        b = model_eval(model, e->b, values, counts);
    return (Value){model_operate(e->op, a.value, b.value), a.passive || b.passive};
}

void model_rate_values(const Model *model, const double *forced, Value *values)
{
    for (int32_t k = 0; k < model->rate_count; k++) {
        int32_t rate = model->rate_order[k];
        if (forced && !isnan(forced[rate]))
            values[rate] = (Value){forced[rate], false};
        else
            values[rate] = model_eval(model, model->rates[rate].expr, values, NULL);
    }
}

void model_free(Model *model)
{
    if (!model)
        return;
    arena_free(&model->arena);
    mem_free(model);
}
