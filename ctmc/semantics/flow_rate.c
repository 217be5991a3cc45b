/* Builds rates of activities. */
#include "ctmc/semantics/flow_rate.h"

static int32_t one(Flows *f)
{
    return flow_number(f, 1, FLOW_ACTIVE);
}

/* count / few */
static int32_t enough(Flows *f, int32_t count)
{
    return flow_operate(f, EXPR_MUL, count, flow_number(f, f->passive, FLOW_PASSIVE));
}

/* The share of time in which some of `count` are there. */
static int32_t part_of(Flows *f, int32_t count)
{
    const int32_t part = flow_operate(f, EXPR_MIN, enough(f, count), one(f));
    if (!f->no_memory)
        f->flow[part].part = true;
    return part;
}

static int32_t both_parts(Flows *f, int32_t a, int32_t b)
{
    if (a < 0 || b < 0 || a == b)
        return a < 0 ? b : a;
    const int32_t both = flow_operate(f, EXPR_MUL, a < b ? a : b, a < b ? b : a);
    if (!f->no_memory)
        f->flow[both].part = true;
    return both;
}

/* ---- a rate and its part ----------------------------------------------------------------------- */

/* core x / count x min(1, count / few) is written as
 *     core (x / few) / max(count / few, 1),
 * which has a value and slopes where counts are 0. */
bool flow_is_merged(const Flows *f, int32_t rate)
{
    const Flow *r = &f->flow[rate];
    if (r->op != EXPR_DIV || !r->share || f->flow[r->b].op != EXPR_MAX)
        return false;
    const int32_t least = f->flow[r->b].b;
    return f->flow[least].op == EXPR_NUMBER && f->kind[least] == FLOW_ACTIVE &&
           f->kind[f->flow[r->b].a] == FLOW_PASSIVE;
}

static int32_t merge(Flows *f, int32_t core, int32_t x, int32_t count)
{
    const int32_t most = flow_operate(f, EXPR_MAX, enough(f, count), one(f));
    return flow_quotient(f, core, enough(f, x), most, FLOW_ACTIVE);
}

FlowParts flow_parts(Flows *f, int32_t rate)
{
    const Flow r = f->flow[rate];
    if (r.op == EXPR_MUL && f->flow[r.b].part)
        return (FlowParts){r.a, r.b};
    if (!flow_is_merged(f, rate))
        return (FlowParts){rate, -1};
    const Flow top = f->flow[r.a], x = f->flow[top.b];
    const int32_t count = f->flow[f->flow[r.b].a].a;
    const int32_t core = flow_quotient(f, top.a, x.a, count, FLOW_ACTIVE);
    return (FlowParts){core, part_of(f, count)};
}

static int32_t join(Flows *f, int32_t core, int32_t part)
{
    if (part < 0 || f->no_memory)
        return core;
    const Flow r = f->flow[core], p = f->flow[part];
    if (r.op == EXPR_DIV && r.share && p.op == EXPR_MIN && f->flow[p.a].a == r.b)
        return merge(f, f->flow[r.a].a, f->flow[r.a].b, r.b);
    return flow_operate(f, EXPR_MUL, core, part);
}

int32_t flow_while(Flows *f, int32_t rate, int32_t count)
{
    if (f->no_memory)
        return 0;
    const FlowParts r = flow_parts(f, rate);
    return join(f, r.rate, both_parts(f, r.part, part_of(f, count)));
}

/* ---- passive rates ----------------------------------------------------------------------------- */

/* A weight of so many components. */
static bool is_weighed(const Flows *f, int32_t rate)
{
    const Flow *r = &f->flow[rate];
    return r->op == EXPR_MUL && r->ready >= 0 && f->kind[r->a] == FLOW_ACTIVE;
}

/* Those of `count` whose weight, which counts local states, is not 0. */
static int32_t with_weight(Flows *f, int32_t weight, int32_t count)
{
    const double sharp = 1e4;
    const int32_t large = flow_operate(f, EXPR_MUL, weight, flow_number(f, sharp, FLOW_ACTIVE));
    if (f->no_memory)
        return 0;
    f->kind[large] = FLOW_ACTIVE; /* a number like others */
    return flow_operate(f, EXPR_MUL, count, flow_operate(f, EXPR_MIN, large, one(f)));
}

static int32_t put_ready(Flows *f, int32_t rate, int32_t ready)
{
    if (!f->no_memory)
        f->flow[rate].ready = ready;
    return rate;
}

int32_t flow_scale(Flows *f, int32_t rate, int32_t count)
{
    const int32_t all = flow_operate(f, EXPR_MUL, count, rate);
    if (f->no_memory || f->kind[rate] != FLOW_PASSIVE)
        return all;
    return put_ready(f, all, f->flow[rate].op == EXPR_NUMBER ? count : with_weight(f, rate, count));
}

