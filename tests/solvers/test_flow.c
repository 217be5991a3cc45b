/* Residuals and normalisation. */
#include "solvers/problems.h"

#include "solvers/internal.h"

/* 0 -> 1 -> 2 -> 0 and 1 -> 0 with equal chances: y = (2, 2, 1) / 5. */
static const int64_t row[] = {0, 2, 3, 4};
static const int32_t col[] = {1, 2, 0, 1};
static const double val[] = {0.5, 1, 1, 0.5}, b[] = {0.5, 0.5, 0};
static const double ones[] = {1, 1, 1};

Test(flow, residual_is_a_share_of_the_flow)
{
    const Flow flow = flow_of(3, row, col, val, ones, NULL);
    const double exact[] = {2, 2, 1}, wrong[] = {1, 0, 0};
    cr_expect(flow_residual(&flow, exact) == 0);
    cr_expect(flow_residual(&flow, wrong) == 2); /* 1 missing at state 0, 1 too much at state 1 */
    const Flow visits = flow_of(3, row, col, val, NULL, b);
    cr_expect(flow_residual(&visits, wrong) == 2); /* off by 1/2 - 1, 1 + 1/2, 0 */
}

Test(flow, residual_of_bad_numbers_is_infinite)
{
    const Flow flow = flow_of(3, row, col, val, ones, NULL);
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        const double y[] = {1, bad[k], 1}, zero[] = {0, 0, 0};
        cr_expect(isinf(flow_residual(&flow, y)));
        cr_expect(isinf(flow_residual(&flow, zero)));
    }
}

/* State 2 is left a thousand times more slowly: what is off there weighs more in time than in flow.
 */
Test(flow, criterion_weighs_by_time_too)
{
    const double exit[] = {1, 1, 1e-3}, y[] = {2, 2, 1.1};
    const Flow flow = flow_of(3, row, col, val, exit, NULL);
    double residual, criterion = flow_criterion(&flow, y, &residual);
    cr_expect_float_eq(residual, 0.2 / 5.1, 1e-15);
    cr_expect_float_eq(criterion, (0.1 + 100) / (4 + 1100), 1e-15);
}

/* Without exit rates every visit takes as long: what is off in time is what is off in flow. */
Test(flow, no_exit_rates)
{
    const double y[] = {2, 2, 1.1};
    const Flow with = flow_of(3, row, col, val, ones, NULL);
    const Flow without = flow_of(3, row, col, val, NULL, NULL);
    double residual, scratch[3];
    cr_expect_float_eq(flow_criterion(&without, y, &residual), 0.2 / 5.1, 1e-15);
    cr_expect_float_eq(flow_drift(&without, y, scratch).time, 0.25 / 5.1, 1e-15); /* to 2.1, 2.1, 1.05 */
    cr_expect_float_eq(flow_drift(&with, y, scratch).time, 0.25 / 5.1, 1e-15);
}

/* 0 and 1 in turn, a rare jump from 0 to 3, from there to 2, and from 2 back to 3, or to 0 with
 * chance 1/100.  State 3 is left rarely and 2 quickly: the flow between them may be wrong as a
 * whole with nothing to be seen but the little that leaks from 2. */
Test(flow, drift_of_rare_visits)
{
    static const int64_t rows[] = {0, 2, 3, 4, 6};
    static const int32_t cols[] = {1, 2, 0, 3, 0, 2};
    static const double vals[] = {1, 0.01, 1, 1, 1e-16, 0.99}, exit[] = {1, 1, 1, 1e-12};
    const Flow flow = flow_of(4, rows, cols, vals, exit, NULL);
    double leak = 0.5e-14, exact[] = {0.5, 0.5, leak, leak}, wrong[] = {0.5, 0.5, 0, 1e-12};
    double scratch[4], residual;
    wrong[2] = (wrong[3] - 0.5e-16) / 0.99; /* what leaves 3 in balance */
    cr_expect_lt(flow_criterion(&flow, wrong, &residual), 1e-13);
    cr_expect_float_eq(flow_drift(&flow, wrong, scratch).time, 0.01 / 2, 1e-4);
    cr_expect_lt(flow_drift(&flow, exact, scratch).time, 1e-14);
}

Test(flow, gauge_is_absolute_for_many_visits)
{
    const Flow visits = flow_of(3, row, col, val, NULL, b);
    const double y[] = {100, 100, 50};
    double residual, criterion = flow_criterion(&visits, y, &residual);
    cr_expect_float_eq(criterion, 1, 1e-12);
    cr_expect_float_eq(residual, 1.0 / 250, 1e-15);
}

Test(flow, settle)
{
    const Flow flow = flow_of(3, row, col, val, ones, NULL),
               visits = flow_of(3, row, col, val, NULL, b);
    double y[] = {3, -1e-9, 1}, negative[] = {-3, 1e-9, -1}, huge[] = {1.5e308, 0, 0.5e308},
           below[] = {-1.5e308, 0, -0.5e308}, tiny[] = {3e-320, 0, 1e-320}, zero[] = {0, -0.0, 0},
           bad[] = {1, NAN, 1}, count[] = {7, -1, 2}, none[] = {0, -1, -2};
    double *const same[] = {y, negative, huge, below, tiny};
    for (int k = 0; k < 5; k++) {
        cr_expect(flow_normalise(&flow, same[k]));
        cr_expect(fabs(same[k][0] - 0.75) < 1e-3 && same[k][1] == 0, "%d: %g %g %g", k, same[k][0],
                  same[k][1], same[k][2]);
        cr_expect_float_eq(same[k][0] + same[k][1] + same[k][2], 1, 1e-15);
    }
    cr_expect(!flow_normalise(&flow, zero));
    cr_expect(!flow_normalise(&flow, bad));
    cr_expect(flow_normalise(&visits, count));
    cr_expect(count[0] == 7 && count[1] == 0 && count[2] == 2);
    cr_expect(!flow_normalise(&visits, none), "no visit is positive");
}

Test(flow, defect_and_product)
{
    const Flow visits = flow_of(3, row, col, val, NULL, b);
    const double y[] = {1, 2, 3};
    double r[3], w[3];
    cr_expect(flow_defect(&visits, y, r) == 3.5 + 0.5 + 2);
    cr_expect(r[0] == 3.5 && r[1] == -0.5 && r[2] == -2);
    flow_apply(&visits, y, w);
    cr_expect(w[0] == -3 && w[1] == 1 && w[2] == 2);
}

/* Sums by fours and what is left over. */
Test(flow, inner_products)
{
    const double x[] = {1, 2, 3, 4, 5, 6, 7}, one[] = {1, 1, 1, 1, 1, 1, 1};
    for (int32_t n = 1; n <= 7; n++) {
        const Flow flow = {.n = n};
        const int32_t squares = n * (n + 1) * (2 * n + 1) / 6;
        double xx, x1;
        flow_dots(&flow, x, one, &xx, &x1);
        cr_expect(flow_dot(&flow, x, x) == squares && xx == squares && x1 == n * (n + 1) / 2);
    }
}
