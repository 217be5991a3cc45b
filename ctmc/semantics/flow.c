/* Builds expressions over counts of components, each once. */
#include "ctmc/semantics/flow.h"

#include <math.h>
#include <string.h>

void flows_free(Flows *f)
{
    mem_free_all(f->flow, f->kind, f->kink);
    memo_free(&f->ids);
    memo_free(&f->numbers);
    memo_free(&f->kinks);
    *f = (Flows){0};
}

enum { SHARES = 1 << 8 }; /* an operation of its own, as a key */

static int32_t fail(Flows *f)
{
    f->no_memory = true;
    return 0;
}

/* The expression, appended if *id says that it is new. */
static int32_t put(Flows *f, int32_t *id, Flow flow, FlowKind kind)
{
    const MemColumn columns[] = {{&f->flow, sizeof *f->flow}, {&f->kind, sizeof *f->kind}};
    if (!id)
        return fail(f);
    if (*id >= 0)
        return *id;
    if (!mem_reserve_columns(columns, 2, &f->cap, f->count + 1))
        return fail(f); /* the entry of the memo stays -1: new */
    f->flow[f->count] = flow;
    f->flow[f->count].ready = -1;
    f->kind[f->count] = (uint8_t)kind;
    return *id = (int32_t)f->count++;
}

static Flow leaf(ExprOp op, int32_t variable, double number)
{
    return (Flow){.op = op, .a = variable, .b = -1, .c = -1, .number = number, .kink = -1};
}

int32_t flow_number(Flows *f, double number, FlowKind kind)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return put(f, memo_at(&f->numbers, bits, kind), leaf(EXPR_NUMBER, -1, number), kind);
}

int32_t flow_count(Flows *f, int32_t variable)
{
    return put(f, memo_at(&f->ids, hash_pair(variable, -1), EXPR_COUNT),
               leaf(EXPR_COUNT, variable, 0), FLOW_ACTIVE);
}

/* That of min and max of the same operands, in either order. */
static int32_t kink_of(Flows *f, int32_t a, int32_t b)
{
    const int32_t first = a < b ? a : b, second = a < b ? b : a;
    int32_t *id = memo_at(&f->kinks, hash_pair(first, second), 0);
    if (!id || (*id < 0 && !mem_grow(f->kink, f->kink_cap, f->kink_count + 1)))
        return fail(f);
    if (*id < 0) {
        const bool passive = f->kind[a] != FLOW_ACTIVE || f->kind[b] != FLOW_ACTIVE;
        f->kink[f->kink_count] = (Kink){first, second, passive, false};
        *id = (int32_t)f->kink_count++;
    }
    return *id;
}

static FlowKind kind_of(const Flows *f, ExprOp op, int32_t a, int32_t b)
{
    const FlowKind x = f->kind[a], y = b < 0 ? x : f->kind[b];
    if (x == FLOW_MIXED || y == FLOW_MIXED || (op == EXPR_ADD && x != y))
        return FLOW_MIXED;
    if (op == EXPR_MIN || op == EXPR_DIV)
        return x == FLOW_PASSIVE && y == FLOW_PASSIVE ? FLOW_PASSIVE : FLOW_ACTIVE;
    return x == FLOW_PASSIVE || y == FLOW_PASSIVE ? FLOW_PASSIVE : FLOW_ACTIVE;
}

static bool is_number(const Flows *f, int32_t a, double number)
{
    return f->flow[a].op == EXPR_NUMBER && f->flow[a].number == number;
}

static int32_t operation(Flows *f, ExprOp op, int32_t a, int32_t b)
{
    const bool kinked = (op == EXPR_MIN || op == EXPR_MAX) && !f->no_memory;
    const int32_t kink = kinked ? kink_of(f, a, b) : -1;
    return f->no_memory
               ? 0
               : put(f, memo_at(&f->ids, hash_pair(a, b), op),
                     (Flow){.op = op, .a = a, .b = b, .c = -1, .kink = kink}, kind_of(f, op, a, b));
}

int32_t flow_operate(Flows *f, ExprOp op, int32_t a, int32_t b)
{
    if (f->no_memory)
        return 0;
    if ((op == EXPR_MIN || op == EXPR_MAX) && a == b)
        return a;
    if (op == EXPR_MUL && is_number(f, b, 1) && f->kind[b] == FLOW_ACTIVE)
        return a;
    return operation(f, op, a, b);
}

int32_t flow_rise(Flows *f, int32_t a, int32_t b, double most)
{
    const int32_t rise = flow_operate(f, EXPR_SUB, a, b);
    if (!f->no_memory) {
        f->flow[rise].rise = true;
        f->flow[rise].number = most;
    }
    return rise;
}

