/* Builds comparisons from min, max and arithmetic. */
#include "ctmc/semantics/condition.h"

#include <math.h>

/* What is known of a difference of two expressions. */
typedef struct {
    Flows *f;
    const double *typical;
    int32_t variables, gap;
    double *point, *slope, *other; /* per variable */
    double value;                  /* at the point */
} Gap;

static int32_t constant(Flows *f, double number)
{
    return flow_number(f, number, FLOW_ACTIVE);
}

/* by: its slopes at g->point; its value too. */
static bool find_slopes(Gap *g, double *by)
{
    Flows *f = g->f;
    double *values = NULL, *slopes = NULL;
    const int32_t count = g->gap + 1;
    if (!mem_new(values, count) || !mem_new_zeroed(slopes, count)) {
        mem_free_all(values, slopes);
        return false;
    }
    for (int32_t i = 0; i < g->variables; i++)
        by[i] = 0;
    for (int32_t i = 0; i < count; i++)
        values[i] = flow_value(f, &f->flow[i], values, g->point, NULL);
    slopes[g->gap] = 1;
    for (int32_t i = count; i-- > 0;) {
        const Flow *flow = &f->flow[i];
        if (flow->op == EXPR_COUNT)
            by[flow->a] += isfinite(slopes[i]) ? slopes[i] : 1;
        else if (flow->op != EXPR_NUMBER && slopes[i] != 0)
            flow_descend(f, flow, values, NULL, slopes[i], slopes);
    }
    g->value = values[g->gap];
    mem_free_all(values, slopes);
    return true;
}

/* Slopes at two points, the second one typical. */
static bool look(Gap *g)
{
    if (!mem_new(g->point, g->variables) || !mem_new(g->slope, g->variables) ||
        !mem_new(g->other, g->variables))
        return false;
    for (int32_t i = 0; i < g->variables; i++)
        g->point[i] = g->typical[i] * (1.3 + 0.1 * (i % 7));
    if (!find_slopes(g, g->other))
        return false;
    for (int32_t i = 0; i < g->variables; i++)
        g->point[i] = g->typical[i];
    return find_slopes(g, g->slope);
}

static double largest(const Gap *g)
{
    double most = 0;
    for (int32_t i = 0; i < g->variables; i++)
        most = fmax(most, fabs(g->slope[i]));
    return most;
}

static bool is_linear(const Gap *g)
{
    const double rounding = 1e-9 * largest(g);
    for (int32_t i = 0; i < g->variables; i++)
        if (!(fabs(g->slope[i] - g->other[i]) <= rounding))
            return false;
    return true;
}

/* The largest number of which both are multiples, as far as rounding tells. */
static double common(double a, double b, double rounding)
{
    while (b > rounding) {
        const double rest = fmod(a, b);
        a = b;
        b = a - rest <= rounding ? 0 : rest;
    }
    return a;
}

/* Between whole counts linear values are multiples of this apart; 0: there is no such step. */
static double step_of(const Gap *g)
{
    const double most = largest(g), rounding = 1e-6 * most, least = 1e-3 * most;
    double step = 0;
    for (int32_t i = 0; i < g->variables; i++)
        if (fabs(g->slope[i]) > rounding)
            step = common(fmax(step, fabs(g->slope[i])), fmin(step, fabs(g->slope[i])), rounding);
    return step >= least ? step : 0;
}

/* From 0 to 1 where the gap goes from low to low + width. */
static int32_t ramp(Flows *f, int32_t gap, double low, double width)
{
    const int32_t zero = constant(f, 0);
    const int32_t from = flow_operate(f, EXPR_SUB, gap, constant(f, low));
    const int32_t to = flow_operate(f, EXPR_SUB, gap, constant(f, low + width));
    const int32_t above = flow_operate(f, EXPR_MAX, from, zero);
    const int32_t past = flow_operate(f, EXPR_MAX, to, zero);
    if (f->no_memory)
        return 0;
    f->kink[f->flow[above].kink].condition = true;
    f->kink[f->flow[past].kink].condition = true;
    return flow_operate(f, EXPR_DIV, flow_rise(f, above, past, width), constant(f, width));
}

/* gap > 0, or >= 0. */
static int32_t is_above(const Gap *g, bool or_equal)
{
    const double sharp = 1e-3, rounding = 1e-9, most = largest(g);
    const double step = is_linear(g) ? step_of(g) : 0;
    double offset = g->value;
    if (most == 0)
        return constant(g->f, or_equal ? g->value >= 0 : g->value > 0);
    if (step == 0)
        return ramp(g->f, g->gap, or_equal ? -sharp * most : 0, sharp * most);
    for (int32_t i = 0; i < g->variables; i++)
        offset -= g->slope[i] * g->point[i];
    const double steps = -offset / step;
    const double low = or_equal ? ceil(steps - rounding) - 1 : floor(steps + rounding);
    const double from = round((offset + low * step) / step / rounding) * rounding * step;
    return ramp(g->f, g->gap, from, step);
}

/* a < b, or a <= b; equal: (a <= b) - (a < b). */
static int32_t less(Flows *f, int32_t a, int32_t b, bool or_equal, bool equal,
                    const double *typical, int32_t variables)
{
    Gap g = {.f = f, .typical = typical, .variables = variables};
    g.gap = flow_operate(f, EXPR_SUB, b, a);
    int32_t result = 0;
    if (!f->no_memory && !look(&g))
        f->no_memory = true;
    if (!f->no_memory)
        result = is_above(&g, or_equal || equal);
    if (!f->no_memory && equal)
        result = flow_operate(f, EXPR_SUB, result, is_above(&g, false));
    mem_free_all(g.point, g.slope, g.other);
    return result;
}

int32_t condition_compare(Flows *f, ExprOp op, int32_t a, int32_t b, const double *typical,
                          int32_t variables)
{
    const bool swap = op == EXPR_GREATER || op == EXPR_GREATER_EQUAL;
    const bool equal = op == EXPR_EQUAL || op == EXPR_UNEQUAL;
    const bool or_equal = op == EXPR_LESS_EQUAL || op == EXPR_GREATER_EQUAL;
    const int32_t truth = less(f, swap ? b : a, swap ? a : b, or_equal, equal, typical, variables);
    return op == EXPR_UNEQUAL ? flow_operate(f, EXPR_NOT, truth, -1) : truth;
}
