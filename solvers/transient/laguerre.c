/* A step: coefficients until the bound of the error is small enough. */
#include "solvers/transient/laguerre.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/mem.h"
#include "base/twofold.h"
#include "solvers/direct/factors.h"

/* A grid from 0 to LAGUERRE_REACH for bounds of integrals, and points of the midpoint rule from one
 * place of it to the next. */
enum { GRID = 32, POINTS = 32 };

/* A coefficient is corrected while its equation lacks more than this and corrections halve that, so
 * many times at most. */
#define LITTLE_LEFT 1e-15
enum { CORRECTIONS = 20 };

struct Laguerre {
    const Flow *rates;
    LaguerreKind kind;
    Twofold *exit; /* sums of the rates */
    double *leak;  /* part of them that leads to none of these states */
    double most;   /* entries of a row, or of a column */
    Factors factors;
    double gamma;                           /* of the factors; 0: there are none */
    double *e, *r, *sum[LAGUERRE_LENGTHS];  /* one entry per state */
    double *w, *low;                        /* the coefficient: w + low */
    double plain[GRID + 1][LAGUERRE_TERMS]; /* bounds of the integrals of |L_k| */
};

/* What a step has found so far. */
typedef struct {
    double value[LAGUERRE_LENGTHS][LAGUERRE_TERMS + 1]; /* L_k at the end of each length */
    double left[LAGUERRE_TERMS + 1];                    /* |e_k| */
    /* Sums of |r_k| integral |L_k|; of |f_k| (1 + integral |L_k^(1)|); of |L_k w_k|; of |w_k|. */
    double residual[LAGUERRE_LENGTHS], slips, weighed[LAGUERRE_LENGTHS], coefficients;
} Sums;

void laguerre_free(Laguerre *l)
{
    if (!l)
        return;
    factors_free(&l->factors);
    mem_free_all(l->exit, l->leak, l->e, l->w, l->low, l->r);
    for (int i = 0; i < LAGUERRE_LENGTHS; i++)
        mem_free(l->sum[i]);
    mem_free(l);
}

/* By the recurrence, which is stable for rising k, in more digits than the results have. */
void laguerre_values(double s, int32_t terms, double *value)
{
    long double before = 0, now = 1;
    for (int32_t k = 0; k <= terms; k++) {
        value[k] = (double)now;
        long double next = ((2 * k + 1 - (long double)s) * now - k * before) / (k + 1);
        before = now;
        now = next;
    }
}

/* ---- bounds of integrals from 0 to s --------------------------------------------------------- */

/* Of exp(x) / x from d to s, by its series, whose terms are positive. */
static double integral_exponential(double d, double s)
{
    double sum = log(s / d), high = 1, low = 1;
    for (int k = 1; k < 80; k++) { /* s <= LAGUERRE_REACH: terms fall below 1e-40 */
        high *= s / k;
        low *= d / k;
        sum += (high - low) / k;
    }
    return sum;
}

/* Of |L_k^(1)|: by the bound near 0 up to 1 / (k + 1), by Cauchy's inequality beyond. */
static double integral_first(int32_t k, double s)
{
    const double near = 1.0 / (k + 1), all = (k + 1) * 2 * expm1(s / 2);
    if (s <= near)
        return all;
    return fmin(all, exp(near / 2) + sqrt((k + 1) * integral_exponential(near, s)));
}

/* Of |L_k|, at the places of the grid.  In a cell of width h around m, |L_k(x)| is at most |L_k(m)|
 * and the integral of |L_k'| between m and x; L_k' = -L_k-1^(1). */
