/* Cycles over the levels. */
#include "solvers/multilevel/levels.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

/* ---- multiplicative ------------------------------------------------------------------------ */

/* y_i becomes y_i z_I / y_I. */
void cycle_spread(int32_t n, const int32_t *group, const Coarse *coarse, double *z, double *y)
{
    double before = 0, after = 0;
    for (int32_t g = 0; g < coarse->flow.n; g++) {
        before += coarse->y[g];
        after += z[g];
    }
    for (int32_t g = 0; g < coarse->flow.n; g++)
        z[g] = z[g] * (before / after) / coarse->y[g];
    for (int32_t i = 0; i < n; i++)
        y[i] *= z[group[i]];
}

void flows_lift(int32_t n, double *y)
{
    const double least = 1e-100 * vector_sum(y, n);
    for (int32_t i = 0; i < n; i++)
        if (!(y[i] > least))
            y[i] = least;
}

PepaStatus cycle_solve_few(const Flow *flow, double *y)
{
    Dense dense;
    PepaStatus status = dense_new(&dense, flow);
    if (status == PEPA_OK)
        memcpy(y, dense.y, (size_t)flow->n * sizeof *y);
    dense_free(&dense);
    return status;
}

/* Groups of about four: groups of groups.  group: flow->n, out. */
static PepaStatus group_twice(const Flow *flow, const double *y, int32_t *group, Coarse *out)
{
    Coarse half = {0};
    int32_t *again = NULL;
    PepaStatus status = coarse_new(&half, flow, y, group, group_states(flow, y, group), NULL);
    *out = half;
    if (status != PEPA_OK || half.flow.n <= COARSEST)
        return status;
    *out = (Coarse){0};
    status = PEPA_ENOMEM;
    if (mem_new(again, half.flow.n))
        status = coarse_new(out, &half.flow, half.y, again, group_states(&half.flow, half.y, again),
                            NULL);
    if (status == PEPA_OK)
        for (int32_t i = 0; i < flow->n; i++)
            group[i] = again[group[i]];
    coarse_free(&half);
    mem_free(again);
    return status;
}

static PepaStatus group_for(const Flow *flow, const double *y, CycleKind kind, int32_t *group,
                            Coarse *out)
{
    return kind == CYCLE_W ? group_twice(flow, y, group, out)
                           : coarse_new(out, flow, y, group, group_states(flow, y, group), NULL);
}

/* A W-cycle goes to the groups twice, unless their chain has not much fewer entries. */
static PepaStatus solve_groups(const Flow *flow, const Flow *groups, CycleKind kind, double *z)
{
    const bool twice =
        kind == CYCLE_W && (double)flow_work(groups) <= AGAIN_WORK * (double)flow_work(flow);
    PepaStatus status = cycle_groups(groups, kind, z);
    return twice && status == PEPA_OK ? cycle_groups(groups, kind, z) : status;
}

/* The groups' share of a cycle. */
static PepaStatus correct(const Flow *flow, CycleKind kind, double *y)
{
    Coarse coarse = {0};
    double *z = NULL;
    int32_t *group = NULL;
    PepaStatus status = PEPA_ENOMEM;
    if (mem_new(group, flow->n))
        status = group_for(flow, y, kind, group, &coarse);
    if (status == PEPA_OK && !mem_new(z, coarse.flow.n))
        status = PEPA_ENOMEM;
    if (status == PEPA_OK) {
        memcpy(z, coarse.y, (size_t)coarse.flow.n * sizeof *z);
        status = coarse.flow.n < flow->n ? solve_groups(flow, &coarse.flow, kind, z) : PEPA_OK;
    }
    if (status == PEPA_OK)
        cycle_spread(flow->n, group, &coarse, z, y);
    coarse_free(&coarse);
    mem_free_all(group, z);
    return status;
}

PepaStatus cycle_groups(const Flow *flow, CycleKind kind, double *y)
{
    if (flow->n <= COARSEST)
        return cycle_solve_few(flow, y);
    for (int32_t k = 0; k < CYCLE_SWEEPS; k++)
        (void)flow_sweep(flow, y);
    flows_lift(flow->n, y);
    PepaStatus status = correct(flow, kind, y);
    for (int32_t k = 0; k < CYCLE_SWEEPS; k++)
        (void)flow_sweep(flow, y);
    return status;
}

/* ---- levels that are kept ------------------------------------------------------------------ */

/* Groups for the level, and the level after it in `next`. */
static PepaStatus link(Level *level, Level *next)
{
    size_t n = (size_t)level->flow.n;
    if (!(mem_new(level->group, n) && mem_new(level->share, n)))
        return PEPA_ENOMEM;
    PepaStatus status = group_twice(&level->flow, level->y, level->group, &next->owner);
    if (status != PEPA_OK)
        return status;
    next->flow = next->owner.flow;
    next->y = next->owner.y;
    for (size_t i = 0; i < n; i++)
        level->share[i] = level->y[i] / next->y[level->group[i]];
    return PEPA_OK;
}

/* Working memory of a level.  The finest needs no vectors: its caller has them. */
static PepaStatus reserve(Level *level, bool finest, int32_t steps)
{
    size_t vectors = 2 + 2 * (size_t)steps;
    size_t n = (size_t)level->flow.n;
    if (!mem_new(level->inverse, n) || !(finest || mem_new(level->work, n * vectors)))
        return PEPA_ENOMEM;
    for (size_t i = 0; i < n; i++)
        level->inverse[i] = 1 / level->y[i];
    return PEPA_OK;
}

