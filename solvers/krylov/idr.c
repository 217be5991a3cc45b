/* IDR(s): induced dimension reduction. */
#include "solvers/krylov/krylov.h"

#include <math.h>
#include <string.h>

#include "solvers/rows/rows.h"

enum { SHADOWS = 4, PLAIN = 5 /* vectors that do not come SHADOWS at a time */ };

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
    int32_t number; /* of the direction that is being made, and its shares, see below */
    double share[SHADOWS], step;
} Idr;
_Static_assert((int)SHADOWS <= (int)SUMS, "a pass has so many sums");

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

/* sum_k = p_k r. */
static void shadow_rows(void *user, int32_t first, int32_t end, double *out)
{
    const Recurrence *s = user;
    const double *p = ((const Idr *)s->own)->p, *r = s->r;
    double sum[SHADOWS] = {0};
    for (int32_t i = first; i < end; i++)
        for (int32_t k = 0; k < SHADOWS; k++)
            sum[k] += p[SHADOWS * (size_t)i + (size_t)k] * r[i];
    memcpy(out, sum, sizeof sum);
}

static void sum_shadows(Recurrence *s, RowsTask *task, double *out)
{
    double sum[SUMS];
    rows_each(s->try->flow, false, task, s, sum);
    memcpy(out, sum, SHADOWS * sizeof *out);
}

/* Other shadows in every round: some do not suit. */
static void begin(Recurrence *s)
{
    Idr *own = s->own;
    size_t n = (size_t)s->try->flow->n, count = (size_t)own->count;
    double length[SHADOWS] = {0};
    memset(own->p, 0, 3 * SHADOWS * n * sizeof *own->p); /* u and g follow */
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

/* v = r - sum of share_e g_e. */
static void share_rows(void *user, int32_t first, int32_t end, double *sum)
{
    const Recurrence *s = user;
    const Idr *own = s->own;
    (void)sum;
    for (int32_t i = first; i < end; i++)
        own->v[i] = s->r[i] - weigh(own->share, own->g + SHADOWS * (size_t)i);
}

static void direct_rows(void *user, int32_t first, int32_t end, double *out)
{
    const Recurrence *s = user;
    const Idr *own = s->own;
    const double *r = s->r, *h = s->spare, *v = own->v, *t = own->t, omega = own->omega;
    const int32_t k = own->number;
    double sum[SHADOWS] = {0};
    for (int32_t i = first; i < end; i++) {
        double *u = own->u + SHADOWS * (size_t)i, *g = own->g + SHADOWS * (size_t)i;
        const double *p = own->p + SHADOWS * (size_t)i;
        double image = omega * t[i] + (r[i] - v[i]);
        u[k] = omega * h[i] + weigh(own->share, u);
        g[k] = image;
        for (int32_t e = 0; e < SHADOWS; e++)
            sum[e] += p[e] * image;
    }
    memcpy(out, sum, sizeof sum);
}

/* The k-th direction in G_j, made of r; its image times each p is put in q. */
static void make_direction(Recurrence *s, int32_t k, double *q)
{
    Idr *own = s->own;
    const Flow *flow = s->try->flow;
    own->number = k;
    find_shares(own, k, own->share);
    rows_each(flow, false, share_rows, s, NULL);
    precondition_operate(&s->m, own->v, s->spare, own->t);
    sum_shadows(s, direct_rows, q);
}

/* sum: |r|_1, |x|_1. */
static void reduce_rows(void *user, int32_t first, int32_t end, double *sum)
{
    const Recurrence *s = user;
    const Idr *own = s->own;
    const int32_t k = own->number;
    const double step = own->step;
    double off = 0, all = 0;
    for (int32_t i = first; i < end; i++) {
        double *u = own->u + SHADOWS * (size_t)i, *g = own->g + SHADOWS * (size_t)i;
        double along = u[k] - weigh(own->share, u), image = g[k] - weigh(own->share, g);
        u[k] = along;
        g[k] = image;
        s->x[i] += step * along;
        s->r[i] -= step * image;
        off += fabs(s->r[i]);
        all += fabs(s->x[i]);
    }
    sum[0] = off;
    sum[1] = all;
}

/* Take from the k-th direction its shares of those before, so that its image is orthogonal to their
 * p; then x and r go along it until r is orthogonal to p_k as well.  The shares come from inner
 * products with the image as it was (Collignon, van Gijzen 2011), all of them in one pass. */
static bool reduce(Recurrence *s, int32_t k)
{
    Idr *own = s->own;
    double q[SHADOWS], share[SHADOWS] = {0}, sum[SUMS];
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
    own->step = step;
    memcpy(own->share, share, sizeof share);
    rows_each(s->try->flow, false, reduce_rows, s, sum);
    krylov_measure(s, sum[0], sum[1]);
    for (int32_t i = k + 1; i < own->count; i++)
        own->f[i] -= step * own->m[i][k];
    return true;
}

/* Into G_{j+1}: a step of least residual, or a longer one where that would be so short that r
 * hardly moves (Sleijpen, van der Vorst 1995). */
static bool enter(Recurrence *s)
{
    Idr *own = s->own;
    const Flow *flow = s->try->flow;
    double *h = s->spare, *t = own->t;
    precondition_operate(&s->m, s->r, h, t);
    double tt, tr;
    flow_dots(flow, t, s->r, &tt, &tr);
    double rr = flow_dot(flow, s->r, s->r);
    double angle = fabs(tr) / sqrt(tt * rr), omega = tr / tt;
    if (angle < IDR_ANGLE)
        omega *= IDR_ANGLE / angle;
    if (!isfinite(omega))
        return false;
    krylov_go_last(s, omega, t, NULL, NULL, NULL);
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
        sum_shadows(s, shadow_rows, own->f);
    return reduce(s, at);
}

static void run(Attempt *try, double *vectors)
{
    size_t n = (size_t)try->flow->n;
    Idr own = {.random = 88172645463325252u};
    Recurrence s =
        {.try = try, .passes = 5, .solves = 1, .begin = begin, .advance = advance, .own = &own};
    double **const each[PLAIN] = {&s.x, &s.r, &s.spare, &own.v, &own.t};
    for (size_t k = 0; k < PLAIN; k++)
        *each[k] = vectors + k * n;
    own.p = vectors + PLAIN * n;
    own.u = own.p + SHADOWS * n;
    own.g = own.u + SHADOWS * n;
    own.count = n > SHADOWS ? SHADOWS : (int32_t)n - 1;
    recurrence_run(&s, IDR_ROUND);
}

/* Steady state or visits by IDR(4) with biorthogonal directions, right-preconditioned, by ILU(0)
 * unless asked otherwise, in rounds of 1,000 steps.  One product with the matrix, one with the
 * preconditioner and some 15 vector operations per iteration; 17 vectors.
 * Source: van Gijzen, Sonneveld, Algorithm 913, ACM TOMS 38 (2011); Collignon, van Gijzen,
 * Minimizing synchronization in IDR(s), Numer. Linear Algebra Appl. 18 (2011). */
const Method method_idr = {.name = "idr",
                           .unit = "iterations",
                           .passes = 6,
                           .vectors = PLAIN + 3 * SHADOWS,
                           .bytes = krylov_bytes,
                           .run = run};
