/* Finds moves of scarce populations that have different parts of time. */
#include "fluid/scarce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ctmc/semantics/flow_rate.h"

/* ---- which moves ------------------------------------------------------------------------------- */

typedef struct {
    const Population *p;
    Scarce *s;
    bool *member; /* per variable: it is in a part of the rate before */
} Collecting;

static bool is_leaf(const Flow *flow)
{
    return flow->op == EXPR_NUMBER || flow->op == EXPR_COUNT;
}

static bool find_parts(Scarce *s, const Population *p)
{
    const Flows *f = &p->rates;
    if (!mem_new(s->has_part, p->flow_count))
        return false;
    for (size_t i = 0; i < p->flow_count; i++) {
        const Flow *e = &f->flow[i];
        s->has_part[i] = flow_scarcity(f, (int32_t)i) >= 0 || e->part ||
                         (!is_leaf(e) && (s->has_part[e->a] || (e->b >= 0 && s->has_part[e->b]) ||
                                          (e->c >= 0 && s->has_part[e->c])));
    }
    return true;
}

static void mark(const Flows *f, int32_t flow, bool *member)
{
    const Flow *e = &f->flow[flow];
    for (; !is_leaf(e); e = &f->flow[e->a]) {
        if (e->b >= 0)
            mark(f, e->b, member);
        if (e->c >= 0)
            mark(f, e->c, member);
    }
    if (e->op == EXPR_COUNT)
        member[e->a] = true;
}

/* The variables of all parts in a rate, whether they are factors of it or further within. */
static void mark_parts(const Scarce *s, const Flows *f, int32_t flow, bool *member)
{
    const Flow *e = &f->flow[flow];
    for (; !is_leaf(e) && s->has_part[flow]; e = &f->flow[flow]) {
        if (e->part) {
            mark(f, flow, member);
            return;
        }
        if (e->b >= 0 && flow_is_merged(f, flow))
            mark(f, e->b, member);
        else if (e->b >= 0)
            mark_parts(s, f, e->b, member);
        flow = e->a;
    }
}

/* The sum of different weights that a rate is a share of, an expression; -1: there is none. */
static int32_t sum_of_weights(const Scarce *s, const Flows *f, int32_t rate)
{
    const Flow *r = &f->flow[rate];
    if (r->op == EXPR_DIV && r->share && f->flow[r->b].ready >= 0)
        return r->b;
    const bool stays = r->op == EXPR_DIV && r->share; /* its divisor has no share in it */
    if (!stays && r->op != EXPR_MUL && (r->op != EXPR_ADD || !s->has_part[rate]))
        return -1;
    const int32_t found = sum_of_weights(s, f, r->a);
    return found >= 0 || stays ? found : sum_of_weights(s, f, r->b);
}

/* Where parts are within a rate, it divides like no other. */
static int32_t weights_of(const Scarce *s, const Flows *f, int32_t rate)
{
    const int32_t weights = sum_of_weights(s, f, rate);
    return weights < 0 && s->has_part[flow_core(f, rate)] ? rate : weights;
}

static bool put(Scarce *s, ScarceMove move)
{
    for (size_t i = s->count; i-- > 0 && s->move[i].move == move.move;)
        if (s->move[i].variable == move.variable)
            return true;
    if (!mem_grow(s->move, s->cap, s->count + 1))
        return false;
    s->move[s->count++] = move;
    return true;
}

static bool collect(Collecting *c)
{
    const Population *p = c->p;
    const Flows *f = &p->rates;
    int32_t part = -1, before = -1;
    for (size_t m = 0; m < p->move_count; m++) {
        const PopulationMove *move = &p->moves[m];
        if (!c->s->has_part[move->rate])
            continue;
        const int32_t weights = weights_of(c->s, f, move->rate);
        part = flow_scarcity(f, move->rate);
        if (part < 0 || part != before || weights == move->rate) {
            memset(c->member, 0, (size_t)p->variables * sizeof *c->member);
            mark_parts(c->s, f, move->rate, c->member);
            before = weights == move->rate ? -1 : part;
        }
        for (int32_t k = move->first; k < move->end_of_stays; k++)
            if (c->member[p->steps[k].from] &&
                !put(c->s, (ScarceMove){p->steps[k].from, (int32_t)m, part, weights}))
                return false;
    }
    return true;
}

