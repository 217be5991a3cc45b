/* Restarted GMRES, preconditioned by ILU(0). */
#include "solvers/internal.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

enum { LONGEST = 50 };

typedef struct {
    Attempt *try;
    Ilu ilu;
    int32_t length;                    /* steps per round, <= LONGEST */
    double *x, *r, *h;                 /* iterate, its defect, preconditioned direction */
    double *basis;                     /* length + 1 orthonormal vectors */
    double hess[LONGEST][LONGEST + 1]; /* column k of the Hessenberg matrix, made triangular */
    double cosine[LONGEST], sine[LONGEST], rhs[LONGEST + 1];
} Gmres;

static double *basis(const Gmres *s, int32_t k)
{
    return s->basis + (size_t)k * (size_t)s->try->flow->n;
}

/* Apply the earlier rotations to column k and annihilate its last entry with a new one. */
static void rotate(Gmres *s, int32_t k)
{
    double *column = s->hess[k];
    for (int32_t i = 0; i < k; i++) {
        double upper = column[i], lower = column[i + 1];
        column[i] = s->cosine[i] * upper + s->sine[i] * lower;
        column[i + 1] = s->cosine[i] * lower - s->sine[i] * upper;
    }
    double length = hypot(column[k], column[k + 1]);
    s->cosine[k] = length > 0 ? column[k] / length : 1;
    s->sine[k] = length > 0 ? column[k + 1] / length : 0;
    column[k] = length;
    s->rhs[k + 1] = -s->sine[k] * s->rhs[k];
    s->rhs[k] *= s->cosine[k];
}

/* Extend the basis by one vector (modified Gram-Schmidt); false when the space is exhausted or a
 * number is not finite. */
static bool extend(Gmres *s, int32_t k)
{
    const Flow *flow = s->try->flow;
    int32_t n = flow->n;
    double *next = basis(s, k + 1);
    ilu_solve(&s->ilu, basis(s, k), s->h);
    flow_apply(flow, s->h, next);
    double before = sqrt(dot(n, next, next));
    for (int32_t i = 0; i <= k; i++) {
        const double *earlier = basis(s, i);
        double share = dot(n, next, earlier);
        s->hess[k][i] = share;
        for (int32_t j = 0; j < n; j++)
            next[j] -= share * earlier[j];
    }
    double length = sqrt(dot(n, next, next));
    s->hess[k][k + 1] = length;
    rotate(s, k);
    if (!(length > 1e-14 * before) || !isfinite(length))
        return false;
    for (int32_t j = 0; j < n; j++)
        next[j] /= length;
    return true;
}

/* x += M^-1 V z with the z that minimises the residual over the first `steps` directions. */
static void correct(Gmres *s, int32_t steps)
{
    int32_t n = s->try->flow->n;
    double z[LONGEST];
    for (int32_t k = steps - 1; k >= 0; k--) {
        double sum = s->rhs[k];
        for (int32_t j = k + 1; j < steps; j++)
            sum -= s->hess[j][k] * z[j];
        z[k] = sum / s->hess[k][k];
        if (!isfinite(z[k]))
            z[k] = 0;
    }
    memset(s->r, 0, (size_t)n * sizeof *s->r);
    for (int32_t k = 0; k < steps; k++) {
        const double *v = basis(s, k);
        for (int32_t i = 0; i < n; i++)
            s->r[i] += z[k] * v[i];
    }
    ilu_solve(&s->ilu, s->r, s->h);
    for (int32_t i = 0; i < n; i++)
        s->x[i] += s->h[i];
}

/* One round from the defect r of x.  False: no iteration left. */
static bool run_round(Gmres *s)
{
    Attempt *try = s->try;
    int32_t n = try->flow->n, k = 0;
    double norm = sqrt(dot(n, s->r, s->r)), *first = basis(s, 0);
    double start = try->gauge, goal = norm * fmin(1, 0.1 * try->control->tolerance / start);
    bool left = true;
    if (!(norm > 0) || !isfinite(norm))
        return false;
    for (int32_t i = 0; i < n; i++)
        first[i] = s->r[i] / norm;
    s->rhs[0] = norm;
    while (k < s->length && fabs(s->rhs[k]) > goal &&
           (left = attempt_step(try, 3 + s->length / 2, start * fabs(s->rhs[k]) / norm)))
        if (!extend(s, k++))
            break;
    correct(s, k);
    return left;
}

static void iterate(Gmres *s, Resolve resolve)
{
    Attempt *try = s->try;
    Trend trend = {0};
    for (bool left = true;;) {
        (void)krylov_restart(try, s->x, s->r);
        if (attempt_met(try) || !left)
            return;
        trend_add(&trend, try->iterations, try->gauge);
        if (attempt_stalls(try, &trend, resolve))
            return;
        left = run_round(s);
        if (try->status != PEPA_OK)
            return;
    }
}

/* At most 1 GB of basis vectors, yet at least 10. */
static int32_t round_length(int32_t n)
{
    int32_t fit = (int32_t)((1 << 27) / (int64_t)n);
    return fit < 10 ? 10 : fit > LONGEST ? LONGEST : fit;
}

/* Steady state or visits by GMRES on (I - P') d = P'y + b - y for the correction d, right-
 * preconditioned by ILU(0), restarted every 50 steps (fewer for very many states).  One pass over
 * the matrix, one over the factors and 50 vector operations per iteration; up to 54 vectors, the
 * factors.  Source: Saad, Schultz, SIAM J. Sci. Stat. Comput. 7 (1986); Stewart 1994, ch. 4. */
PepaStatus gmres_try(const Flow *flow, const Control *control, const Resolve *resolve, double *y,
                     Outcome *out, PepaError *err)
{
    Attempt try;
    Gmres *s = NULL;
    double *vectors = NULL;
    int32_t length = round_length(flow->n);
    if (attempt_start(&try, "gmres", "iterations", 20, flow, control, y) &&
        attempt_affords(&try, ilu_bytes(flow) + (double)flow->n * (length + 4) * sizeof *y) &&
        (vectors = attempt_vectors(&try, length + 4))) {
        s = mem_calloc(1, sizeof *s);
        try.status = s ? ilu_factor(&s->ilu, flow) : PEPA_ENOMEM;
    }
    if (s && try.status == PEPA_OK) {
        size_t n = (size_t)flow->n;
        s->try = &try;
        s->length = length;
        s->x = vectors;
        s->r = vectors + n;
        s->h = vectors + 2 * n;
        s->basis = vectors + 3 * n;
        memcpy(s->x, y, n * sizeof *y);
        iterate(s, resolve ? *resolve : resolve_firm(&try));
    }
    if (s)
        ilu_free(&s->ilu);
    mem_free(s);
    mem_free(vectors);
    return attempt_end(&try, out, err);
}

PepaStatus solve_gmres(const Flow *flow, const Control *control, double *y, Outcome *out,
                       PepaError *err)
{
    return gmres_try(flow, control, NULL, y, out, err);
}
