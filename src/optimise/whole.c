/* Variables that are whole numbers outside, the others inside.
 *
 * Few combinations are all looked at, those with the least objective first as far as that is
 * foreseen: then the first that is feasible rules out all after it.  Many are searched by a pattern
 * of steps along the axes and, when these no longer improve, along two axes at once.
 * Source of the pattern search: Hooke and Jeeves, Direct search solution of numerical and
 * statistical problems, 1961. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "optimise/program.h"
#include "pepa_optimise.h"

enum {
    MOST_MIXED = 64
}; /* combinations that are all looked at where each is a search of its own */

typedef struct {
    Optimiser *s;
    int32_t *whole; /* the variables that are whole */
    int32_t count;
    bool mixed;    /* there are others too */
    double points; /* combinations */
    double *seen;  /* of a pattern: seen_count x variables */
    size_t seen_count, seen_cap;
} Lattice;

typedef struct {
    double value; /* foreseen; NaN: not */
    int64_t index;
} Ordered;

/* Combination `index`, the last variable changing fastest, into s->at. */
static void place(const Lattice *t, int64_t index)
{
    const Program *p = t->s->program;
    for (int32_t k = t->count; k-- > 0;) {
        const int32_t i = t->whole[k];
        const int64_t values = (int64_t)(p->high[i] - p->low[i]) + 1;
        t->s->at[i] = p->low[i] + (double)(index % values);
        index /= values;
    }
}

static bool foresee(Lattice *t, double *value)
{
    Optimiser *s = t->s;
    for (int32_t c = 0; c <= s->program->constraints; c++)
        value[c] = NAN;
    if (t->mixed)
        return true; /* the objective and the constraints are open */
    PepaError err = {0};
    PepaStatus status = s->program->foresee(s->program->user, s->at, value, &err);
    if (status == PEPA_OK || status == PEPA_EMODEL)
        return status == PEPA_OK;
    s->status = status;
    s->err = err;
    memcpy(s->x, s->at, (size_t)s->program->variables * sizeof *s->x);
    return false;
}

/* Look at the combination in s->at. */
static void visit(Lattice *t)
{
    Optimiser *s = t->s;
    const bool valid = foresee(t, s->worth);
    if (s->status == PEPA_OK && (!valid || !optimiser_rules_out(s, s->at, s->worth)))
        optimiser_continuous(s); /* where the model is wrong, for the message too */
}

