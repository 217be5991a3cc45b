/* Programs with whole numbers, alone and beside other variables, against all combinations. */
#include "programs.h"

/* (x - 7.3)^2 + (y - 4.8)^2 + x y / 10, where x + 2 y <= 15 */
static void bowl(const double *x, double *value, double *slope)
{
    value[0] = pow(x[0] - 7.3, 2) + pow(x[1] - 4.8, 2) + x[0] * x[1] / 10;
    value[1] = (x[0] + 2 * x[1] - 15) / 15;
    if (slope) {
        const double rows[] = {2 * (x[0] - 7.3) + x[1] / 10, 2 * (x[1] - 4.8) + x[0] / 10, 1 / 15.0,
                               2 / 15.0};
        memcpy(slope, rows, sizeof rows);
    }
}

static void all_bowl(double low, double high, double best[3])
{
    best[2] = INFINITY;
    for (double x = low; x <= high; x++)
        for (double y = low; y <= high; y++) {
            double value[2], at[] = {x, y};
            bowl(at, value, NULL);
            if (value[1] > 0 || value[0] >= best[2])
                continue;
            best[0] = x;
            best[1] = y;
            best[2] = value[0];
        }
}

Test(optimise, whole_numbers)
{
    double best[3];
    all_bowl(1, 20, best);
    for (int foreseen = 0; foreseen < 2; foreseen++)
        for (int many = 0; many < 2; many++) {
            bool all;
            Known k = known(2, 1, bowl, 1, many ? 500 : 20);
            k.whole[0] = k.whole[1] = 1;
            k.foreseen = foreseen;
            Optimiser s = search(&k, &all);
            cr_expect_eq(all, !many);
            cr_expect_eq(s.x[0], best[0]);
            cr_expect_eq(s.x[1], best[1]);
            cr_expect_eq(s.value, best[2]);
            if (!many)
                cr_expect_eq(k.points + s.skipped, 400);
            if (foreseen && !many)
                cr_expect_eq(k.points, 1, "the first that is feasible is the best");
            if (many)
                cr_expect_lt(k.points, 200);
            optimiser_free(&s);
        }
}

/* A valley that no axis follows: two numbers grow together. */
static void ridge(const double *x, double *value, double *slope)
{
    (void)slope;
    value[0] = 1000 * pow(x[0] - x[1], 2) + fabs(x[0] - 37);
}

Test(optimise, two_axes_at_once)
{
    bool all;
    Known k = known(2, 0, ridge, 1, 500);
    k.whole[0] = k.whole[1] = 1;
    Optimiser s = search(&k, &all);
    cr_expect_eq(s.x[0], 37);
    cr_expect_eq(s.x[1], 37);
    optimiser_free(&s);
}

/* One whole number outside, the other variable inside. */
Test(optimise, mixed)
{
    for (int many = 0; many < 2; many++) {
        bool all;
        Known k = known(2, 1, bowl, 1, 20);
        double best = INFINITY;
        for (double x = 1; x <= 13;
             x++) { /* y is where the parabola is least, or as far as it may */
            double value[2], y = fmin(4.8 - x / 20, (15 - x) / 2), at[] = {x, y};
            bowl(at, value, NULL);
            best = fmin(best, value[0]);
        }
        k.high[0] = many ? 300 : 20;
        k.whole[0] = 1;
        Optimiser s = search(&k, &all);
        cr_expect_eq(all, !many);
        cr_expect(optimiser_feasible(&s));
        cr_expect_float_eq(s.value, best, 1e-5, "%.9g, not %.9g", s.value, best);
        cr_expect_leq(optimiser_residual(&s), 1e-5);
        optimiser_free(&s);
    }
}
