/* How far the best point is from satisfying the conditions of Karush, Kuhn and Tucker: the derivative
 * of the objective is minus a sum of those of the constraints and bounds that bind, none of them
 * with a negative multiplier.  The multipliers are those of least squares, found by coordinate
 * descent: there are few.
 * Source: Lawson and Hanson, Solving Least Squares Problems, 1974, ch. 23. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "optimise/descent.h"

enum { MOST_PASSES = 2000 };
#define SETTLED 1e-14 /* of the objective's size */

typedef struct {
    double *rest;   /* count: the derivative of the Lagrangian */
    double *column; /* columns x count: of what binds */
    double *multiplier;
    int32_t columns, count;
} Squares;

static void scaled_row(const Descent *l, int32_t row, double by, double *out)
{
    const Optimiser *s = l->search;
    const Program *p = s->program;
    for (int32_t f = 0; f < l->count; f++) {
        const int32_t i = l->free[f];
        out[f] = by * s->slope[(size_t)row * (size_t)p->variables + (size_t)i] *
                 share_slope(s, i, share_of(s, i, s->x[i]));
    }
}

static void gather(const Descent *l, Squares *q)
{
    const Optimiser *s = l->search;
    const Program *p = s->program;
    scaled_row(l, 0, 1 / s->size, q->rest);
    for (int32_t c = 1; c <= p->constraints; c++)
        if (s->worth[c] >= -PROGRAM_BINDS)
            scaled_row(l, c, 1, q->column + (size_t)(q->columns++) * (size_t)q->count);
    for (int32_t f = 0; f < l->count; f++) {
        const double x = s->x[l->free[f]];
        if (x == p->low[l->free[f]] || x == p->high[l->free[f]])
            q->column[(size_t)(q->columns++) * (size_t)q->count + (size_t)f] =
                x == p->low[l->free[f]] ? -1 : 1;
    }
}

/* Improve one multiplier; how much of the derivative that moves. */
static double relax(Squares *q, int32_t k)
{
    const double *a = q->column + (size_t)k * (size_t)q->count;
    double square = 0, product = 0;
    for (int32_t f = 0; f < q->count; f++) {
        square += a[f] * a[f];
        product += a[f] * q->rest[f];
    }
    if (!(square > 0))
        return 0;
    const double next = fmax(0, q->multiplier[k] - product / square);
    const double change = next - q->multiplier[k];
    for (int32_t f = 0; f < q->count; f++)
        q->rest[f] += change * a[f];
    q->multiplier[k] = next;
    return fabs(change) * sqrt(square);
}

static double least(Squares *q)
{
    double moved = INFINITY, most = 0;
    for (int32_t pass = 0; pass < MOST_PASSES && moved > SETTLED; pass++) {
        moved = 0;
        for (int32_t k = 0; k < q->columns; k++)
            moved = fmax(moved, relax(q, k));
    }
    for (int32_t f = 0; f < q->count; f++)
        most = fmax(most, fabs(q->rest[f]));
    return most;
}

double optimiser_residual(Optimiser *s)
{
    Descent l;
    Squares q = {0};
    double residual = NAN;
    const PepaStatus status = descent_new(&l, s, NULL);
    const int32_t columns = s->program->constraints + s->program->variables;
    q.count = l.count;
    if (status == PEPA_OK && l.count == 0) {
        descent_free(&l);
        return NAN;
    }
    const bool ok = status == PEPA_OK && mem_new(q.rest, q.count) &&
                    mem_new_zeroed(q.column, columns * q.count) &&
                    mem_new_zeroed(q.multiplier, columns);
    memcpy(s->at, s->x, (size_t)s->program->variables * sizeof *s->x);
    if (!ok)
        s->status = error_memory(&s->err);
    else if (s->smooth && optimiser_evaluate(s, s->at, s->worth, s->slope) && s->smooth) {
        gather(&l, &q);
        residual = least(&q);
    }
    mem_free_all(q.rest, q.column, q.multiplier);
    descent_free(&l);
    return residual;
}
