/* Finds rates that do not end with the components that have them. */
#include "ctmc/semantics/flow_end.h"

#include <math.h>

#include "ctmc/semantics/flow_rate.h"

typedef struct {
    Flows *f;
    int32_t rate, count, variables;
    const double *typical;
    int32_t end; /* what is divided by, -1 if by nothing: the count, or a sum that it is part of */
    double *value, *x;
} Ending;

static bool has(const Flows *f, int32_t flow, int32_t count)
{
    const Flow *e = &f->flow[flow];
    for (; flow != count && e->op != EXPR_NUMBER && e->op != EXPR_COUNT; e = &f->flow[flow]) {
        if ((e->b >= 0 && has(f, e->b, count)) || (e->c >= 0 && has(f, e->c, count)))
            return true;
        flow = e->a;
    }
    return flow == count;
}

static bool is_sum_of_counts(const Flows *f, int32_t flow)
{
    for (; f->flow[flow].op == EXPR_ADD; flow = f->flow[flow].a)
        if (!is_sum_of_counts(f, f->flow[flow].b))
            return false;
    return f->flow[flow].op == EXPR_COUNT;
}

static void find_divisor(Ending *e, int32_t flow)
{
    const Flow *r = &e->f->flow[flow];
    for (; r->op != EXPR_NUMBER && r->op != EXPR_COUNT && e->end < 0; r = &e->f->flow[r->a]) {
        const bool divides = r->op == EXPR_DIV || r->op == EXPR_POW;
        if (divides && has(e->f, r->op == EXPR_DIV ? r->b : r->a, e->count))
            e->end = r->op == EXPR_DIV && is_sum_of_counts(e->f, r->b) ? r->b : e->count;
        if (r->b >= 0)
            find_divisor(e, r->b);
        if (r->c >= 0)
            find_divisor(e, r->c);
    }
}

static void put_few(Ending *e, int32_t sum, double few)
{
    const Flow *s = &e->f->flow[sum];
    for (; s->op == EXPR_ADD; s = &e->f->flow[s->a])
        put_few(e, s->b, few);
    e->x[s->a] = few;
}

/* The rate where `few` are left, and of others so many times what is typical. */
static double rate_of_few(Ending *e, double few, double times)
{
    for (int32_t i = 0; i < e->variables; i++)
        e->x[i] = times * e->typical[i];
    put_few(e, e->end, few);
    for (int32_t i = 0; i <= e->rate; i++)
        e->value[i] = flow_value(e->f, &e->f->flow[i], e->value, e->x, NULL);
    return fabs(e->value[e->rate]);
}

/* Of a thousandth as many it is not even a tenth as large. */
static bool stays(Ending *e)
{
    static const double times[] = {1, 0.01, 3};
    const double few = 1e-6, fewer = 1e-9;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        const double before = rate_of_few(e, few, times[i]), then = rate_of_few(e, fewer, times[i]);
        if (then > 0.1 * before)
            return true;
    }
    return false;
}

int32_t flow_until_end(Flows *f, int32_t rate, int32_t count, const double *typical,
                       int32_t variables)
{
    Ending e = {f, rate, count, variables, typical, -1, NULL, NULL};
    if (f->no_memory || f->kind[rate] != FLOW_ACTIVE)
        return f->no_memory ? 0 : rate;
    find_divisor(&e, rate);
    if (e.end < 0)
        return rate;
    if (mem_new(e.value, rate + 1) && mem_new(e.x, variables))
        rate = stays(&e) ? flow_while(f, rate, e.end) : rate;
    else
        f->no_memory = true;
    mem_free_all(e.value, e.x);
    return f->no_memory ? 0 : rate;
}
