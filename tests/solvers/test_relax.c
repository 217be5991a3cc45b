/* The search for a relaxation factor, on made-up slopes. */
#include <criterion/criterion.h>
#include <math.h>

#include "solvers/internal.h"

/* Runs `windows` windows of a method whose slope is -1 + (f - best)^2 below `limit` and +1 from
 * there on; the factor it stays at. */
static double search(double start, double step, double best, double limit)
{
    Relax relax = relax_start(start, step, 0.1, 1.95);
    for (int k = 0; k < 60; k++) {
        double f = relax.now;
        cr_expect(f >= 0.1 && f <= 1.95, "%g", f);
        relax_next(&relax, f < limit ? -1 + (f - best) * (f - best) : HUGE_VAL);
    }
    return relax.best;
}

Test(relax, finds_over_relaxation)
{
    cr_expect_float_eq(search(1, 0.2, 1.7, 2), 1.7, 0.05);
    cr_expect_float_eq(search(1, 0.9, 1.3, 2), 1.3, 0.05);
}

Test(relax, finds_under_relaxation)
{
    cr_expect_float_eq(search(1, 0.2, 0.6, 2), 0.6, 0.05);
    cr_expect_float_eq(search(1, 0.2, 0.9, 0.95), 0.9, 0.1);
}

Test(relax, keeps_below_the_limit)
{
    cr_expect(search(1, 0.2, 1.8, 1.5) < 1.5);
    cr_expect(search(1, 0.9, 1.8, 1.2) < 1.2);
}
