/* IDR(s): induced dimension reduction. */
#include "solvers/krylov.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

enum { SHADOWS = 4 };

/* Residuals are forced into spaces of ever smaller dimension: G_{j+1} = (I - omega A M^-1)(G_j and
 * what is orthogonal to all p).  u, g: directions in G_j and their images, g_k = (I - P') u_k, with
 * p_i g_k = 0 for i < k.  The SHADOWS vectors of each kind alternate: that of state i and number k
 * is at SHADOWS i + k. */
typedef struct {
    int32_t count; /* fewer if there are few states; the others are 0 */
    double *p, *u, *g, *v, *t;
    double m[SHADOWS][SHADOWS]; /* m[i][k] = p_i g_k, i >= k */
    double f[SHADOWS];          /* p_i r */
    double omega;
    uint64_t random;
} Idr;

/* -1 .. 1.  Source: Marsaglia, Xorshift RNGs, J. Stat. Software 8 (2003). */
static double noise(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(int64_t)*state / 9223372036854775808.0;
}

static double weigh(const double *c, const double *vectors)
{
    return (c[0] * vectors[0] + c[1] * vectors[1]) + (c[2] * vectors[2] + c[3] * vectors[3]);
}

/* out_k = vector k times x. */
static void shadows_dot(int32_t n, const double *vectors, const double *x, double *out)
{
    double sum[SHADOWS] = {0};
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < SHADOWS; k++)
            sum[k] += vectors[SHADOWS * (size_t)i + (size_t)k] * x[i];
    memcpy(out, sum, sizeof sum);
}

/* Other shadows in every round: some do not suit. */
static void begin(Recurrence *s)
{
    Idr *own = s->own;
    size_t n = (size_t)s->try->flow->n, count = (size_t)own->count;
    double length[SHADOWS] = {0};
    memset(own->p, 0, SHADOWS * n * sizeof *own->p);
    memset(own->u, 0, SHADOWS * n * sizeof *own->u);
    memset(own->g, 0, SHADOWS * n * sizeof *own->g);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < count; k++) {
            double some = noise(&own->random);
            own->p[SHADOWS * i + k] = some;
            length[k] += some * some;
        }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < count; k++)
            own->p[SHADOWS * i + k] /= sqrt(length[k]);
    for (int32_t i = 0; i < SHADOWS; i++)
        for (int32_t k = 0; k < SHADOWS; k++)
            own->m[i][k] = i == k;
    own->omega = 1;
}

/* c with sum over e >= k of m[i][e] c_e = f_i for i >= k: then r - sum of c_e g_e is orthogonal to
 * p_k and those after it; the others are 0. */
static void find_shares(const Idr *own, int32_t k, double *c)
{
    memset(c, 0, SHADOWS * sizeof *c);
    for (int32_t i = k; i < own->count; i++) {
        c[i] = own->f[i];
        for (int32_t e = k; e < i; e++)
            c[i] -= own->m[i][e] * c[e];
        c[i] /= own->m[i][i];
    }
}

/* The k-th direction in G_j, made of r; its image times each p is put in q. */
static void make_direction(Recurrence *s, int32_t k, double *q)
{
    Idr *own = s->own;
    double c[SHADOWS], sum[SHADOWS] = {0}, *h = s->spare, *v = own->v, *t = own->t;
    const double *r = s->r;
    int32_t n = s->try->flow->n;
    find_shares(own, k, c);
    for (int32_t i = 0; i < n; i++)
        v[i] = r[i] - weigh(c, own->g + SHADOWS * (size_t)i);
    precondition_operate(&s->m, v, h, t);
    for (int32_t i = 0; i < n; i++) {
        double *u = own->u + SHADOWS * (size_t)i, *g = own->g + SHADOWS * (size_t)i;
        const double *p = own->p + SHADOWS * (size_t)i;
        double image = own->omega * t[i] + (r[i] - v[i]);
        u[k] = own->omega * h[i] + weigh(c, u);
        g[k] = image;
        for (int32_t e = 0; e < SHADOWS; e++)
            sum[e] += p[e] * image;
    }
    memcpy(q, sum, sizeof sum);
}

/* Take from the k-th direction its shares of those before, so that its image is orthogonal to their
 * p; then x and r go along it until r is orthogonal to p_k as well.  The shares come from inner
 * products with the image as it was (Collignon, van Gijzen 2011), all of them in one pass. */
