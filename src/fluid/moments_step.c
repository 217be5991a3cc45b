/* Integrates means and covariances in time. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "fluid/moments_private.h"

/* ROS34PW2.  Stage i:  k_i = h f(y + sum_j a_ij k_j) + h A sum_j g_ij k_j, j <= i, g_ii = gamma. */
static const double stage_gamma = 0.43586652150845900;
static const double stage_a[MOMENT_STAGES][MOMENT_STAGES] =
    {{0}, {0.87173304301691801}, {0.84457060015369423, -0.11299064236484185}, {0, 0, 1}};
static const double stage_g[MOMENT_STAGES][MOMENT_STAGES] =
    {{0},
     {-0.87173304301691801},
     {-0.90338057013044082, 0.054180672388095326},
     {0.24212380706095346, -1.2232505839045147, 0.54526025533510214}};
static const double weight[MOMENT_STAGES] = {0.24212380706095346, -1.2232505839045147,
                                             1.5452602553351020, 0.43586652150845900};
static const double weight_2[MOMENT_STAGES] = {0.37810903145819369, -0.096042292212423178, 0.5,
                                               0.21793326075422950};

/* ---- one step ---------------------------------------------------------------------------------- */

static void solve_all(const FluidMoments *m, double *x)
{
    moments_solve_means(m, x);
    moments_solve_covariances(m, moments_covariances(m, x));
}

static void combine(const FluidMoments *m, const double *of, int32_t count, double *to)
{
    memset(to, 0, m->size * sizeof *to);
    for (int32_t j = 0; j < count; j++)
        for (size_t i = 0; i < m->size && of[j] != 0; i++)
            to[i] += of[j] * m->k[j][i];
}

double moments_allowed(const FluidMoments *m, size_t i)
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
    for (int32_t s = 0; s < MOMENT_STAGES; s++) {
        double *k = m->k[s];
        combine(m, stage_a[s], s, m->at);
        for (size_t i = 0; i < m->size && s > 0; i++)
            m->at[i] += m->y[i];
        if (s > 0)
            moments_change(m, m->at, k);
        combine(m, stage_g[s], s, m->sum);
        for (size_t i = 0; i < m->size; i++)
            k[i] = h * k[i] + m->sum[i] / stage_gamma;
        solve_all(m, k);
        for (size_t i = 0; i < m->size; i++)
            k[i] -= m->sum[i] / stage_gamma;
    }
    combine(m, weight, MOMENT_STAGES, m->next);
    combine(m, weight_2, MOMENT_STAGES, m->sum);
    for (size_t i = 0; i < m->size; i++) {
        const double error = m->next[i] - m->sum[i];
        m->next[i] += m->y[i];
        const double share = fabs(error) / moments_allowed(m, i);
        if (!(share <= worst)) /* also if it is not a number */
            worst = share;
    }
    return worst;
}

static PepaStatus no_step(const FluidMoments *m, PepaError *err)
{
    return error_set(err, PEPA_ENOCONV, "means and covariances cannot be followed beyond time %g",
                     m->t);
}

/* One step, to `end` at most. */
static PepaStatus advance(FluidMoments *m, double end, PepaError *err)
{
    const double order = 3, shrink = 0.2, grow = 5, safety = 0.9;
    for (;;) {
        moments_change(m, m->y, m->k[0]); /* a step that failed has overwritten it */
        const bool last = m->t + m->step >= end;
        const double h = last ? end - m->t : m->step;
        bool stable = true;
        PepaStatus status = moments_factor_covariances(m, stage_gamma * h, &stable, err);
        if (status != PEPA_OK)
            return status;
        const bool ready = stable && moments_factor_means(m, 1, -stage_gamma * h);
        const double error = ready ? try_step(m, h) : INFINITY;
        m->steps++;
        const double by = isfinite(error) ? safety * pow(fmax(error, 1e-9), -1 / order) : shrink;
        if (!last || error > 1)
            m->step = h * fmin(fmax(by, shrink), grow);
        if (error <= 1) {
            memcpy(m->y, m->next, m->size * sizeof *m->y);
            m->t = last ? end : m->t + h;
            if (m->smooth.first_order)
                moments_shift(m, h);
            return PEPA_OK;
        }
        if (!(m->t + m->step > m->t))
            return no_step(m, err);
    }
}

/* A first step after which the populations have hardly moved. */
static void start_small(FluidMoments *m)
{
    double most = 0;
    moments_change(m, m->y, m->k[0]);
    for (int32_t i = 0; i < m->r; i++)
        most = fmax(most, fabs(m->k[0][i]) / m->field->scale[i]);
    m->step = most > 0 && isfinite(most) ? 1e-2 * cbrt(m->tolerance) / most : 1;
}

PepaStatus moments_run_to(FluidMoments *m, double time, int64_t most, const PepaSettings *set,
                          PepaError *err)
{
    enum { STEPS_A_LOOK = 64, STEPS_A_PACE = 2048 };
    const double began = clock_seconds();
    const int64_t first = m->steps;
    double then = m->t, before = 0;
    PepaStatus status = PEPA_OK;
    if (m->step == 0)
        start_small(m);
    while (m->t < time && status == PEPA_OK && m->r > 0) {
        if (m->steps >= most)
            return no_step(m, err);
        if (m->steps > first && (m->steps - first) % STEPS_A_PACE == 0) {
            /* At this pace, which does not grow, there would be too many. */
            const double gone = m->t - then, growth = 1.25;
            if (gone < growth * before &&
                (time - m->t) / gone * STEPS_A_PACE > (double)(most - m->steps))
                return no_step(m, err);
            then = m->t;
            before = gone;
        }
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
    enum { MOST_STEPS = 300000 };
    const PepaStatus status = moments_run_to(m, time, m->steps + MOST_STEPS, set, err);
    return status == PEPA_OK ? moments_check(m, err) : status;
}