static int in_order(const void *a, const void *b)
{
    const Ordered *x = a, *y = b;
    if (isnan(x->value) != isnan(y->value))
        return isnan(x->value) ? 1 : -1;
    if (!isnan(x->value) && x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void enumerate(Lattice *t)
{
    Optimiser *s = t->s;
    const int64_t points = (int64_t)t->points;
    Ordered *order = NULL;
    if (!mem_new(order, points)) {
        s->status = error_memory(&s->err);
        return;
    }
    for (int64_t k = 0; k < points && s->status == PEPA_OK; k++) {
        place(t, k);
        order[k] = (Ordered){foresee(t, s->worth) ? s->worth[0] : NAN, k};
    }
    if (s->status == PEPA_OK)
        qsort(order, (size_t)points, sizeof *order, in_order);
    for (int64_t k = 0; k < points && s->status == PEPA_OK; k++) {
        place(t, order[k].index);
        visit(t);
    }
    mem_free(order);
}

/* ---- many: a pattern ------------------------------------------------------------------------- */

/* Steps from the best point along one axis, or two; false: out of range. */
static bool step(Lattice *t, const double *from, int32_t a, double by_a, int32_t b, double by_b)
{
    const Program *p = t->s->program;
    double *at = t->s->at;
    memcpy(at, from, (size_t)p->variables * sizeof *at);
    at[t->whole[a]] += by_a;
    if (b >= 0)
        at[t->whole[b]] += by_b;
    for (int32_t k = 0; k < t->count; k++)
        if (at[t->whole[k]] < p->low[t->whole[k]] || at[t->whole[k]] > p->high[t->whole[k]])
            return false;
    return true;
}

/* Whether s->at was looked at before; it counts as such from now on. */
static bool seen(Lattice *t)
{
    Optimiser *s = t->s;
    const size_t n = (size_t)s->program->variables;
    for (size_t k = 0; k < t->seen_count; k++) {
        bool same = true;
        for (int32_t i = 0; i < t->count; i++)
            same = same && t->seen[k * n + (size_t)t->whole[i]] == s->at[t->whole[i]];
        if (same)
            return true;
    }
    if (mem_grow(t->seen, t->seen_cap, (t->seen_count + 1) * n))
        memcpy(t->seen + t->seen_count++ * n, s->at, n * sizeof *t->seen);
    else
        s->status = error_memory(&s->err);
    return false;
}

/* Whether looking at s->at, which was placed, gives a better point. */
static bool improves(Lattice *t)
{
    const Optimiser *s = t->s;
    if (seen(t) || s->status != PEPA_OK)
        return false;
    const double value = s->value, violation = s->violation;
    const bool met = s->met;
    visit(t);
    return s->met && (!met || s->value != value || s->violation != violation);
}

/* Along each axis, either way, by `length`: whether anything improves. */
static bool along_axes(Lattice *t, double *from, double length)
{
    bool any = false;
    for (int32_t a = 0; a < t->count && t->s->status == PEPA_OK; a++)
        for (int32_t way = 1; way >= -1 && t->s->status == PEPA_OK; way -= 2) {
            memcpy(from, t->s->x, (size_t)t->s->program->variables * sizeof *from);
            if (step(t, from, a, way * length, -1, 0) && improves(t)) {
                any = true;
                break; /* the other way leads back */
            }
        }
    return any;
}

static bool along_pairs(Lattice *t, double *from)
{
    for (int32_t a = 0; a < t->count; a++)
        for (int32_t b = a + 1; b < t->count; b++)
            for (int32_t way = 0; way < 4 && t->s->status == PEPA_OK; way++) {
                memcpy(from, t->s->x, (size_t)t->s->program->variables * sizeof *from);
                if (step(t, from, a, way & 1 ? -1 : 1, b, way & 2 ? -1 : 1) && improves(t))
                    return true;
            }
    return false;
}

/* A first point: all low, else the middle, else all high. */
static void first_point(Lattice *t)
{
    const Program *p = t->s->program;
    for (int32_t half = 0; half <= 2 && !t->s->met && t->s->status == PEPA_OK; half++) {
        for (int32_t k = 0; k < t->count; k++) {
            const int32_t i = t->whole[k];
            t->s->at[i] = p->low[i] + floor((p->high[i] - p->low[i]) / 2 * half);
        }
        visit(t);
    }
}

/* Steps double while they improve, and are halved when they do not. */
static void pattern(Lattice *t)
{
    Optimiser *s = t->s;
    double *from = NULL, length = 1;
    if (!mem_new(from, s->program->variables)) {
        s->status = error_memory(&s->err);
        return;
    }
    first_point(t);
    while (s->met && s->status == PEPA_OK) {
        if (along_axes(t, from, length))
            length *= 2;
        else if (length > 1)
            length /= 2;
        else if (!along_pairs(t, from))
            break;
    }
    mem_free(from);
}

void optimiser_whole(Optimiser *s, bool *all)
{
    const Program *p = s->program;
    Lattice t = {.s = s, .points = 1};
    *all = false;
    if (!mem_new(t.whole, p->variables)) {
        s->status = error_memory(&s->err);
        return;
    }
    for (int32_t i = 0; i < p->variables; i++) {
        if (p->whole[i]) {
            t.whole[t.count++] = i;
            t.points *= p->high[i] - p->low[i] + 1;
        } else {
            t.mixed = t.mixed || p->high[i] > p->low[i];
        }
    }
    *all = t.points <= (t.mixed ? MOST_MIXED : PEPA_MOST_ENUMERATED);
    if (*all)
        enumerate(&t);
    else
        pattern(&t);
    mem_free_all(t.whole, t.seen);
}