static bool reduce(Recurrence *s, int32_t k)
{
    Idr *own = s->own;
    double q[SHADOWS], share[SHADOWS] = {0}, *x = s->x, *r = s->r;
    int32_t n = s->try->flow->n;
    make_direction(s, k, q);
    for (int32_t i = 0; i < own->count; i++) {
        double left = q[i];
        for (int32_t e = 0; e < k && e < i; e++)
            left -= own->m[i][e] * share[e];
        if (i < k)
            share[i] = left / own->m[i][i];
        else
            own->m[i][k] = left;
    }
    double step = own->f[k] / own->m[k][k];
    if (!isfinite(step))
        return false;
    for (int32_t i = 0; i < n; i++) {
        double *u = own->u + SHADOWS * (size_t)i, *g = own->g + SHADOWS * (size_t)i;
        double along = u[k] - weigh(share, u), image = g[k] - weigh(share, g);
        u[k] = along;
        g[k] = image;
        x[i] += step * along;
        r[i] -= step * image;
    }
    for (int32_t i = k + 1; i < own->count; i++)
        own->f[i] -= step * own->m[i][k];
    return true;
}

/* Into G_{j+1}: a step of least residual, or a longer one where that would be so short that r
 * hardly moves (Sleijpen, van der Vorst 1995). */
static bool enter(Recurrence *s)
{
    const double least = 0.7;
    Idr *own = s->own;
    double *h = s->spare, *t = own->t;
    int32_t n = s->try->flow->n;
    precondition_operate(&s->m, s->r, h, t);
    double tt = 0, tr = 0, rr = 0;
    for (int32_t i = 0; i < n; i++) {
        tt += t[i] * t[i];
        tr += t[i] * s->r[i];
        rr += s->r[i] * s->r[i];
    }
    double angle = fabs(tr) / sqrt(tt * rr), omega = tr / tt;
    if (angle < least)
        omega *= least / angle;
    if (!isfinite(omega))
        return false;
    for (int32_t i = 0; i < n; i++) {
        s->x[i] += omega * h[i];
        s->r[i] -= omega * t[i];
    }
    own->omega = omega;
    return omega != 0;
}

static bool advance(Recurrence *s, int32_t k)
{
    Idr *own = s->own;
    int32_t at = k % (own->count + 1);
    if (at == own->count)
        return enter(s);
    if (at == 0)
        shadows_dot(s->try->flow->n, own->p, s->r, own->f);
    return reduce(s, at);
}

/* Steady state or visits by IDR(4) with biorthogonal directions, right-preconditioned, by ILU(0)
 * unless asked otherwise, in rounds of 1,000 steps.  One product with the matrix, one with the
 * preconditioner and some 15 vector operations per iteration; 17 vectors.
 * Source: van Gijzen, Sonneveld, Algorithm 913, ACM TOMS 38 (2011); Collignon, van Gijzen,
 * Minimizing synchronization in IDR(s), Numer. Linear Algebra Appl. 18 (2011). */
PepaStatus idr_try(const Flow *flow, const Control *control, const Resolve *resolve, double *y,
                   Outcome *out, PepaError *err)
{
    enum { VECTORS = 5 + 3 * SHADOWS };
    const int32_t longest = 1000;
    PepaPrecondition kind = precondition_kind(control, PEPA_PRECONDITION_ILU0);
    Attempt try;
    Idr own = {.random = 88172645463325252u};
    Recurrence s = {.try = &try, .begin = begin, .advance = advance, .own = &own};
    double *vectors = NULL;
    s.passes = 5 + precondition_passes(kind);
    if (attempt_start(&try, "idr", "iterations", 6, flow, control, y) &&
        attempt_affords(&try,
                        precondition_bytes(kind, flow) + (double)VECTORS * flow->n * sizeof *y) &&
        (vectors = attempt_vectors(&try, VECTORS)) && precondition_new(&s.m, kind, &try)) {
        size_t n = (size_t)flow->n;
        double **const each[] = {&s.x, &s.r, &s.spare, &own.v, &own.t};
        for (size_t k = 0; k < sizeof each / sizeof *each; k++)
            *each[k] = vectors + k * n;
        own.p = vectors + 5 * n;
        own.u = own.p + SHADOWS * n;
        own.g = own.u + SHADOWS * n;
        own.count = flow->n > SHADOWS ? SHADOWS : flow->n - 1;
        memcpy(s.x, y, (size_t)flow->n * sizeof *y);
        recurrence_iterate(&s, longest, resolve ? *resolve : resolve_firm(&try));
    }
    precondition_free(&s.m);
    mem_free(vectors);
    return attempt_end(&try, out, err);
}

PepaStatus solve_idr(const Flow *flow, const Control *control, double *y, Outcome *out,
                     PepaError *err)
{
    return idr_try(flow, control, NULL, y, out, err);
}
