/* The chain of the groups, and the solution for the few that remain. */
#include "solvers/multilevel/levels.h"

#include <string.h>

#include "base/bucket.h"
#include "base/mem.h"

/* The members of group g: member[first[g] .. first[g+1]).  first: groups + 2, all 0. */
static void list_members(int32_t n, const int32_t *group, int32_t groups, int64_t *first,
                         int32_t *member)
{
    for (int32_t i = 0; i < n; i++)
        bucket_count(first, group[i]);
    bucket_starts(first, groups);
    for (int32_t i = 0; i < n; i++)
        member[bucket_place(first, group[i])] = i;
}

/* What flows into each group from the others; c->y, what flows out, must be 0.
 *   at    groups: scratch
 *   slot  as of coarse_new, or NULL
 * Returns the number of entries. */
static int64_t add_flows(Coarse *c, const Flow *fine, const double *y, const int32_t *group,
                         const int64_t *first, const int32_t *member, int64_t *at, int32_t *slot)
{
    int64_t end = 0;
    for (int32_t g = 0; g < c->flow.n; g++) {
        c->row[g] = end;
        for (int64_t m = first[g]; m < first[g + 1]; m++) {
            int32_t i = member[m];
            for (int64_t k = fine->row[i]; k < fine->row[i + 1]; k++) {
                int32_t from = group[fine->col[k]];
                double flow = flow_val(fine, k) * y[fine->col[k]];
                if (slot)
                    slot[k] = -1;
                if (from == g)
                    continue;
                c->y[from] += flow;
                if (at[from] > c->row[g]) {
                    c->val[at[from] - 1] += flow;
                } else {
                    c->col[end] = from;
                    c->val[end] = flow;
                    at[from] = ++end;
                }
                if (slot)
                    slot[k] = (int32_t)(at[from] - 1);
            }
        }
    }
    return c->row[c->flow.n] = end;
}

/* From flows to chances. */
static void divide(Coarse *c)
{
    const double least = 1e-250;
    for (int32_t g = 0; g < c->flow.n; g++)
        if (!(c->y[g] > least))
            c->y[g] = least;
    for (int64_t k = 0; k < c->row[c->flow.n]; k++)
        c->val[k] /= c->y[c->col[k]];
}

/* Memory that is not needed is given back. */
static void finish(Coarse *c, int64_t entries)
{
    mem_trim(c->col, entries);
    mem_trim(c->val, entries);
    divide(c);
    c->flow.row = c->row;
    c->flow.col = c->col;
    c->flow.val = c->val;
}

PepaStatus coarse_new(Coarse *out, const Flow *fine, const double *y, const int32_t *group,
                      int32_t groups, int32_t *slot)
{
    size_t n = (size_t)groups, entries = (size_t)fine->row[fine->n];
    int64_t *first = NULL, *at = NULL;
    int32_t *member = NULL;
    Coarse c = {.flow = {.n = groups, .team = fine->team}};
    bool ok = mem_new(c.row, n + 1) && mem_new(c.col, entries) && mem_new(c.val, entries) &&
              mem_new_zeroed(c.y, n) && mem_new_zeroed(at, n) && mem_new_zeroed(first, n + 2) &&
              mem_new(member, fine->n);
    if (ok) {
        list_members(fine->n, group, groups, first, member);
        finish(&c, add_flows(&c, fine, y, group, first, member, at, slot));
    } else {
        coarse_free(&c);
    }
    mem_free_all(first, member, at);
    *out = c;
    return ok ? PEPA_OK : PEPA_ENOMEM;
}

void coarse_renew(Coarse *c, const Flow *fine, const double *y, const int32_t *slot)
{
    const int64_t entries = c->row[c->flow.n];
    memset(c->y, 0, (size_t)c->flow.n * sizeof *c->y);
    memset(c->val, 0, (size_t)entries * sizeof *c->val);
    for (int64_t k = 0; k < fine->row[fine->n]; k++)
        if (slot[k] >= 0)
            c->val[slot[k]] += flow_val(fine, k) * y[fine->col[k]];
    for (int64_t k = 0; k < entries; k++)
        c->y[c->col[k]] += c->val[k];
    divide(c);
}

void coarse_free(Coarse *coarse)
{
    mem_free_all(coarse->row, coarse->col, coarse->val, coarse->y);
    *coarse = (Coarse){0};
}

/* From state 0 up, b being what has flowed in from states eliminated. */
static void back_substitute(const Dense *dense, const double *b, double *x)
{
    size_t n = (size_t)dense->n;
    for (size_t k = 1; k < n; k++) {
        const double *row = dense->a + k * n;
        double sum = b ? b[k] : 0;
        for (size_t j = 0; j < k; j++)
            sum += row[j] * x[j];
        x[k] = sum / row[k];
    }
}

/* a(i, k), k eliminated: for i < k the share of k's leaving flow that goes to i, a(k, k) the flow
 * itself; for i > k, what i's row takes from k when it is its turn. */
PepaStatus dense_new(Dense *out, const Flow *flow)
{
    size_t n = (size_t)flow->n;
    Dense d = {flow->n, mem_calloc(n * n, sizeof *d.a), mem_alloc(n, sizeof *d.work),
               mem_alloc(n, sizeof *d.y)};
    if (!d.a || !d.work || !d.y) {
        dense_free(&d);
        *out = d;
        return PEPA_ENOMEM;
    }
    for (size_t i = 0; i < n; i++)
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++)
            d.a[i * n + (size_t)flow->col[k]] += flow_val(flow, k);
    for (size_t k = n - 1; k > 0; k--) {
        double leave = 0, *row = d.a + k * n;
        for (size_t i = 0; i < k; i++)
            leave += d.a[i * n + k];
        row[k] = leave > 0 ? leave : 1;
        for (size_t i = 0; i < k; i++) {
            double share = d.a[i * n + k] /= row[k];
            for (size_t j = 0; share > 0 && j < k; j++)
                d.a[i * n + j] += share * row[j];
        }
    }
    d.y[0] = 1;
    back_substitute(&d, NULL, d.y);
    double sum = vector_sum(d.y, d.n);
    for (size_t i = 0; i < n; i++)
        d.y[i] /= sum;
    *out = d;
    return PEPA_OK;
}

void dense_free(Dense *dense)
{
    mem_free_all(dense->a, dense->work, dense->y);
    *dense = (Dense){0};
}

void dense_solve(const Dense *dense, const double *b, double *x)
{
    size_t n = (size_t)dense->n;
    double *c = dense->work;
    memcpy(c, b, n * sizeof *c);
    for (size_t k = n - 1; k > 0; k--)
        for (size_t i = 0; i < k; i++)
            c[i] += dense->a[i * n + k] * c[k];
    x[0] = 0;
    back_substitute(dense, c, x);
    double sum = vector_sum(x, dense->n);
    for (size_t i = 0; i < n; i++)
        x[i] -= sum * dense->y[i];
}
