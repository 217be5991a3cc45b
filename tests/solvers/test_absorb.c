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

/* ---- numbers of all states ------------------------------------------------------------------- */

/* A walk on 0 .. n - 1 that goes up at rate 1, down at rate r, and at 0 not at all.  The time from k to k + 1 is T_0 = 1,
 * T_k = 1 + r T_(k-1); the chance to leave at n before -1 that of the gambler, who leaves 0 at rate r as well. */
static void values_of_walk(int32_t n, long double r, bool ruin)
{
    const size_t size = (size_t)n;
    long double *rate = must(calloc(size * size, sizeof *rate)),
                *leave = must(calloc(size, sizeof *leave)), *x = must(calloc(2 * size, sizeof *x)),
                above = 0;
    double off;
    for (size_t i = 0; i < size; i++) {
        if (i > 0)
            rate[i * size + i - 1] = r;
        if (i + 1 < size)
            rate[i * size + i + 1] = 1;
        x[2 * i] = ruin && i + 1 == size;
        x[2 * i + 1] = ruin && i == 0 ? r : 0;
        if (!ruin)
            x[2 * i] = 1;
        leave[i] = (i + 1 == size) + (ruin && i == 0 ? r : 0);
    }
    cr_assert_eq(absorb_values(n, 2, rate, leave, x, &plain, &off, NULL), PEPA_OK);
    cr_expect(off > 0 && off <= (n + 4.0) * (n + 4.0) * (n + 4.0) * 6e-20);
    const long double rounding = off + 1e-18 * n;
    long double time = 0, step = 1, steps[400];
    for (int32_t k = 0; k < n; k++, step = 1 + r * step)
        steps[k] = step;
    for (int32_t k = n - 1; k >= 0 && !ruin; k--) {
        time += steps[k];
        cr_expect(fabsl(x[2 * k] / time - 1) <= rounding, "%d of %d, r %Lg: %Lg, not %Lg", k, n, r,
                  x[2 * k], time);
    }
    for (int32_t k = 0; k < n && ruin; k++) {
        long double sum = 0, all = 0, power = 1; /* of r^j, j = 0 .. k, over j = 0 .. n */
        for (int32_t j = 0; j <= n; j++, power *= r) {
            sum += j <= k ? power : 0;
            all += power;
        }
        above = sum / all;
        cr_expect(fabsl(x[2 * k] / above - 1) <= rounding, "%d of %d, r %Lg: %Lg, not %Lg", k, n, r,
                  x[2 * k], above);
        cr_expect(fabsl(x[2 * k] + x[2 * k + 1] - 1) <= rounding);
    }
    free(rate);
    free(leave);
    free(x);
}

Test(absorb, values_however_rarely_states_are_left)
{
    const int32_t sizes[] = {1, 2, 3, 6, 30, 120};
    const long double ratios[] = {1e-8L, 0.5L, 1, 3, 1e4L, 1e8L};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++) {
            values_of_walk(sizes[s], ratios[r], false);
            values_of_walk(sizes[s], ratios[r], true);
        }
}

/* Random chains, jumps between whose groups are up to 10^12 times as rare: as by censoring from each state. */
Test(absorb, values_are_those_of_censoring)
{
    enum { N = 9 };
    uint64_t seed = 12345;
    for (int trial = 0; trial < 300; trial++) {
        long double rate[N * N] = {0}, leave[N] = {0}, x[2 * N] = {0};
        double absorb[2 * N] = {0}, exit[N] = {0}, off;
        for (int32_t i = 0; i < N; i++)
            for (int32_t j = 0; j < N + 2; j++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                const double chance = (double)(seed >> 40) / 16777216.0;
                if (i == j || (chance > 0.5 && j != (i + 1) % N && !(i == 0 && j == N)))
                    continue;
                const double value =
                    pow(10, -12 * (j >= N || i % 3 != j % 3) * chance) * (1 + chance);
                exit[i] += value;
                if (j >= N) {
                    leave[i] += value;
                    x[2 * i + j - N] += value;
                    continue;
                }
                rate[i * N + j] = value;
            }
        for (int32_t i = 0; i < N; i++) {
            absorb[2 * i] = (double)x[2 * i] / exit[i];
            absorb[2 * i + 1] = (double)x[2 * i + 1] / exit[i];
        }
        double val[N * N];
        int64_t row[N + 1] = {0};
        int32_t col[N * N];
        for (int32_t j = 0; j < N; j++) {
            row[j + 1] = row[j];
            for (int32_t i = 0; i < N; i++)
                if (rate[i * N + j] > 0) {
                    col[row[j + 1]] = i;
                    val[row[j + 1]++] = (double)rate[i * N + j] / exit[i];
                }
        }
        const Flow flow = flow_of(N, row, col, val, NULL, NULL);
        cr_assert_eq(absorb_values(N, 2, rate, leave, x, &plain, &off, NULL), PEPA_OK);
        for (int32_t i = 0; i < N; i++) {
            double weight[2];
            cr_assert_eq(absorb_gth(&flow, absorb, 2, i, &plain, weight, NULL), PEPA_OK);
            for (int side = 0; side < 2; side++)
                cr_expect(fabsl(x[2 * i + side] - weight[side]) <= 1e-13L * weight[side],
                          "trial %d, state %d: %Lg, not %g", trial, i, x[2 * i + side],
                          weight[side]);
        }
    }
}

Test(absorb, values_of_states_that_are_never_left)
{
    long double rate[] = {0, 1, 1, 0}, leave[] = {0, 0}, x[] = {1, 1}, bad[] = {NAN, 1, 1, 0},
                out[] = {1, 1};
    double off;
    PepaError err = {0};
    cr_expect_eq(absorb_values(2, 1, rate, leave, x, &plain, &off, &err), PEPA_ENOCONV);
    cr_expect(err.message[0]);
    cr_expect_eq(absorb_values(2, 1, bad, out, x, &plain, &off, &err),
                 PEPA_OK); /* a diagonal is not looked at */
    bad[2] = NAN;
    cr_expect_eq(absorb_values(2, 1, bad, out, x, &plain, &off, &err), PEPA_ENOCONV);
}
