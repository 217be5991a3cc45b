/* Integrates means and covariances. */
#include "fluid/moments.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "fluid/dense.h"
#include "fluid/lyapunov.h"

/* ROS34PW2.  Stage i:  k_i = h f(y + sum_j a_ij k_j) + h A sum_j g_ij k_j, j <= i, g_ii = gamma. */
enum { STAGES = 4 };
static const double stage_gamma = 0.43586652150845900;
static const double stage_a[STAGES][STAGES] = {{0},
                                               {0.87173304301691801},
                                               {0.84457060015369423, -0.11299064236484185},
                                               {0, 0, 1}};
static const double stage_g[STAGES][STAGES] = {{0},
                                               {-0.87173304301691801},
                                               {-0.90338057013044082, 0.054180672388095326},
                                               {0.24212380706095346, -1.2232505839045147,
                                                0.54526025533510214}};
static const double weight[STAGES] = {0.24212380706095346, -1.2232505839045147, 1.5452602553351020,
                                      0.43586652150845900};
static const double weight_2[STAGES] = {0.37810903145819369, -0.096042292212423178, 0.5,
                                        0.21793326075422950};

typedef struct {
    int32_t coordinate;
    double by;
} Jump;

/* Vectors hold r means and r x r covariances behind each other, in components. */
struct FluidMoments {
    Smooth smooth;
    FluidField *field;
    int32_t r;
    size_t size;   /* r + r x r */
    size_t *first; /* per move, and for the end: its jumps */
    Jump *jump;
    double *y, *next, *at, *sum;
    double *k[STAGES];
    double *jacobian, *lu, *scaled; /* r x r; lu and scaled: of components over roots of totals */
    int32_t *pivot;
    Lyapunov *lyapunov;
    double t, step, tolerance;
    int64_t steps;
};

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
            m->jump[m->first[f->change[k].move + 1]++] = (Jump){i, f->change[k].by};
    return true;
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
              mem_new(m->jacobian, square) && mem_new(m->lu, square) &&
              mem_new(m->scaled, square) && mem_new(m->pivot, r);
    for (int32_t i = 0; i < STAGES && ok; i++)
        ok = mem_new(m->k[i], m->size);
    if (status == PEPA_OK)
        status = ok ? lyapunov_new(&m->lyapunov, field->r, err) : error_memory(err);
    if (status != PEPA_OK) {
        fluid_moments_free(m);
        return status;
    }
    field_start(field, m->y);
    *out = m;
    return PEPA_OK;
}

void fluid_moments_free(FluidMoments *m)
{
    if (!m)
        return;
    smooth_free(&m->smooth);
    lyapunov_free(m->lyapunov);
    for (int32_t i = 0; i < STAGES; i++)
        mem_free(m->k[i]);
    mem_free_all(m->first, m->jump, m->y, m->next, m->at, m->sum, m->jacobian, m->lu, m->scaled,
                 m->pivot, m);
}

/* ---- the right-hand side ----------------------------------------------------------------------- */

static double *covariances(const FluidMoments *m, double *vector)
{
    return vector + m->r;
}

/* E f, E J and E D, of the moments y. */
static void expectations(FluidMoments *m, const double *y, double *f, double *j, double *d)
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
            const Jump x = m->jump[a];
            f[x.coordinate] += x.by * rate;
            for (int32_t k = 0; k < r; k++)
                j[(ptrdiff_t)x.coordinate * r + k] += x.by * slope[k];
            for (size_t b = m->first[i]; b < m->first[i + 1]; b++)
                d[(ptrdiff_t)x.coordinate * r + m->jump[b].coordinate] +=
                    x.by * m->jump[b].by * rate;
        }
    }
}

