/* Factorises shift - J by KLU, and solves with the factors. */
#include "fluid/resolvent.h"

#include <math.h>
#include <string.h>
#include <suitesparse/klu.h>

/* Of pivots that were chosen for other values: what elements may have grown by. */
#define MOST_GROWTH 1e4

struct Resolvent {
    Sparse j; /* borrowed arrays */
    int32_t variables;
    double *value; /* of shift - J; KLU, which reads columns, has the transposed matrix */
    double *x;     /* per row */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
};

PepaStatus resolvent_new(Resolvent **out, const Sparse *j, int32_t variables, PepaError *err)
{
    Resolvent *s = mem_calloc(1, sizeof *s);
    if (!s)
        return error_memory(err);
    s->j = *j;
    s->variables = variables;
    klu_defaults(&s->common);
    s->common.scale = -1; /* variables have sizes of about 1 already */
    s->common.btf = 0;    /* whose matching would replace the diagonal, which is never small */
    if (mem_new(s->value, j->row[j->rows]) && mem_new(s->x, j->rows))
        s->symbolic = klu_analyze(j->rows, j->row, j->col, &s->common);
    if (!s->symbolic) {
        resolvent_free(s);
        return error_memory(err);
    }
    *out = s;
    return PEPA_OK;
}

void resolvent_free(Resolvent *s)
{
    if (!s)
        return;
    klu_free_numeric(&s->numeric, &s->common);
    klu_free_symbolic(&s->symbolic, &s->common);
    mem_free_all(s->value, s->x, s);
}

/* False: not finite. */
static bool put_values(Resolvent *s, double shift)
{
    const Sparse *j = &s->j;
    double sum = 0;
    for (int32_t i = 0; i < j->rows; i++)
        for (int32_t k = j->row[i]; k < j->row[i + 1]; k++) {
            s->value[k] = (j->col[k] != i ? 0 : i < s->variables ? shift : 1) - j->value[k];
            sum += 0 * s->value[k];
        }
    return sum == 0;
}

/* The pivots are no zeros, and finite. */
static bool is_regular(const Resolvent *s)
{
    const double *pivot = s->numeric->Udiag;
    if (s->common.status != KLU_OK)
        return false;
    for (int32_t i = 0; i < s->j.rows; i++)
        if (!(fabs(pivot[i]) > 0) || !isfinite(pivot[i]))
            return false;
    return true;
}

/* With the pivots of before.  False: they do not do. */
static bool refill(Resolvent *s)
{
    int32_t *row = s->j.row, *col = s->j.col;
    return s->numeric && klu_refactor(row, col, s->value, s->symbolic, s->numeric, &s->common) &&
           is_regular(s) && klu_rgrowth(row, col, s->value, s->symbolic, s->numeric, &s->common) &&
           s->common.rgrowth * MOST_GROWTH >= 1;
}

PepaStatus resolvent_factor(Resolvent *s, double shift)
{
    if (!put_values(s, shift))
        return PEPA_ENOCONV;
    if (refill(s))
        return PEPA_OK;
    klu_free_numeric(&s->numeric, &s->common);
    s->numeric = klu_factor(s->j.row, s->j.col, s->value, s->symbolic, &s->common);
    if (s->numeric && is_regular(s))
        return PEPA_OK;
    const bool singular = s->numeric || s->common.status == KLU_SINGULAR;
    klu_free_numeric(&s->numeric, &s->common); /* which may be incomplete */
    return singular ? PEPA_ENOCONV : PEPA_ENOMEM;
}

void resolvent_solve(Resolvent *s, double *b)
{
    const int32_t all = s->j.rows, variables = s->variables;
    double *x = all > variables ? s->x : b;
    if (x != b) {
        memcpy(x, b, (size_t)variables * sizeof *b);
        memset(x + variables, 0, (size_t)(all - variables) * sizeof *x);
    }
    (void)klu_tsolve(s->symbolic, s->numeric, all, 1, x, &s->common);
    if (x != b)
        memcpy(b, x, (size_t)variables * sizeof *b);
}