int32_t flow_times(Flows *f, int32_t rate, double times)
{
    const int32_t number = flow_number(f, times, FLOW_ACTIVE);
    if (f->no_memory)
        return 0;
    const Flow r = f->flow[rate];
    if (is_weighed(f, rate))
        return flow_scale(f, r.b, flow_operate(f, EXPR_MUL, r.a, number));
    if (r.ready >= 0)
        return put_ready(f, flow_operate(f, EXPR_MUL, rate, number),
                         flow_operate(f, EXPR_MUL, r.ready, number));
    const FlowParts parts = flow_parts(f, rate);
    return join(f, flow_operate(f, EXPR_MUL, parts.rate, number), parts.part);
}

/* Of one local state: those of the same weight, or the weights of the same ones. */
static int32_t sum_passive(Flows *f, int32_t a, int32_t b)
{
    const Flow x = f->flow[a], y = f->flow[b];
    const bool weighed = is_weighed(f, a) && is_weighed(f, b);
    if (weighed && x.b == y.b)
        return flow_scale(f, x.b, flow_operate(f, EXPR_ADD, x.a, y.a));
    if (weighed && x.a == y.a) {
        const Flow v = f->flow[x.b], w = f->flow[y.b];
        const bool numbers = v.op == EXPR_NUMBER && w.op == EXPR_NUMBER;
        return flow_scale(f,
                          numbers ? flow_number(f, v.number + w.number, FLOW_PASSIVE)
                                  : flow_operate(f, EXPR_ADD, x.b, y.b),
                          x.a);
    }
    return put_ready(f, flow_operate(f, EXPR_ADD, a, b),
                     flow_operate(f, EXPR_ADD, x.ready, y.ready));
}

static bool are_passive(const Flows *f, int32_t a, int32_t b)
{
    return f->kind[a] == FLOW_PASSIVE && f->kind[b] == FLOW_PASSIVE;
}

/* ---- sums and minima --------------------------------------------------------------------------- */

int32_t flow_sum(Flows *f, int32_t a, int32_t b)
{
    if (f->no_memory)
        return 0;
    if (are_passive(f, a, b))
        return sum_passive(f, a, b);
    if (f->kind[a] != FLOW_ACTIVE || f->kind[b] != FLOW_ACTIVE)
        return flow_operate(f, EXPR_ADD, a, b);
    const FlowParts x = flow_parts(f, a), y = flow_parts(f, b);
    if (x.part < 0 || x.part != y.part)
        return flow_operate(f, EXPR_ADD, a, b);
    return join(f, flow_operate(f, EXPR_ADD, x.rate, y.rate), x.part);
}

int32_t flow_least(Flows *f, int32_t a, int32_t b)
{
    if (f->no_memory)
        return 0;
    if (are_passive(f, a, b)) {
        const int32_t x = f->flow[a].ready, y = f->flow[b].ready;
        return put_ready(f, flow_operate(f, EXPR_MIN, a, b), flow_operate(f, EXPR_MIN, x, y));
    }
    if (f->kind[a] == FLOW_MIXED || f->kind[b] == FLOW_MIXED)
        return flow_operate(f, EXPR_MIN, a, b);
    if (f->kind[a] == FLOW_PASSIVE)
        return flow_while(f, b, f->flow[a].ready);
    if (f->kind[b] == FLOW_PASSIVE)
        return flow_while(f, a, f->flow[b].ready);
    const FlowParts x = flow_parts(f, a), y = flow_parts(f, b);
    return join(f, flow_operate(f, EXPR_MIN, x.rate, y.rate), both_parts(f, x.part, y.part));
}

/* ---- shares ------------------------------------------------------------------------------------ */

/* `of` with `part` in place of its factor `whole`; -1 if it has no such factor. */
static int32_t replace(Flows *f, int32_t of, int32_t whole, int32_t part)
{
    const Flow r = f->flow[of];
    if (of == whole)
        return part;
    if (r.op == EXPR_MUL) {
        const int32_t a = replace(f, r.a, whole, part);
        const int32_t b = a < 0 ? replace(f, r.b, whole, part) : r.b;
        return a >= 0   ? flow_operate(f, EXPR_MUL, a, r.b)
               : b >= 0 ? flow_operate(f, EXPR_MUL, r.a, b)
                        : -1;
    }
    if (r.op != EXPR_DIV || !r.share || f->flow[r.a].op != EXPR_MUL)
        return -1;
    const Flow top = f->flow[r.a];
    const int32_t b = replace(f, top.b, whole, part);
    const int32_t a = b < 0 ? replace(f, top.a, whole, part) : top.a;
    if (b < 0 && a < 0)
        return -1;
    return flow_quotient(f, a, b < 0 ? top.b : b, r.b, (FlowKind)f->kind[of]);
}

