/* Smith's method, doubled:  X = 2 q sum_k A^k (q - J)^-1 D (q - J)^-T A'^k,
 * where A = (q - J)^-1 (q + J) for any q > 0: all its eigenvalues are within the unit circle. */
#include "fluid/lyapunov.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "fluid/dense.h"

/* Enough for eigenvalues of which the largest is some 5e13 times as large as the smallest.  Beyond that the
 * smallest may be the rounding of 0. */
enum { MOST_DOUBLINGS = 28 };
#define NOTHING 1e-9 /* what is left of A: its square is below rounding */

struct Lyapunov {
    int32_t n, doublings;
    double q;
    double *shifted;               /* q - J, factored */
    double *power[MOST_DOUBLINGS]; /* A, A^2, A^4, ...; NULL: not yet needed */
    double *left;                  /* scratch */
    int32_t *pivot;
};

PepaStatus lyapunov_new(Lyapunov **out, int32_t n, PepaError *err)
{
    const size_t all = (size_t)n * (size_t)n;
    Lyapunov *l = mem_calloc(1, sizeof *l);
    if (!l)
        return error_memory(err);
    l->n = n;
    if (!mem_new(l->shifted, all) || !mem_new(l->left, all) || !mem_new(l->pivot, n)) {
        lyapunov_free(l);
        return error_memory(err);
    }
    *out = l;
    return PEPA_OK;
}

void lyapunov_free(Lyapunov *l)
{
    if (!l)
        return;
    for (int32_t i = 0; i < MOST_DOUBLINGS; i++)
        mem_free(l->power[i]);
    mem_free_all(l->shifted, l->left, l->pivot, l);
}

/* ---- dense matrices ---------------------------------------------------------------------------- */

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

/* c += a b', where c is symmetric. */
static void add_product(int32_t n, const double *a, const double *b, double *c)
{
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k <= i; k++) {
            double sum = 0;
            for (int32_t m = 0; m < n; m++)
                sum += a[(ptrdiff_t)i * n + m] * b[(ptrdiff_t)k * n + m];
            sum += c[(ptrdiff_t)i * n + k];
            c[(ptrdiff_t)i * n + k] = c[(ptrdiff_t)k * n + i] = sum;
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
static void solve_rows(const Lyapunov *l, double *a)
{
    for (int32_t i = 0; i < l->n; i++)
        lu_solve(l->n, l->shifted, l->pivot, a + (ptrdiff_t)i * l->n);
}

/* The largest sum of a row; infinite if it is no number. */
static double norm(int32_t n, const double *a)
{
    double most = 0;
    for (int32_t i = 0; i < n; i++) {
        double sum = 0;
        for (int32_t k = 0; k < n; k++)
            sum += fabs(a[(ptrdiff_t)i * n + k]);
        most = isnan(sum) ? INFINITY : fmax(most, sum);
    }
    return most;
}

/* ---- factors ----------------------------------------------------------------------------------- */

/* Between the sizes of the smallest and of the largest eigenvalue of J: so A is far from 1 for
 * both.  Not finite or 0: J is singular. */
static double middle(Lyapunov *l, const double *j)
{
    const int32_t n = l->n;
    memcpy(l->shifted, j, (size_t)n * (size_t)n * sizeof *j);
    if (!lu_factor(n, l->shifted, l->pivot))
        return 0;
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < n; k++)
            l->left[(ptrdiff_t)i * n + k] = i == k;
    solve_rows(l, l->left);
    return sqrt(norm(n, j) / norm(n, l->left));
}

/* A in power[0], and q - J factored. */
static bool begin(Lyapunov *l, const double *j)
{
    const int32_t n = l->n;
    l->q = middle(l, j);
    if (!(l->q > 0) || !isfinite(l->q))
        return false;
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < n; k++) {
            const double shift = i == k ? l->q : 0, x = j[(ptrdiff_t)i * n + k];
            l->shifted[(ptrdiff_t)i * n + k] = shift - x;
            l->power[0][(ptrdiff_t)k * n + i] = shift + x; /* transposed: columns are rows */
        }
    if (!lu_factor(n, l->shifted, l->pivot))
        return false;
    solve_rows(l, l->power[0]);
    transpose(n, l->power[0]);
    return true;
}

PepaStatus lyapunov_factor(Lyapunov *l, const double *j, bool *stable, PepaError *err)
{
    const size_t all = (size_t)l->n * (size_t)l->n;
    *stable = l->n == 0;
    l->doublings = 0;
    if (l->n == 0)
        return PEPA_OK;
    for (int32_t i = 0; i < MOST_DOUBLINGS; i++) {
        if (!l->power[i] && !mem_new(l->power[i], all))
            return error_memory(err);
        if (i > 0)
            multiply(l->n, l->power[i - 1], l->power[i - 1], l->power[i]);
        else if (!begin(l, j))
            return PEPA_OK;
        const double size = norm(l->n, l->power[i]);
        l->doublings = i + 1;
        *stable = size <= NOTHING;
        if (*stable || !isfinite(size))
            return PEPA_OK;
    }
    return PEPA_OK;
}

void lyapunov_solve(Lyapunov *l, const double *d, double *x)
{
    const int32_t n = l->n;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n * n; i++)
        x[i] = 2 * l->q * d[i];
    solve_rows(l, x);
    transpose(n, x);
    solve_rows(l, x);
    for (int32_t i = 0; i < l->doublings; i++) {
        multiply(n, l->power[i], x, l->left);
        add_product(n, l->left, l->power[i], x);
    }
}