static void find_integrals(Laguerre *l)
{
    const double h = LAGUERRE_REACH / GRID / POINTS;
    double value[LAGUERRE_TERMS + 1];
    for (int i = 1; i <= GRID; i++) {
        memcpy(l->plain[i], l->plain[i - 1], sizeof l->plain[i]);
        for (int j = 0; j < POINTS; j++) {
            laguerre_values(((i - 1) * POINTS + j + 0.5) * h, LAGUERRE_TERMS, value);
            for (int k = 0; k < LAGUERRE_TERMS; k++)
                l->plain[i][k] += h * fabs(value[k]);
        }
    }
    for (int i = 1; i <= GRID; i++)
        for (int k = 1; k < LAGUERRE_TERMS; k++)
            l->plain[i][k] += h / 2 * integral_first(k - 1, i * LAGUERRE_REACH / GRID);
}

/* Of |L_k| <= exp(x / 2) up to s. */
static double integral_plain(const Laguerre *l, int32_t k, double s)
{
    const int place = (int)fmin(GRID, ceil(s / (LAGUERRE_REACH / GRID)));
    return fmin(2 * expm1(s / 2), l->plain[place][k]);
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static bool new_vectors(Laguerre *l, const double *leak)
{
    const Flow *a = l->rates;
    const size_t n = (size_t)a->n;
    bool ok = mem_new_zeroed(l->exit, n) && mem_new_zeroed(l->leak, n) && mem_new(l->e, n) && mem_new(l->w, n) &&
              mem_new(l->low, n) && mem_new(l->r, n);
    for (int i = 0; i < LAGUERRE_LENGTHS; i++)
        ok = ok && mem_new(l->sum[i], n);
    for (int32_t i = 0; ok && i < a->n; i++)
        l->e[i] = 0; /* entries of each column, for now */
    for (int32_t i = 0; ok && i < a->n; i++) {
        l->most = fmax(l->most, (double)(a->row[i + 1] - a->row[i]));
        for (int64_t k = a->row[i]; k < a->row[i + 1]; k++) {
            const int32_t from = l->kind == LAGUERRE_MEANS ? i : a->col[k];
            twofold_add(&l->exit[from], (Twofold){flow_val(a, k), 0});
            l->e[a->col[k]]++;
        }
    }
    for (int32_t i = 0; ok && i < a->n; i++) {
        l->most = fmax(l->most, l->e[i]);
        if (leak)
            l->leak[i] = leak[i];
        twofold_add(&l->exit[i], (Twofold){l->leak[i], 0});
    }
    return ok;
}

PepaStatus laguerre_new(Laguerre **out, const Flow *rates, LaguerreKind kind, const double *leak,
                        const Control *control)
{
    Control left = *control;
    left.memory = budget_left(control->memory, 10.0 * sizeof(double) * rates->n);
    Laguerre *l = mem_calloc(1, sizeof *l);
    if (!l)
        return PEPA_ENOMEM;
    l->rates = rates;
    l->kind = kind;
    PepaStatus status = factors_analyse(
        &l->factors, rates, kind == LAGUERRE_MEANS ? ROWS_OF_TARGETS : ROWS_OF_SOURCES, -1, &left);
    if (status == PEPA_OK && !new_vectors(l, leak))
        status = PEPA_ENOMEM;
    if (status == PEPA_OK) {
        find_integrals(l);
        *out = l;
    } else {
        laguerre_free(l);
    }
    return status;
}

double laguerre_factor_work(const Laguerre *l)
{
    return l->factors.work;
}

double laguerre_solve_work(const Laguerre *l)
{
    return l->factors.entries;
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* Of norms: with another entry. */
static inline double measured(const Laguerre *l, double norm, double entry)
{
    const double size = fabs(entry);
    if (l->kind == LAGUERRE_DISTRIBUTIONS)
        return norm + size;
    return norm >= size || isnan(norm) ? norm : size; /* NaN, once met, stays */
}

static double norm(const Laguerre *l, const double *x)
{
    double all = 0;
    for (int32_t i = 0; i < l->rates->n; i++)
        all = measured(l, all, x[i]);
    return all;
}

/* Entry i of A (w + low); *size += the sum of the sizes of its terms. */
static Twofold flow_of_state(const Laguerre *l, const double *w, const double *low, int32_t i,
                             double *size)
{
    const Flow *a = l->rates;
    const double here = low ? low[i] : 0;
    Twofold sum = {0, 0};
    for (int64_t k = a->row[i]; k < a->row[i + 1]; k++) {
        const int32_t j = a->col[k];
        const double rate = flow_val(a, k);
        twofold_add_product(&sum, rate, w[j], low ? low[j] : 0);
        *size += fabs(rate * w[j]);
    }
    twofold_add_product(&sum, -l->exit[i].hi, w[i], here);
    sum.lo -= l->exit[i].lo * w[i];
    *size += fabs(l->exit[i].hi * w[i]);
    return sum;
}

/* |A x| */
static double speed(const Laguerre *l, const double *x)
{
    double all = 0, size = 0;
    for (int32_t i = 0; i < l->rates->n; i++) {
        double here = 0;
        all = measured(l, all, flow_of_state(l, x, NULL, i, &here).hi);
        size = measured(l, size, here);
    }
    return all * (1 + l->rates->n * DBL_EPSILON) +
           (l->most + 8) * (l->most + 8) * DBL_EPSILON * DBL_EPSILON * size;
}

/* r = e - (I - gamma A) (w + low), and a bound of its norm, rounding included. */
static double residual(Laguerre *l)
{
    const double rounding = (l->most + 8) * (l->most + 8) * DBL_EPSILON * DBL_EPSILON;
    double all = 0, size = 0;
    for (int32_t i = 0; i < l->rates->n; i++) {
        double here = 0;
        const Twofold flow = flow_of_state(l, l->w, l->low, i, &here);
        Twofold rest = twofold_sum(l->e[i], -l->w[i]);
        rest.lo -= l->low[i];
        twofold_add_product(&rest, l->gamma, flow.hi, flow.lo);
        l->r[i] = rest.hi + rest.lo;
        all = measured(l, all, l->r[i]);
        size = measured(l, size, fabs(l->e[i]) + fabs(l->w[i]) + l->gamma * here);
    }
    return all * (1 + l->rates->n * DBL_EPSILON) + rounding * size;
}

/* x += B r, by factors of I / gamma - A; r is spoiled. */
static void apply(Laguerre *l, double *r, double *x)
{
    for (int32_t i = 0; i < l->rates->n; i++)
        r[i] /= l->gamma;
    factors_correct(&l->factors, r, x);
}

/* w + low = B e, with what is left of the equation: it is amplified by the fastest rates, so that w
 * alone, with as many digits as it has, may leave much. */
static void resolve(Laguerre *l, double *left)
{
    const size_t n = (size_t)l->rates->n;
    memcpy(l->r, l->e, n * sizeof *l->r);
    memset(l->w, 0, n * sizeof *l->w);
    memset(l->low, 0, n * sizeof *l->low);
    apply(l, l->r, l->w);
    *left = residual(l);
    for (int i = 0; *left > LITTLE_LEFT && i < CORRECTIONS; i++) {
        const double before = *left;
        apply(l, l->r, l->low);
        for (size_t j = 0; j < n; j++) {
            const Twofold both = twofold_sum(l->w[j], l->low[j]);
            l->w[j] = both.hi;
            l->low[j] = both.lo;
        }
        *left = residual(l);
        if (!(*left < before / 2))
            break;
    }
}

/* w = B e for the k-th time, all sums with it, and the next e. */
static void advance(Laguerre *l, const LaguerreStep *step, Sums *s, int32_t k)
{
    const size_t n = (size_t)l->rates->n;
    double left;
    resolve(l, &left);
    const double size = norm(l, l->w), reach = step->length / l->gamma;
    s->coefficients += size;
    for (int i = 0; i < LAGUERRE_LENGTHS; i++) {
        const double factor = s->value[i][k];
        double *sum = l->sum[i];
        s->residual[i] += left * integral_plain(l, k, reach / (1 << i));
        s->weighed[i] += fabs(factor) * size;
        for (size_t j = 0; j < n; j++)
            sum[j] += factor * l->w[j];
    }
    for (size_t j = 0; j < n; j++)
        l->e[j] = (l->e[j] - l->w[j]) - l->low[j];
    s->left[k + 1] = norm(l, l->e);
    /* e_k+1, and the difference that low is taken from */
    s->slips += DBL_EPSILON * (s->left[k + 1] + norm(l, l->low)) * (1 + integral_first(k, reach));
}

static double truncation(const Sums *s, int32_t terms, double reach)
{
    return s->left[terms] * (1 + integral_first(terms - 1, reach));
}

/* Whether `rho` after k terms will not fall to `allowed` in time, by the fall of the latter half. */
static bool hopeless(const Sums *s, int32_t k, double rho, double allowed)
{
    if (!isfinite(rho))
        return true;
    if (k < 20 || k % 10 != 0)
        return false;
    const double fall = log(s->left[k / 2] / s->left[k]) / (k - k / 2);
    return !(log(rho / allowed) <= fall * (LAGUERRE_TERMS - k));
}

/* Coefficients until the whole length will do, or no more will help.  out->which and terms. */
static PepaStatus expand(Laguerre *l, const LaguerreStep *step, Sums *s, LaguerreFound *out)
{
    const double reach = step->length / l->gamma;
    double rho = HUGE_VAL;
    int32_t k = 0;
    while (k < LAGUERRE_TERMS && !(rho <= step->allowed[0]) &&
           !(k > 0 && hopeless(s, k, rho, step->allowed[0]))) {
        advance(l, step, s, k);
        PepaStatus status = step->term(step->user, k, l->w);
        if (status != PEPA_OK)
            return status;
        rho = truncation(s, ++k, reach);
    }
    out->terms = k;
    for (int32_t i = 0; i < LAGUERRE_LENGTHS && out->which < 0; i++)
        if (truncation(s, k, reach / (1 << i)) <= step->allowed[i])
            out->which = i;
    return PEPA_OK;
}

static PepaStatus begin(Laguerre *l, const LaguerreStep *step, const double *x, Sums *s,
                        LaguerreFound *out)
{
    const size_t n = (size_t)l->rates->n;
    if (l->gamma != step->gamma) {
        l->gamma = 0;
        for (size_t i = 0; i < n; i++)
            l->r[i] = 1 / step->gamma + l->leak[i];
        PepaStatus status = factors_make(&l->factors, l->r, NULL);
        if (status != PEPA_OK)
            return status;
        l->gamma = step->gamma;
        out->factored = true;
    }
    memcpy(l->e, x, n * sizeof *x);
    for (int i = 0; i < LAGUERRE_LENGTHS; i++) {
        memset(l->sum[i], 0, n * sizeof *x);
        laguerre_values(step->length / l->gamma / (1 << i), LAGUERRE_TERMS, s->value[i]);
    }
    return PEPA_OK;
}

PepaStatus laguerre_step(Laguerre *l, const LaguerreStep *step, double *x, LaguerreFound *out)
{
    Sums s = {0};
    *out = (LaguerreFound){.which = -1};
    PepaStatus status = begin(l, step, x, &s, out);
    if (status == PEPA_OK)
        status = expand(l, step, &s, out);
    if (status != PEPA_OK || out->which < 0)
        return status;
    const double reach = step->length / l->gamma / (1 << out->which);
    const double sum = (out->terms + 4) * DBL_EPSILON; /* of w without low, too */
    out->truncation = truncation(&s, out->terms, reach);
    out->rounding = s.residual[out->which] + s.slips + sum * s.weighed[out->which];
    out->reading = sum * exp(reach / 2) * s.coefficients;
    out->speed = speed(l, x);
    if (!isfinite(out->truncation + out->rounding + out->reading + out->speed)) {
        out->which = -1; /* rates so large that twice the digits overflow */
        return PEPA_OK;
    }
    memcpy(x, l->sum[out->which], (size_t)l->rates->n * sizeof *x);
    return PEPA_OK;
}