/* f = dy/dt; J is kept in m->jacobian. */
static void change(FluidMoments *m, const double *y, double *f)
{
    const int32_t r = m->r;
    const double *c = y + r;
    double *to = covariances(m, f);
    expectations(m, y, f, m->jacobian, to);
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

/* ---- one step ---------------------------------------------------------------------------------- */

/* Populations over the roots of their totals, where means and covariances are of size 1 or so. */
static double root(const FluidMoments *m, int32_t coordinate)
{
    return sqrt(m->field->scale[coordinate]);
}

/* to = alpha + beta J there. */
static void put_scaled(const FluidMoments *m, const double *j, double alpha, double beta,
                       double *to)
{
    for (int32_t i = 0; i < m->r; i++)
        for (int32_t k = 0; k < m->r; k++)
            to[(ptrdiff_t)i * m->r + k] =
                (i == k ? alpha : 0) + beta * j[(ptrdiff_t)i * m->r + k] * root(m, k) / root(m, i);
}

/* Prepare for (alpha + beta J) x = y. */
static bool factor_means(FluidMoments *m, double alpha, double beta)
{
    put_scaled(m, m->jacobian, alpha, beta, m->lu);
    return lu_factor(m->r, m->lu, m->pivot);
}

static void solve_means(const FluidMoments *m, double *x)
{
    for (int32_t i = 0; i < m->r; i++)
        x[i] /= root(m, i);
    lu_solve(m->r, m->lu, m->pivot, x);
    for (int32_t i = 0; i < m->r; i++)
        x[i] *= root(m, i);
}

/* Prepare for X - by (J X + X J') = Y, or for J X + X J' + Y = 0 if by is 0. */
static PepaStatus factor_covariances(FluidMoments *m, double by, bool *stable, PepaError *err)
{
    put_scaled(m, m->jacobian, by > 0 ? -0.5 : 0, by > 0 ? by : 1, m->scaled);
    return lyapunov_factor(m->lyapunov, m->scaled, stable, err);
}

static void solve_covariances(const FluidMoments *m, double *c)
{
    for (int32_t pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < m->r; i++)
            for (int32_t k = 0; k < m->r; k++) {
                const double size = root(m, i) * root(m, k);
                c[(ptrdiff_t)i * m->r + k] *= pass ? size : 1 / size;
            }
        if (pass == 0)
            lyapunov_solve(m->lyapunov, c, c);
    }
}

static void solve_all(const FluidMoments *m, double *x)
{
    solve_means(m, x);
    solve_covariances(m, covariances(m, x));
}

static void combine(const FluidMoments *m, const double *of, int32_t count, double *to)
{
    memset(to, 0, m->size * sizeof *to);
    for (int32_t j = 0; j < count; j++)
        for (size_t i = 0; i < m->size && of[j] != 0; i++)
            to[i] += of[j] * m->k[j][i];
}

/* The size of an entry's error that is allowed. */
static double allowed(const FluidMoments *m, size_t i)
{
    const double *scale = m->field->scale;
    const size_t r = (size_t)m->r;
    const double size = i < r ? scale[i] : sqrt(scale[(i - r) / r] * scale[(i - r) % r]);
    return m->tolerance * fmax(fmax(fabs(m->y[i]), fabs(m->next[i])), 1e-2 * size);
}

/* next: after a step of length h from y, where k[0] holds dy/dt and the Jacobian is factored.  Its
 * error, relative to what is allowed.  With S = sum_j g_ij k_j and L = 1 - gamma h A,
 *     k_i = L^-1 (h f + S / gamma) - S / gamma. */
static double try_step(FluidMoments *m, double h)
{
    double worst = 0;
    for (int32_t s = 0; s < STAGES; s++) {
        double *k = m->k[s];
        combine(m, stage_a[s], s, m->at);
        for (size_t i = 0; i < m->size && s > 0; i++)
            m->at[i] += m->y[i];
        if (s > 0)
            change(m, m->at, k);
        combine(m, stage_g[s], s, m->sum);
        for (size_t i = 0; i < m->size; i++)
            k[i] = h * k[i] + m->sum[i] / stage_gamma;
        solve_all(m, k);
        for (size_t i = 0; i < m->size; i++)
            k[i] -= m->sum[i] / stage_gamma;
    }
    combine(m, weight, STAGES, m->next);
    combine(m, weight_2, STAGES, m->sum);
    for (size_t i = 0; i < m->size; i++) {
        const double error = m->next[i] - m->sum[i];
        m->next[i] += m->y[i];
        const double share = fabs(error) / allowed(m, i);
        if (!(share <= worst)) /* also if it is not a number */
            worst = share;
    }
    return worst;
}

static PepaStatus no_step(const FluidMoments *m, PepaError *err)
{
    return error_set(err, PEPA_ENOCONV,
                     "means and covariances cannot be followed beyond time %g: no step succeeds, "
                     "however short; use the fluid limit alone, or simulate",
                     m->t);
}

