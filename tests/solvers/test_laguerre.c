/* Steps by Laguerre series against closed forms, with the bounds that they prove. */
#include "solvers/transient/laguerre.h"

#include "solvers/problems.h"
#include "solvers/transient/poisson.h"

enum { MOST = 64 };

/* A chain by rows of rates, small enough to be dense at first. */
typedef struct {
    int32_t n, col[MOST * MOST];
    int64_t row[MOST + 1];
    double val[MOST * MOST], exit[MOST];
    Flow flow;
} Rates;

/* rate[i * n + j]: from i to j. */
static void rates_of(Rates *r, int32_t n, const double *rate)
{
    *r = (Rates){.n = n};
    int64_t at = 0;
    for (int32_t i = 0; i < n; i++) {
        r->row[i] = at;
        for (int32_t j = 0; j < n; j++) {
            const double q = rate[j * n + i];
            if (j == i || q == 0)
                continue;
            r->col[at] = j;
            r->val[at++] = q;
            r->exit[j] += q;
        }
    }
    r->row[n] = at;
    r->flow = flow_of(n, r->row, r->col, r->val, r->exit, NULL);
}

static Laguerre *series_of(const Rates *r)
{
    Laguerre *l = NULL;
    const Control control = {0};
    cr_assert_eq(laguerre_new(&l, &r->flow, LAGUERRE_DISTRIBUTIONS, NULL, &control), PEPA_OK);
    cr_assert(laguerre_solve_work(l) >= r->n && laguerre_factor_work(l) >= 0);
    return l;
}

typedef struct {
    int32_t n, count;
    double w[LAGUERRE_TERMS][MOST];
} Kept;

static PepaStatus keep(void *user, int32_t k, const double *w)
{
    Kept *kept = user;
    cr_assert_eq(k, kept->count);
    memcpy(kept->w[kept->count++], w, (size_t)kept->n * sizeof *w);
    return PEPA_OK;
}

static LaguerreStep step_of(Kept *kept, double gamma, double length, double allowed)
{
    kept->count = 0;
    return (LaguerreStep){gamma, length, {allowed, allowed, allowed}, keep, kept};
}

Test(laguerre, polynomials)
{
    for (double s = 0; s <= LAGUERRE_REACH; s += 0.25) {
        double value[LAGUERRE_TERMS + 1];
        laguerre_values(s, LAGUERRE_TERMS, value);
        cr_expect_eq(value[0], 1);
        cr_expect_float_eq(value[1], 1 - s, 1e-15);
        cr_expect_float_eq(value[2], (s * s - 4 * s + 2) / 2, 1e-13);
        cr_expect_float_eq(value[3], (-s * s * s + 9 * s * s - 18 * s + 6) / 6, 1e-13);
        for (int k = 0; k <= LAGUERRE_TERMS; k++)
            cr_expect_leq(fabs(value[k]), exp(s / 2) * (1 + 1e-12));
    }
}

static double two(double a, double b, double p, double t) /* of state 1, from p */
{
    return a / (a + b) + (p - a / (a + b)) * exp(-(a + b) * t);
}

/* Two states, slow to stiff, from anywhere; also at times within the step. */
Test(laguerre, two_states)
{
    static const double rates[][2] = {{2, 3}, {1e-9, 1e-3}, {1e6, 1}, {1e9, 1e9}, {1e-4, 0}};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (double gamma = 1e-4; gamma < 1e5; gamma *= 10) {
            const double a = rates[i][0], b = rates[i][1], q[] = {0, a, b, 0};
            const double settled = two(a, b, 0, 50 / (a + b));
            double from[] = {0.25, settled, settled + 1e-3 * (1 - settled)};
            Rates r;
            rates_of(&r, 2, q);
            Laguerre *l = series_of(&r);
            for (int s = 0; s < 3; s++) {
                Kept kept = {.n = 2};
                LaguerreStep step = step_of(&kept, gamma, 6 * gamma, 1e-11);
                LaguerreFound found;
                double x[] = {1 - from[s], from[s]};
                cr_assert_eq(laguerre_step(l, &step, x, &found), PEPA_OK);
                if (found.which < 0) {
                    cr_expect(x[1] == from[s] && gamma * (a + b) > 0.5, "gamma %g", gamma);
                    continue;
                }
                const double length = 6 * gamma / (1 << found.which);
                const double bound = found.truncation + found.rounding;
                const double flow = a * (1 - from[s]) - b * from[s];
                cr_expect_leq(found.truncation, 1e-11);
                cr_expect_eq(found.terms, kept.count);
                cr_expect_float_eq(found.speed, 2 * fabs(flow), 1e-14 * (a + b));
                const double want = two(a, b, from[s], length);
                const double apart = fabs(x[1] - want) + fabs(x[0] - (1 - want));
                cr_expect(apart <= bound + 1e-15, "%g %g gamma %g: off by %g, bound %g", a, b,
                          gamma, apart, bound);
                for (int j = 0; j <= 10; j++) {
                    double value[LAGUERRE_TERMS + 1], p = 0, t = length * j / 10;
                    laguerre_values(t / gamma, found.terms, value);
                    for (int k = 0; k < found.terms; k++)
                        p += value[k] * kept.w[k][1];
                    cr_expect_float_eq(p, two(a, b, from[s], t), bound + found.reading + 1e-15);
                }
            }
            laguerre_free(l);
        }
}

