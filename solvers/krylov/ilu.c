/* Incomplete LU factors without fill-in. */

#include <string.h>

#include "base/mem.h"
#include "solvers/krylov/krylov.h"
#include "solvers/rows/rows.h"

/* Pivots of an M-matrix are positive, except that the last one of a singular matrix vanishes if
 * nothing was dropped.  1, the diagonal of I - P', then stands for it: the preconditioner remains
 * regular, and the direction concerned is that of the solution itself.  An early pivot may be
 * small with good reason (weakly coupled groups of states); the last one may not. */
double pivot_guard(const Flow *flow, bool whole, double pivot)
{
    double least = !flow->b && whole ? 1e-6 : 1e-14;
    return pivot > least ? pivot : 1;
}

static void factor_row(Ilu *ilu, int32_t i, int64_t *place)
{
    const Flow *flow = ilu->flow;
    int64_t from = flow->row[i], to = flow->row[i + 1], k = from;
    double pivot = 1;
    for (int64_t e = from; e < to; e++)
        place[flow->col[e]] = e;
    for (; k < to && flow->col[k] < i; k++) {
        int32_t j = flow->col[k];
        double factor = ilu->val[k] *= ilu->inverse[j];
        for (int64_t u = ilu->upper[j]; u < flow->row[j + 1]; u++) {
            int32_t c = flow->col[u];
            if (c == i)
                pivot -= factor * ilu->val[u];
            else if (place[c] >= 0)
                ilu->val[place[c]] -= factor * ilu->val[u];
        }
    }
    ilu->upper[i] = k;
    ilu->inverse[i] = 1 / pivot_guard(flow, i == flow->n - 1, pivot);
    for (int64_t e = from; e < to; e++)
        place[flow->col[e]] = -1;
}

double ilu_bytes(const Flow *flow)
{
    const Ilu *ilu = NULL;
    return (double)flow->row[flow->n] * sizeof *ilu->val +
           (double)flow->n * (sizeof *ilu->inverse + sizeof *ilu->upper + sizeof(int64_t));
}

PepaStatus ilu_factor(Ilu *ilu, const Flow *flow)
{
    size_t n = (size_t)flow->n, entries = (size_t)flow->row[flow->n];
    *ilu = (Ilu){.flow = flow};
    int64_t *place = NULL;
    if (!(mem_new(ilu->val, entries) && mem_new(ilu->inverse, n) && mem_new(ilu->upper, n) &&
          mem_new(place, n))) {
        ilu_free(ilu);
        return PEPA_ENOMEM;
    }
    for (int64_t k = 0; k < flow->row[flow->n]; k++)
        ilu->val[k] = -flow_val(flow, k);
    memset(place, -1, n * sizeof *place);
    for (int32_t i = 0; i < flow->n; i++)
        factor_row(ilu, i, place);
    mem_free(place);
    return PEPA_OK;
}

typedef struct {
    const Ilu *ilu;
    const double *r;
    double *z;
} Solving;

static void solve_lower(void *user, int32_t piece, int32_t first, int32_t end)
{
    const Solving *s = user;
    const Ilu *ilu = s->ilu;
    const int32_t *col = ilu->flow->col;
    (void)piece;
    for (int32_t i = first; i < end; i++) {
        double sum = s->r[i];
        for (int64_t k = ilu->flow->row[i]; k < ilu->upper[i]; k++)
            sum -= ilu->val[k] * s->z[col[k]];
        s->z[i] = sum;
    }
}

static void solve_upper(void *user, int32_t piece, int32_t first, int32_t end)
{
    const Solving *s = user;
    const Ilu *ilu = s->ilu;
    const int32_t *col = ilu->flow->col;
    (void)piece;
    for (int32_t i = end - 1; i >= first; i--) {
        double sum = s->z[i];
        for (int64_t k = ilu->upper[i]; k < ilu->flow->row[i + 1]; k++)
            sum -= ilu->val[k] * s->z[col[k]];
        s->z[i] = sum * ilu->inverse[i];
    }
}

void ilu_solve(const Ilu *ilu, const double *r, double *z)
{
    Solving s = {ilu, r, z};
    (void)rows_in_order(ilu->flow, ROWS_LOWER, z, solve_lower, &s);
    (void)rows_in_order(ilu->flow, ROWS_UPPER, z, solve_upper, &s);
}

void ilu_free(Ilu *ilu)
{
    mem_free_all(ilu->val, ilu->inverse, ilu->upper);
    *ilu = (Ilu){0};
}