static int by_variable(const void *a, const void *b)
{
    const ScarceMove *x = a, *y = b;
    return x->variable != y->variable ? (x->variable > y->variable) - (x->variable < y->variable)
                                      : (x->move > y->move) - (x->move < y->move);
}

/* From `first` on: those of one variable end here. */
static size_t end_of(const Scarce *s, size_t first)
{
    size_t end = first;
    while (end < s->count && s->move[end].variable == s->move[first].variable)
        end++;
    return end;
}

static bool alike(const ScarceMove *a, const ScarceMove *b)
{
    return a->part == b->part && a->weights == b->weights;
}

/* Leave out variables whose moves are all alike. */
static void keep_different(Scarce *s)
{
    size_t kept = 0;
    for (size_t i = 0, end; i < s->count; i = end) {
        bool differ = false;
        end = end_of(s, i);
        for (size_t k = i + 1; k < end; k++)
            differ = differ || !alike(&s->move[i], &s->move[k]);
        for (size_t k = i; k < end && differ; k++)
            s->move[kept++] = s->move[k];
    }
    s->count = kept;
}

/* Kinks between rates that are no multiples of one part. */
static bool find_blurred(Scarce *s, const Population *p, const int32_t *used_by)
{
    if (!mem_new(s->blurred, p->kink_count))
        return false;
    for (size_t k = 0; k < p->kink_count; k++) {
        const Kink *kink = &p->rates.kink[k];
        if (!kink->passive && !kink->condition && (s->has_part[kink->a] || s->has_part[kink->b]))
            s->blurred[s->blurred_count++] = (ScarceKink){(int32_t)k, used_by[k]};
    }
    return true;
}

bool scarce_new(Scarce *out, const Population *p, const int32_t *used_by)
{
    Collecting c = {.p = p, .s = out};
    *out = (Scarce){0};
    bool ok = find_parts(out, p) && find_blurred(out, p, used_by) &&
              mem_new(c.member, p->variables) && collect(&c);
    mem_free(c.member);
    if (ok && out->count > 0)
        qsort(out->move, out->count, sizeof *out->move, by_variable);
    if (ok)
        keep_different(out);
    return ok &&
           (out->count == 0 || (mem_new(out->in, p->variables) && mem_new(out->out, p->variables)));
}

void scarce_free(Scarce *s)
{
    mem_free_all(s->move, s->in, s->out, s->has_part, s->blurred);
    *s = (Scarce){0};
}

/* ---- where they matter ------------------------------------------------------------------------- */

static void sum_flows(const Scarce *s, const Population *p, const double *value)
{
    memset(s->in, 0, (size_t)p->variables * sizeof *s->in);
    memset(s->out, 0, (size_t)p->variables * sizeof *s->out);
    for (size_t m = 0; m < p->move_count; m++)
        for (int32_t k = p->moves[m].first; k < p->moves[m].end; k++) {
            s->out[p->steps[k].from] += value[p->moves[m].rate];
            s->in[p->steps[k].to] += value[p->moves[m].rate];
        }
}

/* What enters leaves at once, and is not next to nothing. */
static bool is_balanced(const Scarce *s, int32_t variable, double most)
{
    const double in = s->in[variable], out = s->out[variable];
    return out > 1e-9 * most && fabs(in - out) < 0.05 * out;
}

static double part_at(const ScarceMove *m, const double *value)
{
    return m->part < 0 ? 1 : fmin(value[m->part], 1);
}

/* Two moves that each count, one of which has another part or other weights. */
static bool differ(const ScarceMove *a, const ScarceMove *b, const double *value)
{
    const double enough = 0.01, x = part_at(a, value), y = part_at(b, value);
    if (!(fmin(x, y) < 1 - enough))
        return false;
    return fabs(x - y) > enough * fmax(x, y) || a->weights != b->weights;
}

