/* Builds expressions over counts of components, each once. */
#include "ctmc/semantics/flow.h"

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
    f->kind[f->count] = (uint8_t)kind;
    return *id = (int32_t)f->count++;
}

int32_t flow_number(Flows *f, double number, FlowKind kind)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return put(f, memo_at(&f->numbers, bits, kind),
               (Flow){EXPR_NUMBER, -1, -1, number, -1, false}, kind);
}

int32_t flow_count(Flows *f, int32_t variable)
{
    return put(f, memo_at(&f->ids, hash_pair(variable, -1), EXPR_COUNT),
               (Flow){EXPR_COUNT, variable, -1, 0, -1, false}, FLOW_ACTIVE);
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
        f->kink[f->kink_count] = (Kink){first, second, passive};
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

int32_t flow_operate(Flows *f, ExprOp op, int32_t a, int32_t b)
{
    if (f->no_memory)
        return 0;
    if ((op == EXPR_MIN || op == EXPR_MAX) && a == b)
        return a;
    if (op == EXPR_MUL && is_number(f, b, 1) && f->kind[b] == FLOW_ACTIVE)
        return a;
    int32_t kink = op == EXPR_MIN || op == EXPR_MAX ? kink_of(f, a, b) : -1;
    return f->no_memory ? 0
                        : put(f, memo_at(&f->ids, hash_pair(a, b), op),
                              (Flow){op, a, b, 0, kink, false}, kind_of(f, op, a, b));
}

/* A quotient is as active as its numerator is of all that it stands for: the kinds of shares are
 * those of the rate. */
static int32_t quotient(Flows *f, int32_t a, int32_t b, int32_t divisor, FlowKind kind)
{
    int32_t top = flow_operate(f, EXPR_MUL, a, b);
    if (f->no_memory)
        return 0;
    return put(f, memo_at(&f->ids, hash_pair(top, divisor), SHARES),
               (Flow){EXPR_DIV, top, divisor, 0, -1, true}, kind);
}

int32_t flow_share(Flows *f, int32_t rate, int32_t activity, int32_t apparent)
{
    if (f->no_memory || activity == apparent)
        return f->no_memory ? 0 : rate;
    if (rate == apparent)
        return activity;
    const Flow r = f->flow[rate];
    const FlowKind kind = f->kind[rate];
    if (r.op == EXPR_MIN && (r.a == apparent || r.b == apparent)) {
        /* min(p, q) / p = q / max(p, q) */
        int32_t other = r.a == apparent ? r.b : r.a;
        int32_t most = flow_operate(f, EXPR_MAX, r.a, r.b);
        return quotient(f, activity, other, most, kind);
    }
    if (r.op == EXPR_DIV && f->flow[r.a].op == EXPR_MUL && f->flow[r.a].b == apparent)
        return quotient(f, f->flow[r.a].a, activity, r.b, kind);
    return quotient(f, rate, activity, apparent, kind);
}

double flow_value(const Flow *flow, const double *value, const double *x)
{
    switch (flow->op) {
    case EXPR_NUMBER:
        return flow->number;
    case EXPR_COUNT:
        return x[flow->a];
    case EXPR_ADD:
        return value[flow->a] + value[flow->b];
    case EXPR_MUL:
        return value[flow->a] * value[flow->b];
    default:
        if (flow->share)
            return value[flow->b] > 0 ? value[flow->a] / value[flow->b] : 0;
        return model_operate(flow->op, value[flow->a], flow->b < 0 ? 0 : value[flow->b]);
    }
}

Slopes flow_slopes(const Flow *flow, const double *value)
{
    const double a = value[flow->a], b = flow->b < 0 ? 0 : value[flow->b];
    if (flow->share && !(b > 0))
        return (Slopes){0, 0};
    return model_slopes(flow->op, a, b);
}