/* One step, to `end` at most. */
static PepaStatus advance(FluidMoments *m, double end, PepaError *err)
{
    const double order = 3, shrink = 0.2, grow = 5, safety = 0.9;
    for (;;) {
        change(m, m->y, m->k[0]); /* a step that failed has overwritten it */
        const bool last = m->t + m->step >= end;
        const double h = last ? end - m->t : m->step;
        bool stable = true;
        PepaStatus status = factor_covariances(m, stage_gamma * h, &stable, err);
        if (status != PEPA_OK)
            return status;
        const bool ready = stable && factor_means(m, 1, -stage_gamma * h);
        const double error = ready ? try_step(m, h) : INFINITY;
        m->steps++;
        const double by = isfinite(error) ? safety * pow(fmax(error, 1e-9), -1 / order) : shrink;
        if (!last || error > 1)
            m->step = h * fmin(fmax(by, shrink), grow);
        if (error <= 1) {
            memcpy(m->y, m->next, m->size * sizeof *m->y);
            m->t = last ? end : m->t + h;
            return PEPA_OK;
        }
        if (!(m->t + m->step > m->t))
            return no_step(m, err);
    }
}

/* The mean of no population is below 0 by more than half a component in ten: else normally
 * distributed populations are too far from what they stand for. */
static PepaStatus check_populations(const FluidMoments *m, PepaError *err)
{
    const Population *p = m->field->p;
    const double slack = 0.05, rounding = 10 * m->tolerance;
    field_expand(m->field, m->y, m->field->x);
    for (int32_t i = 0; i < p->variables; i++)
        if (!(m->field->x[i] >= -slack - rounding * p->total[i]))
            return error_set(err, PEPA_ENOCONV,
                             "fluctuations are too large for these populations: a mean is %.2g; "
                             "use the fluid limit alone, or simulate",
                             m->field->x[i]);
    return PEPA_OK;
}

/* A first step after which the populations have hardly moved. */
static void start_small(FluidMoments *m)
{
    double most = 0;
    change(m, m->y, m->k[0]);
    for (int32_t i = 0; i < m->r; i++)
        most = fmax(most, fabs(m->k[0][i]) / m->field->scale[i]);
    m->step = most > 0 && isfinite(most) ? 1e-2 * cbrt(m->tolerance) / most : 1;
}

/* most: steps in all. */
static PepaStatus run_to(FluidMoments *m, double time, int64_t most, const PepaSettings *set,
                         PepaError *err)
{
    enum { STEPS_A_LOOK = 64 };
    const double began = clock_seconds();
    PepaStatus status = PEPA_OK;
    if (m->step == 0)
        start_small(m);
    while (m->t < time && status == PEPA_OK && m->r > 0) {
        if (m->steps >= most)
            return no_step(m, err);
        status = advance(m, time, err);
        const PepaProgress now = {.phase = "fluid",
                                  .count = m->steps,
                                  .measure = m->t / time,
                                  .seconds = clock_seconds() - began,
                                  .left = -1};
        if (status == PEPA_OK && set->progress && m->steps % STEPS_A_LOOK == 0 &&
            set->progress(set->user, &now))
            status = error_set(err, PEPA_ECANCEL, "cancelled");
    }
    return status;
}

PepaStatus fluid_moments_run(FluidMoments *m, double time, const PepaSettings *set, PepaError *err)
{
    enum { MOST_STEPS = 1000000 };
    const PepaStatus status = run_to(m, time, MOST_STEPS, set, err);
    return status == PEPA_OK ? check_populations(m, err) : status;
}

/* ---- the long run ------------------------------------------------------------------------------ */

/* Means for the covariances of y, by Newton's method; how far they moved, in shares. */
static double settle_means(FluidMoments *m)
{
    enum { ITERATIONS = 50 };
    double moved = 0;
    for (int32_t i = 0; i < ITERATIONS; i++) {
        double most = 0;
        expectations(m, m->y, m->k[0], m->jacobian, covariances(m, m->k[0]));
        if (!factor_means(m, 0, -1))
            return INFINITY;
        solve_means(m, m->k[0]);
        for (int32_t k = 0; k < m->r; k++) {
            m->y[k] += m->k[0][k];
            most = fmax(most, fabs(m->k[0][k]) / m->field->scale[k]);
        }
        moved = fmax(moved, most);
        if (!(most > 1e-13))
            break;
        if (!isfinite(most) || i + 1 == ITERATIONS)
            return INFINITY;
    }
    return moved;
}

