/* The differential equations of means and covariances, and their linear systems. */
#include <math.h>
#include <string.h>

#include "fluid/dense.h"
#include "fluid/moments_private.h"

/* ---- life -------------------------------------------------------------------------------------- */

/* The net jumps of each move, by coordinate. */
static bool put_jumps(FluidMoments *m)
{
    const FluidField *f = m->field;
    const size_t moves = f->p->move_count;
    if (!mem_new_zeroed(m->first, moves + 2) || !mem_new(m->jump, f->row[f->r] + 1))
        return false;
    for (int32_t i = 0; i < f->r; i++)
        for (int32_t k = f->row[i]; k < f->row[i + 1]; k++)
            m->first[f->change[k].move + 2]++;
    for (size_t i = 0; i < moves; i++)
        m->first[i + 2] += m->first[i + 1];
    for (int32_t i = 0; i < f->r; i++)
        for (int32_t k = f->row[i]; k < f->row[i + 1]; k++)
            m->jump[m->first[f->change[k].move + 1]++] = (MomentJump){i, f->change[k].by};
    return true;
}

void moments_start(FluidMoments *m)
{
    const Population *p = m->field->p;
    const int32_t *free = m->field->free;
    double *c = moments_covariances(m, m->y);
    memset(m->y, 0, m->size * sizeof *m->y);
    field_start(m->field, m->y);
    for (int32_t i = 0; i < m->r && p->by_chance; i++)
        for (int32_t k = 0; k < m->r; k++)
            if (field_slot(p, free[i]) == field_slot(p, free[k])) {
                const double x = p->initial[free[i]], y = p->initial[free[k]];
                c[(ptrdiff_t)i * m->r + k] = (i == k ? x : 0) - x * y / p->total[free[i]];
            }
}

PepaStatus fluid_moments_new(FluidMoments **out, FluidField *field, double tolerance,
                             PepaError *err)
{
    const size_t r = (size_t)field->r, square = r * r;
    FluidMoments *m = mem_calloc(1, sizeof *m);
    if (!m)
        return error_memory(err);
    *m = (FluidMoments){.field = field, .r = field->r, .size = r + square, .tolerance = tolerance};
    PepaStatus status = smooth_new(&m->smooth, field, err);
    bool ok = status == PEPA_OK && put_jumps(m) && mem_new_zeroed(m->y, m->size) &&
              mem_new(m->next, m->size) && mem_new(m->at, m->size) && mem_new(m->sum, m->size) &&
              mem_new_zeroed(m->shift, r) && mem_new(m->jacobian, square) &&
              mem_new(m->lu, square) && mem_new(m->scaled, square) && mem_new(m->pivot, r);
    for (int32_t i = 0; i < MOMENT_STAGES && ok; i++)
        ok = mem_new(m->k[i], m->size);
    if (status == PEPA_OK)
        status = ok ? lyapunov_new(&m->lyapunov, field->r, err) : error_memory(err);
    if (status != PEPA_OK) {
        fluid_moments_free(m);
        return status;
    }
    moments_start(m);
    *out = m;
    return PEPA_OK;
}

void fluid_moments_free(FluidMoments *m)
{
    if (!m)
        return;
    smooth_free(&m->smooth);
    lyapunov_free(m->lyapunov);
    for (int32_t i = 0; i < MOMENT_STAGES; i++)
        mem_free(m->k[i]);
    mem_free_all(m->first, m->jump, m->y, m->next, m->at, m->sum, m->shift, m->jacobian, m->lu,
                 m->scaled, m->pivot, m);
}

void fluid_moments_linearise(FluidMoments *m)
{
    moments_start(m);
    memset(m->shift, 0, (size_t)m->r * sizeof *m->shift);
    m->smooth.first_order = true;
    m->t = m->step = 0;
    m->steps = 0;
}

/* ---- the right-hand side ----------------------------------------------------------------------- */

void moments_expectations(FluidMoments *m, const double *y, double *f, double *j, double *d)
{
    const Population *p = m->field->p;
    const int32_t r = m->r;
    smooth_evaluate(&m->smooth, y, y + r, p->flow_count);
    memset(f, 0, (size_t)r * sizeof *f);
    memset(j, 0, (size_t)r * (size_t)r * sizeof *j);
    memset(d, 0, (size_t)r * (size_t)r * sizeof *d);
    for (size_t i = 0; i < p->move_count; i++) {
        const double rate = m->smooth.mean[p->moves[i].rate];
        const double *slope = smooth_slope(&m->smooth, p->moves[i].rate);
        for (size_t a = m->first[i]; a < m->first[i + 1]; a++) {
            const MomentJump x = m->jump[a];
            f[x.coordinate] += x.by * rate;
            for (int32_t k = 0; k < r; k++)
                j[(ptrdiff_t)x.coordinate * r + k] += x.by * slope[k];
            for (size_t b = m->first[i]; b < m->first[i + 1]; b++)
                d[(ptrdiff_t)x.coordinate * r + m->jump[b].coordinate] +=
                    x.by * m->jump[b].by * rate;
        }
    }
}

