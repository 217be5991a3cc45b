/* Interval arithmetic on expressions over counts. */
#include "fluid/range.h"

#include <math.h>

static const FlowRange unknown = {-INFINITY, INFINITY};

/* 0 x infinity is 0: nobody does what has no rate. */
static double times(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

static FlowRange join(double a, double b, double c, double d)
{
    return (FlowRange){fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d))};
}

static FlowRange product(FlowRange a, FlowRange b)
{
    return join(times(a.least, b.least), times(a.least, b.most), times(a.most, b.least),
                times(a.most, b.most));
}

static FlowRange quotient(FlowRange a, FlowRange b)
{
    if (!(b.least > 0))
        return unknown;
    return join(a.least / b.least, a.least / b.most, a.most / b.least, a.most / b.most);
}

/* Rates r1 r2 / max(ra, rb), each of which is at most its apparent rate; or a share of the rate r1. */
static FlowRange share(const Flows *flows, const FlowRange *all, const Flow *f)
{
    const Flow *top = &flows->flow[f->a];
    const FlowRange a = all[top->a], b = all[top->b];
    if (top->op != EXPR_MUL || a.least < 0 || b.least < 0)
        return unknown;
    const bool of_rates = flows->flow[f->b].op == EXPR_MAX && flows->kind[f->b] != FLOW_PASSIVE;
    return (FlowRange){0, of_rates ? fmin(a.most, b.most) : a.most};
}

/* Of a function that rises. */
static FlowRange rising(ExprOp op, FlowRange a)
{
    const double least = model_operate(op, a.least, 0), most = model_operate(op, a.most, 0);
    return isnan(least) || isnan(most) ? unknown : (FlowRange){least, most};
}

static FlowRange range_of(const FluidField *field, const Flow *f, const FlowRange *all)
{
    const FlowRange a = f->op == EXPR_COUNT || f->a < 0 ? unknown : all[f->a],
                    b = f->b < 0 ? unknown : all[f->b];
    switch (f->op) {
    case EXPR_NUMBER:
        return (FlowRange){f->number, f->number};
    case EXPR_COUNT:
        return (FlowRange){0, field->p->total[f->a]};
    case EXPR_ADD:
        return (FlowRange){a.least + b.least, a.most + b.most};
    case EXPR_SUB:
        return f->rise ? (FlowRange){-INFINITY, f->number}
                       : (FlowRange){a.least - b.most, a.most - b.least};
    case EXPR_NEG:
        return (FlowRange){-a.most, -a.least};
    case EXPR_MUL:
        return product(a, b);
    case EXPR_DIV:
        return f->share ? share(&field->p->rates, all, f) : quotient(a, b);
    case EXPR_MIN:
        return (FlowRange){fmin(a.least, b.least), fmin(a.most, b.most)};
    case EXPR_MAX:
        return (FlowRange){fmax(a.least, b.least), fmax(a.most, b.most)};
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_NOT:
        return (FlowRange){0, 1};
    case EXPR_IF:
        return (FlowRange){fmin(b.least, all[f->c].least), fmax(b.most, all[f->c].most)};
    case EXPR_EXP:
    case EXPR_LOG:
    case EXPR_SQRT:
        return rising(f->op, a);
    default:
        return unknown;
    }
}

void flow_ranges(const FluidField *field, FlowRange *range)
{
    const Flows *flows = &field->p->rates;
    for (size_t i = 0; i < flows->count; i++) {
        const FlowRange x = range_of(field, &flows->flow[i], range);
        range[i] = x.least <= x.most ? x : unknown; /* also if one is not a number */
    }
}

double range_deviation(FlowRange range, double mean)
{
    return sqrt(fmax(range.most - mean, 0) * fmax(mean - range.least, 0));
}