/* Covariances for the means of y, by Lyapunov's equation; how far they moved, in shares: infinite
 * if there are none. */
static PepaStatus settle_covariances(FluidMoments *m, double *moved, PepaError *err)
{
    const int32_t r = m->r;
    bool stable;
    double *c = covariances(m, m->y), *d = covariances(m, m->k[0]);
    expectations(m, m->y, m->k[0], m->jacobian, d);
    const PepaStatus status = factor_covariances(m, 0, &stable, err);
    if (status != PEPA_OK)
        return status;
    *moved = stable ? 0 : INFINITY;
    if (stable)
        solve_covariances(m, d);
    for (int32_t i = 0; i < r && stable; i++)
        for (int32_t k = 0; k < r; k++) {
            const ptrdiff_t at = (ptrdiff_t)i * r + k;
            *moved = fmax(*moved, fabs(d[at] - c[at]) / (root(m, i) * root(m, k)));
            c[at] = d[at];
        }
    return PEPA_OK;
}

/* By turns from y on.  *there: both stay where they are. */
static PepaStatus take_turns(FluidMoments *m, bool *there, PepaError *err)
{
    enum { TURNS = 50 };
    const double enough = 1e-10;
    double spread = 0;
    *there = false;
    for (int32_t i = 0; i < TURNS && !*there; i++) {
        const double moved = settle_means(m);
        if (!isfinite(moved) || !isfinite(spread))
            return PEPA_OK;
        const PepaStatus status = settle_covariances(m, &spread, err);
        if (status != PEPA_OK)
            return status;
        m->steps++;
        *there = i > 0 && moved <= enough && spread <= enough;
    }
    return PEPA_OK;
}

/* Over as much time again as it took to come here, nothing has moved by more than steps' errors. */
static bool stays(FluidMoments *m, const double *before)
{
    const double slack = 30;
    memcpy(m->next, before, m->size * sizeof *before);
    for (size_t i = 0; i < m->size; i++)
        if (!(fabs(m->y[i] - before[i]) <= slack * allowed(m, i)))
            return false;
    return true;
}

/* As in settle.c: where the fluid limit is a state that fluctuations make impossible, such as a
 * queue of nearly nobody, the way to another one is followed in time. */
static PepaStatus follow(FluidMoments *m, double time, const PepaSettings *set, bool *there,
                         PepaError *err)
{
    enum { DOUBLINGS = 24, MOST_STEPS = 20000 };
    const size_t bytes = m->size * sizeof *m->y;
    PepaStatus status = PEPA_OK;
    double *before = NULL;
    if (!mem_new(before, m->size))
        return error_memory(err);
    memset(m->y, 0, bytes);
    field_start(m->field, m->y);
    for (int32_t i = 0; i < DOUBLINGS && status == PEPA_OK; i++) {
        status = run_to(m, time, MOST_STEPS, set, err);
        if (status != PEPA_OK)
            break;
        *there = i > 0 && stays(m, before);
        if (*there)
            break;
        memcpy(before, m->y, bytes);
        status = take_turns(m, there, err);
        if (*there)
            break;
        memcpy(m->y, before, bytes);
        time *= 2;
    }
    mem_free(before);
    return status == PEPA_ENOCONV ? PEPA_OK : status;
}

PepaStatus fluid_moments_settle(FluidMoments *m, const double *z, double time,
                                const PepaSettings *set, PepaError *err)
{
    bool there;
    memset(m->y, 0, m->size * sizeof *m->y);
    memcpy(m->y, z, (size_t)m->r * sizeof *z);
    PepaStatus status = take_turns(m, &there, err);
    if (status == PEPA_OK && !there)
        status = follow(m, time, set, &there, err);
    if (status != PEPA_OK || there)
        return status == PEPA_OK ? check_populations(m, err) : status;
    return error_set(err, PEPA_ENOCONV,
                     "means and covariances do not settle together: the populations are too small, "
                     "or too near to where a rate changes; use the fluid limit alone, or simulate");
}

const Smooth *fluid_moments_look(FluidMoments *m)
{
    smooth_evaluate(&m->smooth, m->y, covariances(m, m->y), m->field->p->rates.count);
    return &m->smooth;
}

int64_t fluid_moments_steps(const FluidMoments *m)
{
    return m->steps;
}
