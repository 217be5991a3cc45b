/* Smith's method, doubled:  X = 2 q sum_k A^k (q - J)^-1 D (q - J)^-T A'^k,
 * where A = (q - J)^-1 (q + J) for any q > 0. */
#include "fluid/lyapunov.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "fluid/dense.h"

enum { MOST_DOUBLINGS = 60 };

typedef struct {
    int32_t n;
    const double *j, *d;
    double *shifted, *a, *x, *left, *next; /* n x n each */
    int32_t *pivot;
} Smith;

/* c = a b */
static void multiply(int32_t n, const double *a, const double *b, double *c)
{
    memset(c, 0, (size_t)n * (size_t)n * sizeof *c);
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < n; k++) {
            const double by = a[(ptrdiff_t)i * n + k];
            for (int32_t m = 0; m < n && by != 0; m++)
                c[(ptrdiff_t)i * n + m] += by * b[(ptrdiff_t)k * n + m];
        }
}

static void transpose(int32_t n, double *a)
{
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < i; k++) {
            const double kept = a[(ptrdiff_t)i * n + k];
            a[(ptrdiff_t)i * n + k] = a[(ptrdiff_t)k * n + i];
            a[(ptrdiff_t)k * n + i] = kept;
        }
}

/* Rows of a, each solved: a (q - J)^-T. */
static void solve_rows(const Smith *s, double *a)
{
    for (int32_t i = 0; i < s->n; i++)
        lu_solve(s->n, s->shifted, s->pivot, a + (ptrdiff_t)i * s->n);
}

static double norm(int32_t n, const double *a)
{
    double most = 0;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n * n; i++)
        most = isnan(a[i]) ? INFINITY : fmax(most, fabs(a[i]));
    return most;
}

/* The first term of the sum in x, and A in a. */
static bool begin(const Smith *s, double q)
{
    const int32_t n = s->n;
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < n; k++) {
            const double j = s->j[(ptrdiff_t)i * n + k], shift = i == k ? q : 0;
            s->shifted[(ptrdiff_t)i * n + k] = shift - j;
            s->a[(ptrdiff_t)k * n + i] = shift + j; /* transposed: columns are rows */
            s->x[(ptrdiff_t)i * n + k] = 2 * q * s->d[(ptrdiff_t)i * n + k];
        }
    if (!lu_factor(n, s->shifted, s->pivot))
        return false;
    solve_rows(s, s->a);
    transpose(n, s->a);
    solve_rows(s, s->x);
    transpose(n, s->x);
    solve_rows(s, s->x);
    return true;
}

/* x += a x a', a = a a; how much x grew, relative to it. */
static double redouble(Smith *s)
{
    const int32_t n = s->n;
    const size_t bytes = (size_t)n * (size_t)n * sizeof *s->a;
    multiply(n, s->a, s->x, s->left);
    memcpy(s->next, s->a, bytes);
    transpose(n, s->next);
    double *growth = s->shifted; /* no longer needed */
    multiply(n, s->left, s->next, growth);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n * n; i++)
        s->x[i] += growth[i];
    multiply(n, s->a, s->a, s->next);
    memcpy(s->a, s->next, bytes);
    return norm(n, growth) / fmax(norm(n, s->x), 1e-300);
}

/* The largest entry of J X + X J' + D, relative to its terms. */
static double residual(const Smith *s)
{
    const int32_t n = s->n;
    double most = 0, size = norm(n, s->d);
    multiply(n, s->j, s->x, s->left);
    size = fmax(size, norm(n, s->left));
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < n; k++) {
            const double sum = s->left[(ptrdiff_t)i * n + k] + s->left[(ptrdiff_t)k * n + i] +
                               s->d[(ptrdiff_t)i * n + k];
            most = isnan(sum) ? INFINITY : fmax(most, fabs(sum));
        }
    return size > 0 ? most / size : 0;
}

static bool sum_up(Smith *s)
{
    const double enough = 1e-8;
    double grown = 1;
    const double q = norm(s->n, s->j);
    if (!(q > 0) || !isfinite(q) || !begin(s, q))
        return false;
    for (int32_t i = 0; i < MOST_DOUBLINGS && grown > 1e-17 && isfinite(grown); i++)
        grown = redouble(s);
    for (int32_t i = 0; i < s->n; i++)
        for (int32_t k = 0; k < i; k++) {
            double *above = &s->x[(ptrdiff_t)i * s->n + k], *below = &s->x[(ptrdiff_t)k * s->n + i];
            *above = *below = (*above + *below) / 2;
        }
    return residual(s) <= enough;
}

PepaStatus lyapunov(int32_t n, const double *j, const double *d, double *x, PepaError *err)
{
    const size_t all = (size_t)n * (size_t)n;
    Smith s = {.n = n, .j = j, .d = d, .x = x};
    if (n == 0)
        return PEPA_OK;
    bool ok = mem_new(s.shifted, all) && mem_new(s.a, all) && mem_new(s.left, all) &&
              mem_new(s.next, all) && mem_new(s.pivot, n);
    PepaStatus status = ok ? PEPA_OK : error_memory(err);
    if (ok && !sum_up(&s))
        status =
            error_set(err, PEPA_ENOCONV,
                      "fluctuations of the populations do not settle: nothing drives them back");
    mem_free_all(s.shifted, s.a, s.left, s.next, s.pivot);
    return status;
}