void moments_change(FluidMoments *m, const double *y, double *f)
{
    const int32_t r = m->r;
    const double *c = y + r;
    double *to = moments_covariances(m, f);
    moments_expectations(m, y, f, m->jacobian, to);
    for (int32_t i = 0; i < r; i++)
        for (int32_t k = 0; k < r; k++) {
            const double by = m->jacobian[(ptrdiff_t)i * r + k];
            for (int32_t l = 0; l < r && by != 0; l++) {
                const double x = by * c[(ptrdiff_t)k * r + l];
                to[(ptrdiff_t)i * r + l] += x;
                to[(ptrdiff_t)l * r + i] += x;
            }
        }
}

/* ---- linear systems ---------------------------------------------------------------------------- */

double moments_root(const FluidMoments *m, int32_t coordinate)
{
    return sqrt(m->field->scale[coordinate]);
}

/* to = alpha + beta J there. */
static void put_scaled(const FluidMoments *m, const double *j, double alpha, double beta,
                       double *to)
{
    for (int32_t i = 0; i < m->r; i++)
        for (int32_t k = 0; k < m->r; k++)
            to[(ptrdiff_t)i * m->r + k] = (i == k ? alpha : 0) + beta * j[(ptrdiff_t)i * m->r + k] *
                                                                     moments_root(m, k) /
                                                                     moments_root(m, i);
}

bool moments_factor_means(FluidMoments *m, double alpha, double beta)
{
    put_scaled(m, m->jacobian, alpha, beta, m->lu);
    return lu_factor(m->r, m->lu, m->pivot);
}

void moments_solve_means(const FluidMoments *m, double *x)
{
    for (int32_t i = 0; i < m->r; i++)
        x[i] /= moments_root(m, i);
    lu_solve(m->r, m->lu, m->pivot, x);
    for (int32_t i = 0; i < m->r; i++)
        x[i] *= moments_root(m, i);
}

PepaStatus moments_factor_covariances(FluidMoments *m, double by, bool *stable, PepaError *err)
{
    put_scaled(m, m->jacobian, by > 0 ? -0.5 : 0, by > 0 ? by : 1, m->scaled);
    return lyapunov_factor(m->lyapunov, m->scaled, stable, err);
}

void moments_solve_covariances(const FluidMoments *m, double *c)
{
    for (int32_t pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < m->r; i++)
            for (int32_t k = 0; k < m->r; k++) {
                const double size = moments_root(m, i) * moments_root(m, k);
                c[(ptrdiff_t)i * m->r + k] *= pass ? size : 1 / size;
            }
        if (pass == 0)
            lyapunov_solve(m->lyapunov, c, c);
    }
}

void moments_shift(FluidMoments *m, double h)
{
    const int32_t r = m->r;
    double *f = m->k[0], *second = m->k[1], *d = m->k[2];
    m->smooth.first_order = false;
    moments_expectations(m, m->y, second, m->jacobian, d);
    m->smooth.first_order = true;
    moments_expectations(m, m->y, f, m->jacobian, d);
    for (int32_t i = 0; i < r; i++)
        f[i] = isfinite(h) ? m->shift[i] + h * (second[i] - f[i]) : second[i] - f[i];
    if (!moments_factor_means(m, isfinite(h) ? 1 : 0, isfinite(h) ? -h : -1))
        return;
    moments_solve_means(m, f);
    memcpy(m->shift, f, (size_t)r * sizeof *f);
}

/* ---- at the present moments -------------------------------------------------------------------- */

PepaStatus moments_check(const FluidMoments *m, PepaError *err)
{
    const Population *p = m->field->p;
    const double slack = 0.05, rounding = 10 * m->tolerance;
    field_expand(m->field, m->y, m->field->x);
    for (int32_t i = 0; i < p->variables && !m->smooth.first_order; i++)
        if (!(m->field->x[i] >= -slack - rounding * p->total[i]))
            return error_set(err, PEPA_ENOCONV, "the mean of `%.100s` comes to %.2g",
                             field_name(p, i), m->field->x[i]);
    return PEPA_OK;
}

const Smooth *fluid_moments_look(FluidMoments *m)
{
    smooth_evaluate(&m->smooth, m->y, moments_covariances(m, m->y), m->field->p->rates.count);
    return &m->smooth;
}

const Smooth *fluid_moments_shifted(FluidMoments *m)
{
    const bool first_order = m->smooth.first_order;
    for (int32_t i = 0; i < m->r; i++)
        m->at[i] = m->y[i] + m->shift[i];
    m->smooth.first_order = false;
    smooth_evaluate(&m->smooth, m->at, moments_covariances(m, m->y), m->field->p->rates.count);
    m->smooth.first_order = first_order;
    return &m->smooth;
}

int64_t fluid_moments_steps(const FluidMoments *m)
{
    return m->steps;
}