/* PEPA_OK, PEPA_ENOMEM, or PEPA_ENOCONV: states cannot be grouped. */
static PepaStatus levels_new(Levels *out, const Flow *flow, const double *y, int32_t steps)
{
    const int32_t most = 64;
    Levels all = {.count = 1, .steps = steps};
    all.levels = mem_calloc((size_t)most, sizeof *all.levels);
    PepaStatus status = all.levels ? PEPA_OK : PEPA_ENOMEM;
    if (status == PEPA_OK) {
        all.levels[0].flow = *flow;
        all.levels[0].flow.b = NULL;
        all.levels[0].y = y;
        status = reserve(&all.levels[0], true, steps);
    }
    while (status == PEPA_OK && all.count < most) {
        Level *level = &all.levels[all.count - 1];
        if (level->flow.n <= COARSEST)
            break;
        all.count++;
        status = link(level, level + 1);
        if (status == PEPA_OK && level[1].flow.n > level->flow.n / 10 * 9)
            status = PEPA_ENOCONV;
        if (status == PEPA_OK)
            status = reserve(level + 1, false, steps);
    }
    if (status == PEPA_OK)
        status = dense_new(&all.last, &all.levels[all.count - 1].flow);
    if (status != PEPA_OK)
        levels_free(&all);
    *out = all;
    return status;
}

void levels_free(Levels *levels)
{
    for (int32_t l = 0; levels->levels && l < levels->count; l++) {
        Level *level = &levels->levels[l];
        coarse_free(&level->owner);
        mem_free_all(level->inverse, level->group, level->share, level->work);
    }
    dense_free(&levels->last);
    mem_free(levels->levels);
    *levels = (Levels){0};
}

double levels_bytes(const Flow *flow)
{
    return LEVEL_ENTRY_BYTES * (double)flow->row[flow->n] + LEVEL_STATE_BYTES * flow->n;
}

bool levels_renew(Levels *levels, Attempt *try, double *y, int32_t steps)
{
    levels_free(levels);
    flows_lift(try->flow->n, y);
    PepaStatus status = levels_new(levels, try->flow, y, steps);
    if (status == PEPA_ENOCONV)
        try->why = "found no groups of states";
    else
        try->status = status;
    return status == PEPA_OK;
}

/* ---- the K-cycle --------------------------------------------------------------------------- */

static void krylov(const Levels *levels, int32_t l, double *r, double *x);

/* Shares of the groups' solution, then a sweep. */
static void precondition(const Levels *levels, int32_t l, const double *b, double *x)
{
    const Level *level = &levels->levels[l], *next = level + 1;
    int32_t n = level->flow.n, groups = next->flow.n;
    double *sums = next->work, *z = sums + groups;
    memset(sums, 0, (size_t)groups * sizeof *sums);
    for (int32_t i = 0; i < n; i++)
        sums[level->group[i]] += b[i];
    krylov(levels, l + 1, sums, z);
    for (int32_t i = 0; i < n; i++)
        x[i] = level->share[i] * z[level->group[i]];
    Flow with = level->flow;
    with.b = b;
    (void)flow_sweep(&with, x);
}

/* A step of GCR on a coarser level: a new direction p with its image ap, orthogonal to the `steps`
 * images before it; x gets its share, r becomes the residual.
 *   vectors  steps + 1 pairs of p and ap.  Returns what r loses, in the norm. */
static double step(const Levels *levels, int32_t l, int32_t steps, double *vectors, double *length,
                   double *r, double *x)
{
    const Level *level = &levels->levels[l];
    const double *w = level->inverse;
    size_t n = (size_t)level->flow.n;
    double *p = vectors + 2 * (size_t)steps * n, *ap = p + n, along = 0;
    precondition(levels, l, r, p);
    flow_apply(&level->flow, p, ap);
    for (int32_t e = 0; e < steps; e++) {
        const double *q = vectors + 2 * (size_t)e * n, *aq = q + n;
        double share = 0;
        for (size_t i = 0; i < n; i++)
            share += ap[i] * aq[i] * w[i];
        share /= length[e];
        for (size_t i = 0; i < n; i++) {
            p[i] -= share * q[i];
            ap[i] -= share * aq[i];
        }
    }
    length[steps] = 0;
    for (size_t i = 0; i < n; i++) {
        length[steps] += ap[i] * ap[i] * w[i];
        along += ap[i] * r[i] * w[i];
    }
    if (!(length[steps] > 0))
        return 0;
    double factor = along / length[steps];
    for (size_t i = 0; i < n; i++) {
        x[i] += factor * p[i];
        r[i] -= factor * ap[i];
    }
    return factor * along;
}

/* GCR until the residual is down to STEP_FALL, in few steps.  r: the right-hand side in, what is
 * left of it out. */
static void krylov(const Levels *levels, int32_t l, double *r, double *x)
{
    const Level *level = &levels->levels[l];
    size_t n = (size_t)level->flow.n;
    if (l == levels->count - 1) {
        dense_solve(&levels->last, r, x);
        return;
    }
    double length[MOST_STEPS], start = 0;
    for (size_t i = 0; i < n; i++)
        start += r[i] * r[i] * level->inverse[i];
    memset(x, 0, n * sizeof *x);
    double left = start;
    for (int32_t k = 0; k < levels->steps && left > STEP_FALL * STEP_FALL * start; k++) {
        double loss = step(levels, l, k, level->work + 2 * n, length, r, x);
        if (!(loss > 0))
            return;
        left -= loss;
    }
}

void levels_solve(const Levels *levels, const double *b, double *x)
{
    if (levels->count == 1)
        dense_solve(&levels->last, b, x);
    else
        precondition(levels, 0, b, x);
}
