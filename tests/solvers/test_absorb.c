/* Absorption probabilities, to relative accuracy. */
#include "solvers/problems.h"

/* A walk on 0 .. n-1, up with chance p, down with q; class 0 below, class 1 above. */
static Problem walk_between(int32_t n, double up, double down, double *absorb)
{
    Problem p = {.n = n};
    int64_t *row = must(malloc(((size_t)n + 1) * sizeof *row)), at = 0;
    int32_t *col = must(malloc(2 * (size_t)n * sizeof *col));
    double *val = must(malloc(2 * (size_t)n * sizeof *val));
    for (int32_t i = 0; i < n; i++) {
        row[i] = at;
        absorb[2 * i] = i == 0 ? down : 0;
        absorb[2 * i + 1] = i == n - 1 ? up : 0;
        if (i > 0) {
            col[at] = i - 1;
            val[at++] = up;
        }
        if (i < n - 1) {
            col[at] = i + 1;
            val[at++] = down;
        }
    }
    row[n] = at;
    p.flow = flow_of(n, row, col, val, NULL, NULL);
    return p;
}

/* P(above from i) = (1 - r^(i+1)) / (1 - r^(n+1)), r = q / p.  Feller, vol. 1, ch. XIV. */
static const Control plain = {.tolerance = 1e-10};

Test(absorb, gamblers_ruin)
{
    static const int32_t sizes[] = {1, 2, 5, 15, 60, 299};
    static const double ratio[] = {0.5, 1, 2, 10};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t r = 0; r < sizeof ratio / sizeof *ratio; r++)
            for (int32_t start = 0; start < sizes[s]; start += 1 + sizes[s] / 4) {
                int32_t n = sizes[s];
                double *absorb = must(malloc(2 * (size_t)n * sizeof *absorb)), weight[2];
                double up = 1 / (1 + ratio[r]), down = ratio[r] / (1 + ratio[r]);
                Problem p = walk_between(n, up, down, absorb);
                long double q = (long double)down / (long double)up;
                long double above = (start + 1) / (long double)(n + 1);
                if (ratio[r] != 1)
                    above = (1 - powl(q, start + 1)) / (1 - powl(q, n + 1));
                cr_assert(absorb_gth(&p.flow, absorb, 2, start, &plain, weight, NULL) == PEPA_OK);
                /* up and down are rounded: n of these errors multiply. */
                double allowed = 1e-15 * (n + 10);
                cr_expect(fabsl(weight[1] / above - 1) < allowed, "n %d r %g start %d: %g, not %Lg",
                          n, ratio[r], start, weight[1], above);
                cr_expect(fabsl(weight[0] / (1 - above) - 1) < allowed || above > 0.5L);
                cr_expect_float_eq(weight[0] + weight[1], 1, 1e-15);
                free(absorb);
                problem_free(&p);
            }
}

/* Out of a pair of states that hardly ever leaves: P itself cannot show the chances to leave. */
Test(absorb, rare_ends)
{
    const int64_t row[] = {0, 1, 2};
    const int32_t col[] = {1, 0};
    const double val[] = {1, 1}, absorb[] = {1e-17, 0, 3e-17, 0, 4e-17, 2e-17};
    const Flow flow = flow_of(2, row, col, val, NULL, NULL);
    double weight[3];
    cr_assert(absorb_gth(&flow, absorb, 3, 0, &plain, weight, NULL) == PEPA_OK);
    cr_expect_float_eq(weight[0], 0.1, 1e-15);
    cr_expect_float_eq(weight[1], 0.4, 1e-15);
    cr_expect_float_eq(weight[2], 0.5, 1e-15);
}

Test(absorb, many_states)
{
    int32_t n = 99999;
    double *absorb = must(malloc(2 * (size_t)n * sizeof *absorb)), weight[2];
    Problem p = walk_between(n, 0.5, 0.5, absorb);
    cr_assert(absorb_gth(&p.flow, absorb, 2, 24999, &plain, weight, NULL) == PEPA_OK);
    cr_expect_float_eq(weight[1], 0.25, 1e-10); /* 1e5 sums of positive numbers */
    free(absorb);
    problem_free(&p);
}

/* What is out of reach has no say, whatever its numbers. */
Test(absorb, no_way_out)
{
    const int64_t row[] = {0, 1, 2};
    const int32_t col[] = {1, 0};
    const double val[] = {1, 1};
    const double never[] = {0, 0}, bad[] = {0, NAN}, infinite[] = {INFINITY, 1};
    const Flow flow = flow_of(2, row, col, val, NULL, NULL);
    double weight = 7;
    PepaError err = {0};
    cr_expect(absorb_gth(&flow, never, 1, 0, &plain, &weight, &err) == PEPA_ENOCONV);
    cr_expect(absorb_gth(&flow, bad, 1, 0, &plain, &weight, &err) == PEPA_ENOCONV);
    cr_expect(absorb_gth(&flow, infinite, 1, 0, &plain, &weight, &err) == PEPA_ENOCONV);
    cr_expect(weight == 7 && err.message[0]);
}