/* Without regard to parts. */
static int32_t share_plain(Flows *f, int32_t rate, int32_t activity, int32_t apparent)
{
    if (activity == apparent)
        return rate;
    const int32_t whole = replace(f, rate, apparent, activity);
    if (f->no_memory || whole >= 0)
        return f->no_memory ? 0 : whole;
    const Flow r = f->flow[rate];
    if (r.op != EXPR_MIN || (r.a != apparent && r.b != apparent))
        return flow_quotient(f, rate, activity, apparent, (FlowKind)f->kind[rate]);
    /* min(p, q) / p = q / max(p, q) */
    const int32_t other = r.a == apparent ? r.b : r.a;
    const int32_t most = flow_operate(f, EXPR_MAX, r.a, r.b);
    return flow_quotient(f, activity, other, most, (FlowKind)f->kind[rate]);
}

/* core x part x the share of `activity`, weights of one local state, in those of several that differ.  Where
 * next to none are ready it is mostly one at a time, whose weight does not count: so with the part p
 * the share is
 *     (1 - p) x / ready + p weight x / sum of weights x.
 * The first term times p is written as above; the other is p^2, and has slopes where counts are 0. */
static int32_t share_uneven(Flows *f, int32_t core, int32_t activity, int32_t apparent,
                            int32_t part)
{
    const int32_t few = flow_operate(f, EXPR_SUB, one(f), part);
    const int32_t alone = flow_operate(f, EXPR_MUL, core, few);
    const int32_t many = flow_operate(f, EXPR_MUL, core, part);
    if (f->no_memory)
        return 0;
    const int32_t x = f->flow[activity].ready, ready = f->flow[apparent].ready;
    const int32_t first = join(f, flow_quotient(f, alone, x, ready, FLOW_ACTIVE), part);
    const int32_t second = flow_quotient(f, many, activity, apparent, FLOW_ACTIVE);
    return flow_operate(f, EXPR_ADD, first, flow_operate(f, EXPR_MUL, second, part));
}

/* An active rate, of a passive activity. */
static int32_t share_passive(Flows *f, int32_t rate, int32_t activity, int32_t apparent)
{
    if (activity == apparent)
        return rate;
    if (!is_weighed(f, activity) || !is_weighed(f, apparent))
        return flow_quotient(f, rate, activity, apparent, FLOW_ACTIVE);
    const Flow x = f->flow[activity], y = f->flow[apparent];
    const Flow v = f->flow[x.b], w = f->flow[y.b];
    if (x.b != y.b)
        rate =
            v.op == EXPR_NUMBER && w.op == EXPR_NUMBER
                ? flow_operate(f, EXPR_MUL, rate, flow_number(f, v.number / w.number, FLOW_ACTIVE))
                : flow_quotient(f, rate, x.b, y.b, FLOW_ACTIVE);
    return x.a == y.a ? rate : flow_quotient(f, rate, x.a, y.a, FLOW_ACTIVE);
}

int32_t flow_share(Flows *f, int32_t rate, int32_t activity, int32_t apparent)
{
    if (f->no_memory || activity == apparent)
        return f->no_memory ? 0 : rate;
    if (rate == apparent)
        return activity;
    if (f->kind[rate] != FLOW_ACTIVE)
        return share_plain(f, rate, activity, apparent);
    const FlowParts r = flow_parts(f, rate);
    if (f->no_memory)
        return 0;
    if (f->kind[apparent] == FLOW_PASSIVE)
        return r.part >= 0 && is_weighed(f, activity) && !is_weighed(f, apparent)
                   ? share_uneven(f, r.rate, activity, apparent, r.part)
                   : join(f, share_passive(f, r.rate, activity, apparent), r.part);
    const FlowParts x = flow_parts(f, activity), y = flow_parts(f, apparent);
    if (f->no_memory)
        return 0;
    return join(f,
                x.part == y.part ? share_plain(f, r.rate, x.rate, y.rate)
                                 : share_plain(f, r.rate, activity, apparent),
                r.part);
}

/* ---- finished rates ---------------------------------------------------------------------------- */

int32_t flow_scarcity(const Flows *f, int32_t rate)
{
    const Flow *r = &f->flow[rate];
    if (r->op == EXPR_ADD || (r->op == EXPR_MUL && f->flow[r->b].op == EXPR_NUMBER))
        return flow_scarcity(f, r->a);
    if (r->op == EXPR_MUL && f->flow[r->b].part)
        return f->flow[r->b].op == EXPR_MIN ? f->flow[r->b].a : r->b;
    return flow_is_merged(f, rate) ? f->flow[r->b].a : -1;
}

int32_t flow_core(const Flows *f, int32_t rate)
{
    const Flow *r = &f->flow[rate];
    if (r->op == EXPR_MUL && f->flow[r->b].op == EXPR_NUMBER)
        return flow_core(f, r->a);
    return (r->op == EXPR_MUL && f->flow[r->b].part) ? r->a
           : flow_is_merged(f, rate)                 ? f->flow[r->a].a
                                                     : rate;
}
