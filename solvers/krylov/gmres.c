/* Restarted GMRES. */
#include "solvers/krylov/krylov.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

typedef struct {
    Attempt *try;
    Preconditioner m;
    int32_t length;     /* steps per round, <= GMRES_ROUND */
    double *x, *r, *h;  /* iterate, its defect, preconditioned direction */
    double *basis;      /* length + 1 orthonormal vectors */
    double *directions; /* M^-1 of the first `length` of them if M varies, or NULL */
    double hess[GMRES_ROUND]
               [GMRES_ROUND + 1]; /* column k of the Hessenberg matrix, made triangular */
    double cosine[GMRES_ROUND], sine[GMRES_ROUND], rhs[GMRES_ROUND + 1];
} Gmres;

static double *basis(const Gmres *s, int32_t k)
{
    return s->basis + (size_t)k * (size_t)s->try->flow->n;
}

/* Where M^-1 of the k-th goes. */
static double *direction(const Gmres *s, int32_t k)
{
    return s->directions ? s->directions + (size_t)k * (size_t)s->try->flow->n : s->h;
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
    precondition_operate(&s->m, basis(s, k), direction(s, k), next);
    double before = sqrt(flow_dot(flow, next, next));
    for (int32_t i = 0; i <= k; i++) {
        const double *earlier = basis(s, i);
        double share = flow_dot(flow, next, earlier);
        s->hess[k][i] = share;
        flow_axpy(flow, -share, earlier, next);
    }
    double length = sqrt(flow_dot(flow, next, next));
    s->hess[k][k + 1] = length;
    rotate(s, k);
    if (!(length > 1e-14 * before) || !isfinite(length))
        return false;
    for (int32_t j = 0; j < n; j++)
        next[j] /= length;
    return true;
}

/* sum += z_0 of the first vector + z_1 of the next + ... */
static void combine(const Flow *flow, int32_t count, const double *z, const double *vectors,
                    double *sum)
{
    for (int32_t k = 0; k < count; k++, vectors += flow->n)
        flow_axpy(flow, z[k], vectors, sum);
}

/* x += M^-1 V z with the z that minimises the residual over the first `steps` directions. */
static void correct(Gmres *s, int32_t steps)
{
    const Flow *flow = s->try->flow;
    double z[GMRES_ROUND];
    for (int32_t k = steps - 1; k >= 0; k--) {
        double sum = s->rhs[k];
        for (int32_t j = k + 1; j < steps; j++)
            sum -= s->hess[j][k] * z[j];
        z[k] = sum / s->hess[k][k];
        if (!isfinite(z[k]))
            z[k] = 0;
    }
    if (s->directions) {
        combine(flow, steps, z, s->directions, s->x);
        return;
    }
    memset(s->r, 0, (size_t)flow->n * sizeof *s->r);
    combine(flow, steps, z, s->basis, s->r);
    precondition_solve(&s->m, s->r, s->h);
    flow_axpy(flow, 1, s->h, s->x);
}

/* One round from the defect r of x.  False: no iteration left. */
static bool run_round(Gmres *s)
{
    Attempt *try = s->try;
    const Flow *flow = try->flow;
    int32_t n = flow->n, k = 0;
    double norm = sqrt(flow_dot(flow, s->r, s->r)), *first = basis(s, 0);
    double start = try->criterion, goal = norm * fmin(1, 0.1 * try->control->tolerance / start);
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

static void iterate(Gmres *s)
{
    Attempt *try = s->try;
    const int64_t before = try->iterations;
    for (bool left = true;;) {
        const char *why = try->why;
        (void)krylov_restart(try, s->x, s->r);
        if (attempt_met(try))
            return;
        if (!left) {
            try->why = why;
            return;
        }
        if (attempt_stalls(try, try->criterion))
            return;
        if (try->iterations > before && !precondition_renew(&s->m, s->x, try))
            return;
        left = run_round(s);
        if (try->status != PEPA_OK)
            return;
    }
}

/* At most 1 GB of basis vectors, but at least 10. */
static int32_t round_length(int32_t n, bool varies)
{
    int32_t fit = (int32_t)((1 << 27) / (int64_t)n / (varies ? 2 : 1));
    return fit < 10 ? 10 : fit > GMRES_ROUND ? GMRES_ROUND : fit;
}

/* Vectors of the method. */
static size_t vectors_for(const Flow *flow, const Control *control)
{
    const bool varies = precondition_varies(krylov_kind(control));
    const size_t length = (size_t)round_length(flow->n, varies);
    return length + 4 + (varies ? length : 0);
}

static double bytes_for(const Flow *flow, const Control *control)
{
    return krylov_bytes(flow, control) +
           (double)(vectors_for(flow, control) * (size_t)flow->n * sizeof(double));
}

static void run(Attempt *try, double *vectors)
{
    const PepaPrecondition kind = krylov_kind(try->control);
    const bool varies = precondition_varies(kind);
    size_t n = (size_t)try->flow->n;
    Gmres *s = mem_calloc(1, sizeof *s);
    (void)vectors;
    if (!s || !mem_new(s->x, n * vectors_for(try->flow, try->control))) {
        try->status = PEPA_ENOMEM;
        mem_free(s);
        return;
    }
    s->try = try;
    s->length = round_length(try->flow->n, varies);
    s->r = s->x + n;
    s->h = s->r + n;
    s->basis = s->h + n;
    s->directions = varies ? s->basis + ((size_t)s->length + 1) * n : NULL;
    if (precondition_new(&s->m, kind, try)) {
        memcpy(s->x, try->y, n * sizeof *s->x);
        iterate(s);
    }
    precondition_free(&s->m);
    mem_free_all(s->x, s);
}

/* Steady state or visits by GMRES, right-preconditioned, by ILU(0) unless asked otherwise, and
 * restarted every 50 steps (fewer for very many states); flexible where the preconditioner varies.
 * One product with the matrix, one with the preconditioner and 50 vector operations per iteration;
 * up to 54 vectors, or 104.  Source: Saad, Schultz, SIAM J. Sci. Stat. Comput. 7 (1986); Saad, SIAM
 * J. Sci. Comput. 14 (1993); Stewart 1994, ch. 4. */
const Method method_gmres = {.name = "gmres",
                             .unit = "iterations",
                             .passes = 20,
                             .bytes = bytes_for,
                             .run = run};
