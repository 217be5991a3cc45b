/* Incomplete LU factors without fill-in, and solving with any. */

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
        double factor = ilu->val[k] * ilu->inverse[j];
        ilu->val[k] = (float)factor;
        for (int64_t u = ilu->upper[j]; u < flow->row[j + 1]; u++) {
            int32_t c = flow->col[u];
            if (c == i)
                pivot -= factor * ilu->val[u];
            else if (place[c] >= 0)
                ilu->val[place[c]] -= (float)(factor * ilu->val[u]);
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
    *ilu = (Ilu){.flow = flow, .row = (int64_t *)flow->row, .col = (int32_t *)flow->col};
    int64_t *place = NULL;
    if (!(mem_new(ilu->val, entries) && mem_new(ilu->inverse, n) && mem_new(ilu->upper, n) &&
          mem_new(place, n))) {
        ilu_free(ilu);
        return PEPA_ENOMEM;
    }
    for (int64_t k = 0; k < flow->row[flow->n]; k++)
        ilu->val[k] = (float)-flow_val(flow, k);
    memset(place, -1, n * sizeof *place);
    for (int32_t i = 0; i < flow->n; i++)
        factor_row(ilu, i, place);
    mem_free(place);
    return PEPA_OK;
}

/* base: the first row of a block, whose entries are r[0] and z[0]. */
typedef struct {
    const Ilu *ilu;
    const double *r;
    double *z;
    int32_t base;
} Solving;

static void solve_lower(void *user, int32_t piece, int32_t first, int32_t end)
{
    const Solving *s = user;
    const Ilu *ilu = s->ilu;
    (void)piece;
    for (int32_t i = first; i < end; i++) {
        double sum = s->r[i - s->base];
        for (int64_t k = ilu->row[i]; k < ilu->upper[i]; k++)
            sum -= ilu->val[k] * s->z[ilu->col[k]];
        s->z[i - s->base] = sum;
    }
}

static void solve_upper(void *user, int32_t piece, int32_t first, int32_t end)
{
    const Solving *s = user;
    const Ilu *ilu = s->ilu;
    (void)piece;
    for (int32_t i = end - 1; i >= first; i--) {
        double sum = s->z[i - s->base];
        for (int64_t k = ilu->upper[i]; k < ilu->row[i + 1]; k++)
            sum -= ilu->val[k] * s->z[ilu->col[k]];
        s->z[i - s->base] = sum * ilu->inverse[i];
    }
}

static void solve_blocks_in_order(const Ilu *ilu, const double *r, double *z)
{
    const Flow *flow = ilu->flow;
    double part[MOST_BLOCK];
    for (int32_t first = 0, end; first < flow->n; first = end) {
        Solving s = {ilu, part, part, first};
        end = flow->n - first < ilu->block ? flow->n : first + ilu->block;
        for (int32_t i = first; i < end; i++) {
            int32_t state = ilu->order[i];
            int64_t from = flow->row[state], to = from;
            while (to < flow->row[state + 1] && flow->col[to] < first)
                to++;
            part[i - first] = flow_more(flow, z, from, to, r[state]);
        }
        solve_lower(&s, 0, first, end);
        solve_upper(&s, 0, first, end);
        for (int32_t i = first; i < end; i++)
            z[ilu->order[i]] = part[i - first];
    }
}

/* Threads can share a solution on the pattern that their plan was made for. */
void ilu_solve(const Ilu *ilu, const double *r, double *z)
{
    const int32_t n = ilu->flow->n;
    Solving s = {ilu, r, z, 0};
    if (ilu->block > 0) {
        solve_blocks_in_order(ilu, r, z);
    } else if (ilu->row == ilu->flow->row) {
        (void)rows_in_order(ilu->flow, ROWS_LOWER, z, solve_lower, &s);
        (void)rows_in_order(ilu->flow, ROWS_UPPER, z, solve_upper, &s);
    } else {
        solve_lower(&s, 0, 0, n);
        solve_upper(&s, 0, 0, n);
    }
}

void ilu_free(Ilu *ilu)
{
    if (ilu->flow && ilu->row != ilu->flow->row)
        mem_free_all(ilu->row, ilu->col);
    mem_free_all(ilu->upper, ilu->val, ilu->inverse, ilu->order);
    *ilu = (Ilu){0};
}