static ScarceChoice find_choice(const Scarce *s, const Population *p, const double *value)
{
    const double enough = 0.01; /* of what leaves the local state */
    double most = 0;
    if (s->count > 0)
        sum_flows(s, p, value);
    for (int32_t i = 0; i < p->variables && s->count > 0; i++)
        most = fmax(most, s->out[i]);
    for (size_t i = 0, end; i < s->count; i = end) {
        const int32_t variable = s->move[i].variable;
        const ScarceMove *first = NULL;
        end = end_of(s, i);
        for (size_t k = i; k < end && is_balanced(s, variable, most); k++) {
            const ScarceMove *now = &s->move[k];
            if (!(value[p->moves[now->move].rate] > enough * s->out[variable]))
                continue;
            if (first && differ(first, now, value))
                return (ScarceChoice){variable, first->move, now->move};
            first = first ? first : now;
        }
    }
    return (ScarceChoice){-1, -1, -1};
}

/* ---- min of what comes and goes ---------------------------------------------------------------- */

/* The value of a rate in the time when `some` (1) or none (0) are there of all that is scarce. */
static double value_when(const Scarce *s, const Flows *f, int32_t flow, const double *value,
                         double some)
{
    const double enough = 0.99;
    const Flow *e = &f->flow[flow];
    if (is_leaf(e) || !s->has_part[flow])
        return value[flow];
    if (e->part && e->op == EXPR_MIN)
        return value[flow] < enough ? some : value[flow];
    if (flow_is_merged(f, flow)) {
        const double part = fmin(value[f->flow[e->b].a], 1);
        return part < enough ? (part > 0 ? some * value[flow] / part : 0) : value[flow];
    }
    const double a = value_when(s, f, e->a, value, some),
                 b = e->b < 0 ? 0 : value_when(s, f, e->b, value, some);
    if (e->op == EXPR_DIV)
        return b > 0 ? a / b : 0;
    return e->op == EXPR_IF ? value[flow] : model_operate(e->op, a, b);
}

static int32_t first_count(const Flows *f, int32_t flow)
{
    while (!is_leaf(&f->flow[flow]))
        flow = f->flow[flow].a;
    return f->flow[flow].a;
}

/* A variable that is scarce, of the parts in a rate; -1: none is. */
static int32_t scarce_in(const Scarce *s, const Flows *f, int32_t flow, const double *value)
{
    const double enough = 0.99;
    const Flow *e = &f->flow[flow];
    if (is_leaf(e) || !s->has_part[flow])
        return -1;
    const bool merged = flow_is_merged(f, flow);
    if (merged || (e->part && e->op == EXPR_MIN)) {
        const int32_t few = merged ? f->flow[e->b].a : e->a;
        return value[few] < enough ? first_count(f, few) : -1;
    }
    const int32_t found = scarce_in(s, f, e->a, value);
    return found >= 0 || e->b < 0 ? found : scarce_in(s, f, e->b, value);
}

/* Whether the smaller one is not the same at all times. */
static bool turns(const Scarce *s, const Flows *f, const Kink *kink, const double *value)
{
    const double rounding = 1e-6;
    const double a0 = value_when(s, f, kink->a, value, 0), a1 = value_when(s, f, kink->a, value, 1),
                 b0 = value_when(s, f, kink->b, value, 0), b1 = value_when(s, f, kink->b, value, 1);
    const double slack = rounding * fmax(fabs(a1), fabs(b1));
    return (a1 > a0 + slack || b1 > b0 + slack) && a1 > b0 + slack && b1 > a0 + slack;
}

static ScarceChoice find_turning(const Scarce *s, const Population *p, const double *value)
{
    for (size_t i = 0; i < s->blurred_count; i++) {
        const Kink *kink = &p->rates.kink[s->blurred[i].kink];
        const int32_t a = scarce_in(s, &p->rates, kink->a, value),
                      b = a < 0 ? scarce_in(s, &p->rates, kink->b, value) : a;
        if (b >= 0 && turns(s, &p->rates, kink, value))
            return (ScarceChoice){b, s->blurred[i].move, -1};
    }
    return (ScarceChoice){-1, -1, -1};
}

ScarceChoice scarce_find(const Scarce *s, const Population *p, const double *value)
{
    const ScarceChoice choice = find_choice(s, p, value);
    return choice.variable >= 0 ? choice : find_turning(s, p, value);
}