/* A ring: the number of jumps has a Poisson distribution.  Its eigenvalues are far from real. */
Test(laguerre, ring)
{
    enum { N = 50 };
    static double q[N * N];
    static Kept kept;
    Rates *r = must(malloc(sizeof *r));
    for (int i = 0; i < N; i++)
        q[i * N + (i + 1) % N] = 2;
    rates_of(r, N, q);
    Laguerre *l = series_of(r);
    double x[N] = {1}, bound = 0, time = 0;
    kept.n = N;
    for (int k = 0; k < 12; k++) {
        LaguerreStep step = step_of(&kept, k < 6 ? 0.2 : 0.4, 1.6, 1e-12);
        LaguerreFound found;
        cr_assert_eq(laguerre_step(l, &step, x, &found), PEPA_OK);
        cr_assert(found.which >= 0);
        cr_expect_eq(found.factored, k == 0 || k == 6);
        time += 1.6 / (1 << found.which);
        bound += found.truncation + found.rounding;
        double apart = 0;
        for (int i = 0; i < N; i++) {
            double p = 0;
            for (int j = i; j < 400; j += N)
                p += exp(-2 * time + j * log(2 * time) - lgamma(j + 1.0));
            apart += fabs(p - x[i]);
        }
        cr_expect(apart <= bound + 1e-13, "time %g: off by %g, bound %g", time, apart, bound);
        cr_expect_leq(bound, (k + 1) * 2e-12);
    }
    laguerre_free(l);
    free(r);
}

/* Far too long a step for a fast start: it is not believed, and x stays. */
Test(laguerre, too_long)
{
    const double q[] = {0, 1e6, 1, 0};
    Rates r;
    rates_of(&r, 2, q);
    Laguerre *l = series_of(&r);
    Kept kept = {.n = 2};
    LaguerreStep step = step_of(&kept, 1, 8, 1e-10);
    LaguerreFound found;
    double x[] = {1, 0};
    cr_assert_eq(laguerre_step(l, &step, x, &found), PEPA_OK);
    cr_expect(found.which == -1 && x[0] == 1 && x[1] == 0);
    cr_expect_lt(found.terms, LAGUERRE_TERMS);
    laguerre_free(l);
}

static PepaStatus stop(void *user, int32_t k, const double *w)
{
    (void)user;
    (void)w;
    return k == 1 ? PEPA_ECANCEL : PEPA_OK;
}

Test(laguerre, stopped_and_refused)
{
    const double q[] = {0, 1, 1, 0};
    Rates r;
    rates_of(&r, 2, q);
    Laguerre *l = series_of(&r), *none = NULL;
    LaguerreStep step = {0.1, 0.8, {1e-10, 1e-10, 1e-10}, stop, NULL};
    LaguerreFound found;
    double x[] = {1, 0};
    cr_expect_eq(laguerre_step(l, &step, x, &found), PEPA_ECANCEL);
    cr_expect(x[0] == 1 && x[1] == 0);
    laguerre_free(l);
    const Control tight = {.memory = 100};
    cr_expect_eq(laguerre_new(&none, &r.flow, LAGUERRE_DISTRIBUTIONS, NULL, &tight), PEPA_ELIMIT);
    cr_expect_null(none);
}
