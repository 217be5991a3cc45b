/* Means and covariances in the long run. */
#include <math.h>
#include <string.h>

#include "fluid/moments_private.h"

/* Means for the covariances of y, by Newton's method; how far they moved, in shares. */
static double settle_means(FluidMoments *m)
{
    enum { ITERATIONS = 50 };
    double moved = 0;
    for (int32_t i = 0; i < ITERATIONS; i++) {
        double most = 0;
        moments_expectations(m, m->y, m->k[0], m->jacobian, moments_covariances(m, m->k[0]));
        if (!moments_factor_means(m, 0, -1))
            return INFINITY;
        moments_solve_means(m, m->k[0]);
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
    double *c = moments_covariances(m, m->y), *d = moments_covariances(m, m->k[0]);
    moments_expectations(m, m->y, m->k[0], m->jacobian, d);
    const PepaStatus status = moments_factor_covariances(m, 0, &stable, err);
    if (status != PEPA_OK)
        return status;
    *moved = stable ? 0 : INFINITY;
    if (stable)
        moments_solve_covariances(m, d);
    for (int32_t i = 0; i < r && stable; i++)
        for (int32_t k = 0; k < r; k++) {
            const ptrdiff_t at = (ptrdiff_t)i * r + k;
            *moved = fmax(*moved, fabs(d[at] - c[at]) / (moments_root(m, i) * moments_root(m, k)));
            c[at] = d[at];
        }
    return PEPA_OK;
}

/* Of linear noise: the means of y are those of the fluid limit. */
static PepaStatus settle_noise(FluidMoments *m, bool *there, PepaError *err)
{
    double spread;
    const PepaStatus status = settle_covariances(m, &spread, err);
    *there = status == PEPA_OK && isfinite(spread);
    if (*there)
        moments_shift(m, INFINITY);
    m->steps++;
    return status;
}

/* By turns from y on, covariances first: they tell whether this place is one by itself.  Where it is not, as where
 * components end in one of several groups of local states, Newton's method would find another place, to which
 * the initial state does not lead.  *there: both stay where they are. */
static PepaStatus take_turns(FluidMoments *m, bool *there, PepaError *err)
{
    enum { TURNS = 50 };
    const double enough = 1e-10;
    *there = false;
    for (int32_t i = 0; i < TURNS && !*there; i++) {
        double spread;
        const PepaStatus status = settle_covariances(m, &spread, err);
        const double moved = isfinite(spread) && status == PEPA_OK ? settle_means(m) : INFINITY;
        if (!isfinite(moved))
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
        if (!(fabs(m->y[i] - before[i]) <= slack * moments_allowed(m, i)))
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
    moments_start(m);
    for (int32_t i = 0; i < DOUBLINGS && status == PEPA_OK; i++) {
        status = moments_run_to(m, time, MOST_STEPS, set, err);
        if (status != PEPA_OK)
            break;
        *there = i > 0 && stays(m, before);
        if (*there)
            break;
        memcpy(before, m->y, bytes);
        time *= 2;
        if (m->smooth.first_order)
            continue;
        status = take_turns(m, there, err);
        if (*there)
            break;
        memcpy(m->y, before, bytes);
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
    PepaStatus status =
        m->smooth.first_order ? settle_noise(m, &there, err) : take_turns(m, &there, err);
    if (status == PEPA_OK && !there)
        status = follow(m, time, set, &there, err);
    if (status != PEPA_OK || there)
        return status == PEPA_OK ? moments_check(m, err) : status;
    return error_set(err, PEPA_ENOCONV, "means and covariances do not settle together");
}