/* The operands of an EXPR_IF are found by those of a pair of its branches. */
int32_t flow_if(Flows *f, int32_t condition, int32_t then, int32_t otherwise)
{
    if (f->no_memory || then == otherwise)
        return f->no_memory ? 0 : then;
    const int32_t pair = operation(f, EXPR_ELSE, then, otherwise);
    const FlowKind x = f->kind[then], y = f->kind[otherwise];
    return f->no_memory
               ? 0
               : put(f, memo_at(&f->ids, hash_pair(condition, pair), EXPR_IF),
                     (Flow){.op = EXPR_IF, .a = condition, .b = then, .c = otherwise, .kink = -1},
                     x == y ? x : FLOW_MIXED);
}

/* A quotient is as active as its numerator is of all that it stands for: the kinds of shares are
 * those of the rate. */
int32_t flow_quotient(Flows *f, int32_t a, int32_t b, int32_t divisor, FlowKind kind)
{
    int32_t top = flow_operate(f, EXPR_MUL, a, b);
    if (f->no_memory)
        return 0;
    return put(f, memo_at(&f->ids, hash_pair(top, divisor), SHARES),
               (Flow){.op = EXPR_DIV, .a = top, .b = divisor, .c = -1, .kink = -1, .share = true},
               kind);
}

/* The operand that a min or max is on its side. */
static int32_t least(const Flows *f, const Flow *flow, const uint8_t *side)
{
    const Kink *kink = &f->kink[flow->kink];
    return (side[flow->kink] == SIDE_FIRST) == (flow->op == EXPR_MIN) ? kink->a : kink->b;
}

double flow_value(const Flows *f, const Flow *flow, const double *value, const double *x,
                  const uint8_t *side)
{
    const double a = flow->op == EXPR_COUNT ? x[flow->a] : flow->a < 0 ? 0 : value[flow->a];
    const double b = flow->b < 0 ? 0 : value[flow->b];
    switch (flow->op) {
    case EXPR_NUMBER:
        return flow->number;
    case EXPR_COUNT:
        return a;
    case EXPR_ADD:
        return a + b;
    case EXPR_MUL: /* nobody does what has no rate */
        return a == 0 && !isfinite(b) ? 0 : a * b;
    case EXPR_SUB:
        return flow->rise && isinf(b) ? flow->number : a - b;
    case EXPR_MIN:
    case EXPR_MAX:
        return side ? value[least(f, flow, side)] : model_operate(flow->op, a, b);
    case EXPR_AND: /* the other operand may have no value here, and below */
        return a == 0 ? 0 : a * b;
    case EXPR_OR:
        return a == 1 ? 1 : a + b - a * b;
    case EXPR_NOT:
        return 1 - a;
    case EXPR_IF:
        return a == 1 ? b : a == 0 ? value[flow->c] : a * b + (1 - a) * value[flow->c];
    case EXPR_ELSE:
        return 0;
    default:
        if (flow->share)
            return b > 0 ? a / b : 0;
        return model_operate(flow->op, a, b);
    }
}

/* What does not count has no slope, even if it has no value. */
static void add_slope(double *slope, int32_t operand, double by)
{
    if (by != 0)
        slope[operand] += by;
}

static Slopes logical_slopes(ExprOp op, double a, double b)
{
    if (op == EXPR_NOT)
        return (Slopes){-1, 0};
    if (op == EXPR_AND)
        return (Slopes){a == 0 && !isfinite(b) ? 0 : b, a};
    return (Slopes){a == 1 && !isfinite(b) ? 0 : 1 - b, 1 - a};
}

static void descend_if(const Flow *flow, const double *value, double by, double *slope)
{
    const double a = value[flow->a], then = value[flow->b], otherwise = value[flow->c];
    add_slope(slope, flow->b, by * a);
    add_slope(slope, flow->c, by * (1 - a));
    if (isfinite(then - otherwise))
        add_slope(slope, flow->a, by * (then - otherwise));
}

void flow_descend(const Flows *f, const Flow *flow, const double *value, const uint8_t *side,
                  double by, double *slope)
{
    const double a = value[flow->a], b = flow->b < 0 ? 0 : value[flow->b];
    if (flow->op == EXPR_IF) {
        descend_if(flow, value, by, slope);
    } else if (flow->op == EXPR_AND || flow->op == EXPR_OR || flow->op == EXPR_NOT) {
        const Slopes slopes = logical_slopes(flow->op, a, b);
        add_slope(slope, flow->a, by * slopes.a);
        if (flow->b >= 0)
            add_slope(slope, flow->b, by * slopes.b);
    } else if (side && (flow->op == EXPR_MIN || flow->op == EXPR_MAX)) {
        slope[least(f, flow, side)] += by;
    } else if (flow->op == EXPR_MUL && a == 0 && !isfinite(b)) {
        return;
    } else if (!flow->share || b > 0) {
        const Slopes slopes = model_slopes(flow->op, a, b);
        slope[flow->a] += by * slopes.a;
        if (flow->b >= 0)
            slope[flow->b] += by * slopes.b;
    }
}
