/* Solving with factors: each front's pivots and the states that these lead to are a dense block.
 *
 * With v the visits and a the chances, both as front_eliminate leaves them, and o the chances to leave,
 * D - A = L U, L_ik = -v_ik for i > k, U_kk = o_k, U_kj = -a_kj for j > k. */
#include "solvers/direct/factors_solve.h"

#include <string.h>

#include "solvers/lanes.h"

/* One front. */
typedef struct {
    const double *visits, *later;
    size_t stride; /* of visits */
    const int32_t *row, *column;
    int32_t pivots, rows, left; /* left: columns of states beside the pivots */
} Block;

/* ---- rows of numbers ------------------------------------------------------------------------ */

static INLINE double dot(const double *restrict a, const double *restrict b, int32_t n)
{
    Lanes sum[2] = {{0}};
    double rest = 0;
    int32_t j = 0;
    for (; j + 2 * LANES <= n; j += 2 * LANES) {
        sum[0] += *(const LanesAt *)(a + j) * *(const LanesAt *)(b + j);
        sum[1] += *(const LanesAt *)(a + j + LANES) * *(const LanesAt *)(b + j + LANES);
    }
    for (; j < n; j++)
        rest += a[j] * b[j];
    sum[0] += sum[1];
    return lanes_sum(&sum[0]) + rest;
}

static INLINE void add_times(double *restrict to, const double *restrict from, double factor,
                             int32_t n)
{
    for (int32_t j = 0; j < n; j++)
        to[j] += factor * from[j];
}

/* ---- fronts, from the first to the last and back --------------------------------------------- */

static INLINE Block block_of(const Elimination *e, int32_t f, const double *visits,
                             const double *later)
{
    const Fronts *fronts = &e->fronts;
    const bool last = f == fronts->count - 1;
    return (Block){.visits = last ? e->now.a : visits,
                   .later = later,
                   .stride = (size_t)(last ? e->now.stride : fronts->pivots[f]),
                   .row = front_states(&fronts->row, f),
                   .column = front_states(&fronts->column, f),
                   .pivots = fronts->pivots[f],
                   .rows = front_count(&fronts->row, f),
                   .left = elimination_left(e, f)};
}

static INLINE void gather(const FactorsSolve *s, const int32_t *state, int32_t count)
{
    for (int32_t j = 0; j < count; j++)
        s->part[j] = s->x[state[j]];
}

static INLINE void scatter(const FactorsSolve *s, const int32_t *state, int32_t count)
{
    for (int32_t j = 0; j < count; j++)
        s->x[state[j]] = s->part[j];
}

/* x_i += sum over the pivots k < i of v_ik x_k. */
static INLINE void forward_targets(const FactorsSolve *s, const Block *b)
{
    gather(s, b->row, b->rows);
    for (int32_t i = 0; i < b->rows; i++)
        s->part[i] +=
            dot(b->visits + (size_t)i * b->stride, s->part, i < b->pivots ? i : b->pivots);
    scatter(s, b->row, b->rows);
}

/* x_k = (x_k + sum over j > k of a_kj x_j) / o_k */
static INLINE void back_targets(const FactorsSolve *s, const Block *b)
{
    double *part = s->part;
    gather(s, b->column, b->pivots + b->left);
    for (int32_t k = b->pivots - 1; k >= 0; k--) {
        const double *row = b->visits + (size_t)k * b->stride;
        const double more = dot(row + k + 1, part + k + 1, b->pivots - k - 1) +
                            dot(b->later + (size_t)k * (size_t)b->left, part + b->pivots, b->left);
        part[k] = (part[k] + more) / s->elimination->out[b->row[k]];
    }
    scatter(s, b->row, b->pivots);
}

/* x_k = x_k / o_k, then x_j += a_kj x_k for j > k. */
static INLINE void forward_sources(const FactorsSolve *s, const Block *b)
{
    double *part = s->part;
    gather(s, b->column, b->pivots + b->left);
    for (int32_t k = 0; k < b->pivots; k++) {
        const double *row = b->visits + (size_t)k * b->stride;
        part[k] /= s->elimination->out[b->row[k]];
        add_times(part + k + 1, row + k + 1, part[k], b->pivots - k - 1);
        add_times(part + b->pivots, b->later + (size_t)k * (size_t)b->left, part[k], b->left);
    }
    scatter(s, b->column, b->pivots + b->left);
}

/* x_k += sum over i > k of v_ik x_i. */
static INLINE void back_sources(const FactorsSolve *s, const Block *b)
{
    gather(s, b->row, b->rows);
    for (int32_t i = b->rows - 1; i >= 0; i--)
        add_times(s->part, b->visits + (size_t)i * b->stride, s->part[i],
                  i < b->pivots ? i : b->pivots);
    scatter(s, b->row, b->pivots);
}

static INLINE void solve(const FactorsSolve *s, bool sources)
{
    const Elimination *e = s->elimination;
    const double *visits = e->visits, *later = e->later;
    for (int32_t f = 0; f < e->fronts.count; f++) {
        const Block b = block_of(e, f, visits, later);
        if (sources)
            forward_sources(s, &b);
        else
            forward_targets(s, &b);
        visits += elimination_visits(e, f);
        later += elimination_later(e, f);
    }
    for (int32_t f = e->fronts.count - 1; f >= 0; f--) {
        visits -= elimination_visits(e, f);
        later -= elimination_later(e, f);
        const Block b = block_of(e, f, visits, later);
        if (sources)
            back_sources(s, &b);
        else
            back_targets(s, &b);
    }
}

WIDE static void solve_wide(const FactorsSolve *s, bool sources)
{
    solve(s, sources);
}

static void solve_best(const FactorsSolve *s, bool sources)
{
    if (wide_vectors())
        solve_wide(s, sources);
    else
        solve(s, sources);
}

void factors_solve_targets(const FactorsSolve *s)
{
    solve_best(s, false);
}

void factors_solve_sources(const FactorsSolve *s)
{
    solve_best(s, true);
}
