/* Programs whose optimum is known, with derivatives and without; failures, and shares of ranges. */
#include "programs.h"

static void expect(Known k, const double *x, double value, double precise)
{
    bool all;
    Optimiser s = search(&k, &all);
    cr_expect_eq(s.status, PEPA_OK);
    cr_expect(optimiser_feasible(&s));
    cr_expect_float_eq(s.value, value, precise, "%.12g, not %.12g", s.value, value);
    for (int32_t i = 0; i < k.program.variables; i++)
        cr_expect_float_eq(s.x[i], x[i], 30 * sqrt(precise), "variable %d is %.12g, not %.12g", i,
                           s.x[i], x[i]);
    if (!k.rough && !memchr(k.whole, 1, MOST))
        cr_expect_leq(optimiser_residual(&s), 3e-5, "value %g: residual %g", value,
                      optimiser_residual(&s));
    optimiser_free(&s);
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Rosenbrock 1960: a curved valley, 0 at (1, 1). */
static void valley(const double *x, double *value, double *slope)
{
    const double a = x[1] - x[0] * x[0], b = 1 - x[0];
    value[0] = 100 * a * a + b * b;
    if (slope) {
        slope[0] = -400 * a * x[0] - 2 * b;
        slope[1] = 200 * a;
    }
}

/* x + y on the disc of radius 1 around (2, 2): 4 - sqrt(2). */
static void disc(const double *x, double *value, double *slope)
{
    const double a = x[0] - 2, b = x[1] - 2;
    value[0] = x[0] + x[1];
    value[1] = a * a + b * b - 1;
    if (slope) {
        const double rows[] = {1, 1, 2 * a, 2 * b};
        memcpy(slope, rows, sizeof rows);
    }
}

/* Hock and Schittkowski 1981, problem 76 without its fourth constraint: a quadratic function of four
 * variables under three linear constraints.  -4.6818181818.. at (3/11, 23/11, 0, 6/11). */
static void quadratic(const double *x, double *value, double *slope)
{
    value[0] = x[0] * x[0] + 0.5 * x[1] * x[1] + x[2] * x[2] + 0.5 * x[3] * x[3] - x[0] * x[2] +
               x[2] * x[3] - x[0] - 3 * x[1] + x[2] - x[3];
    value[1] = (x[0] + 2 * x[1] + x[2] + x[3] - 5) / 5;
    value[2] = (3 * x[0] + x[1] + 2 * x[2] - x[3] - 4) / 4;
    value[3] = (1.5 - x[1] - 4 * x[2]) / 1.5;
    if (slope) {
        const double rows[] = {2 * x[0] - x[2] - 1,
                               x[1] - 3,
                               2 * x[2] - x[0] + x[3] + 1,
                               x[3] + x[2] - 1,
                               0.2,
                               0.4,
                               0.2,
                               0.2,
                               0.75,
                               0.25,
                               0.5,
                               -0.25,
                               0,
                               -1 / 1.5,
                               -4 / 1.5,
                               0};
        memcpy(slope, rows, sizeof rows);
    }
}

/* |x - 1/3| + 2 |y - 1/2|, with the derivatives of one side: a kink in each variable. */
static void kinks(const double *x, double *value, double *slope)
{
    value[0] = fabs(x[0] - 1.0 / 3) + 2 * fabs(x[1] - 0.5);
    if (slope) {
        slope[0] = x[0] < 1.0 / 3 ? -1 : 1;
        slope[1] = x[1] < 0.5 ? -2 : 2;
    }
}

/* Two valleys: the lower one is narrow.  Where it is lowest Newton's method on the derivative says,
 * from 3/4. */
static const double lowest = 0.7450374193931021;
static void two_valleys(const double *x, double *value, double *slope)
{
    const double a = x[0] - 0.25, b = (x[0] - 0.75) / 0.1;
    value[0] = a * a - exp(-b * b);
    if (slope)
        slope[0] = 2 * a + 2 * b / 0.1 * exp(-b * b);
}

static void linear(const double *x, double *value, double *slope)
{
    value[0] = 3 * x[0] - x[1];
    if (slope) {
        slope[0] = 3;
        slope[1] = -1;
    }
}

Test(optimise, with_derivatives)
{
    expect(known(2, 0, valley, -2, 2), (double[]){1, 1}, 0, 1e-12);
    expect(known(2, 0, valley, 0.01, 100), (double[]){1, 1}, 0, 1e-12);
    expect(known(2, 0, valley, -2, 0.5), (double[]){0.5, 0.25}, 0.25, 1e-9);
    expect(known(2, 1, disc, 0, 4), (double[]){2 - sqrt(0.5), 2 - sqrt(0.5)}, 4 - sqrt(2), 1e-6);
    expect(known(4, 3, quadratic, 0, 5), (double[]){3.0 / 11, 23.0 / 11, 0, 6.0 / 11},
           -4.681818181818182, 3e-6);
    expect(known(1, 0, two_valleys, 0, 1), (double[]){lowest}, -0.752478262781, 1e-9);
}

/* At a corner, exactly. */
Test(optimise, ends)
{
    bool all;
    Known k = known(2, 0, linear, 0.5, 8);
    Optimiser s = search(&k, &all);
    cr_expect_eq(s.x[0], 0.5);
    cr_expect_eq(s.x[1], 8);
    cr_expect_eq(s.value, -6.5);
    cr_expect_leq(optimiser_residual(&s), 1e-12);
    optimiser_free(&s);
}

/* Where a point is not optimal the residual says so: what pulls it away from its end, or along. */
Test(optimise, residual)
{
    static const double at[][2] = {{8, 8}, {0.5, 0.5}, {1, 8}, {0.5, 8}};
    for (int i = 0; i < 4; i++) {
        Optimiser s;
        Known k = known(2, 0, linear, 0.5, 8);
        k.program.low = k.low;
        k.program.high = k.high;
        k.program.whole = k.whole;
        k.program.user = &k;
        cr_assert_eq(optimiser_new(&s, &k.program, NULL), PEPA_OK);
        s.met = true;
        memcpy(s.x, at[i], sizeof at[i]);
        if (i < 3)
            cr_expect_gt(optimiser_residual(&s), 1);
        else
            cr_expect_leq(optimiser_residual(&s), 1e-12);
        optimiser_free(&s);
    }
}

Test(optimise, kinks)
{
    expect(known(1, 0, two_valleys, 0, 1), (double[]){lowest}, -0.752478262781, 1e-9);
    bool all;
    Known k = known(2, 0, kinks, 0, 1);
    Optimiser s = search(&k, &all);
    cr_expect_float_eq(s.x[0], 1.0 / 3, 1e-6);
    cr_expect_float_eq(s.x[1], 0.5, 1e-6);
    optimiser_free(&s);
}

Test(optimise, without_derivatives)
{
    Known k = known(2, 1, disc, 0, 4);
    k.rough = true;
    expect(k, (double[]){2 - sqrt(0.5), 2 - sqrt(0.5)}, 4 - sqrt(2), 1e-5);
    k = known(1, 0, two_valleys, 0, 1);
    k.rough = true;
    expect(k, (double[]){lowest}, -0.752478262781, 1e-9);
    k = known(2, 0, kinks, 0, 1);
    k.rough = true;
    expect(k, (double[]){1.0 / 3, 0.5}, 0, 1e-6);
}

/* A variable without a choice, and none with one. */
Test(optimise, ranges_of_one_value)
{
    Known k = known(2, 0, valley, -2, 2);
    k.low[0] = k.high[0] = 1.5;
    expect(k, (double[]){1.5, 2}, 0.25 + 6.25, 1e-9);
    bool all;
    k.low[1] = k.high[1] = -1;
    Optimiser s = search(&k, &all);
    cr_expect_eq(k.points, 1);
    cr_expect_eq(s.value, 100 * 3.25 * 3.25 + 0.25);
    cr_expect(isnan(optimiser_residual(&s)));
    optimiser_free(&s);
}

/* Where part of the range is no point at all. */
Test(optimise, points_that_are_not_there)
{
    Known k = known(2, 0, valley, -2, 2);
    k.wrong_from = 1.2;
    expect(k, (double[]){1, 1}, 0, 1e-8);
    bool all;
    k.wrong_from = 1e-300;
    k.low[0] = 0.1;
    Optimiser s = search(&k, &all);
    cr_expect_eq(s.status, PEPA_OK);
    cr_expect_not(s.met);
    cr_expect_gt(s.wrong, 0);
    optimiser_free(&s);
}

static void never(const double *x, double *value, double *slope)
{
    disc(x, value, slope);
    value[1] += 2; /* 1 at least */
}

Test(optimise, infeasible)
{
    bool all;
    Known k = known(2, 1, never, 0, 4);
    Optimiser s = search(&k, &all);
    cr_expect_eq(s.status, PEPA_OK);
    cr_expect_not(optimiser_feasible(&s));
    cr_expect_float_eq(s.violation, 1, 1e-6, "%.9g", s.violation);
    cr_expect_float_eq(s.x[0], 2, 1e-3);
    optimiser_free(&s);
}

/* A failure ends the search at once, and says where. */
Test(optimise, failures)
{
    for (int64_t at = 1; at < 60; at += 7)
        for (int way = 0; way < 3; way++) {
            bool all;
            Known k = known(2, 1, disc, 0, 4);
            k.fails_at = at;
            k.rough = way == 1;
            k.whole[0] = k.whole[1] = way == 2;
            Optimiser s = search(&k, &all);
            if (way != 2 || at <= 25) {
                cr_expect_eq(s.status, PEPA_ELIMIT);
                cr_expect_eq(k.points, at);
                cr_expect_str_eq(s.err.message, "too large");
            }
            optimiser_free(&s);
        }
}

/* Multipliers make a few rounds do, and no large penalty is needed. */
Test(optimise, rounds)
{
    bool all;
    Known k = known(2, 1, disc, 0, 4);
    Optimiser s = search(&k, &all);
    cr_expect_lt(k.points, 1000, "%lld points", (long long)k.points);
    optimiser_free(&s);
    k = known(4, 3, quadratic, 0, 5);
    s = search(&k, &all);
    cr_expect_lt(k.points, 1000, "%lld points", (long long)k.points);
    optimiser_free(&s);
}

/* What a gain that levels off leaves of a cost: -sum x / (1 + x) - x / 100, each best at 9. */
static void profit(const double *x, double *value, double *slope)
{
    value[0] = 0;
    for (int i = 0; i < 2; i++) {
        value[0] -= x[i] / (1 + x[i]) - x[i] / 100;
        if (slope)
            slope[i] = 0.01 - 1 / ((1 + x[i]) * (1 + x[i]));
    }
}

/* Under x + y <= 10: at (5, 5). */
static void shared_profit(const double *x, double *value, double *slope)
{
    profit(x, value, slope);
    value[1] = (x[0] + x[1] - 10) / 10;
    if (slope)
        slope[2] = slope[3] = 0.1;
}

/* Where the objective is largest by hundreds of powers of ten, its size says nothing. */
Test(optimise, wide_ranges)
{
    static const double ranges[][2] = {{0, 1e6},       {0, 1e12},       {0, 1e100},
                                       {0, 1e300},     {1e-9, 1e9},     {1e-160, 1e160},
                                       {1e-200, 1e20}, {1e-300, 1e300}, {1e-3, 1e250}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        expect(known(2, 0, profit, ranges[i][0], ranges[i][1]), (double[]){9, 9}, -1.62, 1e-9);
        expect(known(2, 1, shared_profit, ranges[i][0], ranges[i][1]), (double[]){5, 5},
               -2 * (5 / 6.0 - 0.05), 1e-8);
    }
    Known k = known(2, 0, profit, 0, 1e15); /* without derivatives, within 1% */
    k.rough = true;
    expect(k, (double[]){9, 9}, -1.62, 1e-5);
    expect(known(2, 0, profit, 20, 1e200), (double[]){20, 20}, -2 * (20 / 21.0 - 0.2), 1e-9);
}

Test(optimise, shares)
{
    Known k = known(3, 0, linear, 2, 50);
    k.low[1] = -3;
    k.low[2] = k.high[2] = 7;
    k.program.low = k.low;
    k.program.high = k.high;
    Optimiser search;
    cr_assert_eq(optimiser_new(&search, &k.program, NULL), PEPA_OK);
    for (int32_t i = 0; i < 2; i++)
        for (double share = 0.1; share < 1; share += 0.2) {
            const double h = 1e-6;
            const double x = share_value(&search, i, share);
            cr_expect_float_eq(share_of(&search, i, x), share, 1e-12);
            cr_expect_float_eq(share_slope(&search, i, share),
                               (share_value(&search, i, share + h) -
                                share_value(&search, i, share - h)) /
                                   (2 * h),
                               1e-6);
        }
    cr_expect_eq(share_value(&search, 0, 0), 2);
    cr_expect_eq(share_value(&search, 0, 1), 50);
    cr_expect_eq(share_value(&search, 2, 0.5), 7);
    cr_expect_eq(share_of(&search, 2, 7), 0);
    optimiser_free(&search);
}
